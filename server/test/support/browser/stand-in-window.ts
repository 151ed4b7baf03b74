import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import * as shown from '../../../../web/dashboard/test/fixtures.ts'
import { type StandIn, startStandIn } from '../../../../web/dashboard/test/stand-in-service.ts'
import { openBrowser } from './browser.ts'
import { followLink } from './dashboard-window.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }
export const base = `/dashboard/${shown.merchant}/test`

/**
 * One window with the dashboard, against canned answers, for all tests of a file. A test fails if the page asked another host,
 * threw, or complained on the console. Its members are there once the first test begins.
 */
export function openStandInWindow() {
  const opened = {} as {
    service: StandIn
    browser: Browser
    context: BrowserContext
    page: Page
    complaints: string[]
  }
  let close: () => Promise<void>
  beforeAll(async () => {
    const service = await startStandIn()
    const browser = await openBrowser()
    close = async () => {
      await browser.close()
      await service.close()
    }
    const context = await browser.newContext({ viewport: desktop, colorScheme: 'light', locale: 'en-GB' })
    const page = await context.newPage()
    Object.assign(opened, { service, browser, context, page, complaints: [] })
    page.on('console', (message) => {
      // The browser itself reports every refusal, including those that the page expects and explains.
      if (message.type() !== 'debug' && !/status of 40[01349]|^\[DOM\]/.test(message.text()))
        opened.complaints.push(message.text())
    })
    page.on('pageerror', (error) => opened.complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${service.url}/`) && !request.url().startsWith('data:'))
        opened.complaints.push(`asked ${request.url()}`)
    })
  })
  afterAll(() => close())
  beforeEach(async () => {
    const { service, page } = opened
    service.signedOut = false
    service.empty = false
    service.asked.length = 0
    opened.complaints = []
    await page.setViewportSize(desktop)
  })
  afterEach(async () => {
    expect(await opened.page.title()).not.toContain('owned')
    expect(opened.complaints).toEqual([])
  })
  return Object.assign(opened, {
    says: (text: string | RegExp) => opened.page.getByText(text).locator('visible=true').first().waitFor(),
    go: (path: string) => opened.page.goto(`${opened.service.url}${path}`),
    /** Follows a link to this path, as users do: the page is not reloaded. */
    follow: (path: string, on = opened.page): Promise<unknown> =>
      on.url() === 'about:blank' ? on.goto(`${opened.service.url}${path}`) : followLink(on, path),
  })
}
