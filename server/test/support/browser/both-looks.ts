import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations } from './axe.ts'
import { desktop, phone } from './stand-in-window.ts'

/** How everything is looked at first. */
export async function onLightPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** Expects axe to find nothing on a phone in light colours, and nothing about the colours on a desktop in dark ones. */
export async function expectAccessible(page: Page, isOnlyPhone = false): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  if (isOnlyPhone) return
  // It is the same page in other colours.
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeViolations(page, 'colours')).toEqual([])
}
