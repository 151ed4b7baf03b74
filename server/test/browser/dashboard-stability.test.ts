import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { closed, pages } from '../support/browser/dashboard-list.ts'
import { paintedTwice, shiftsIn, watchShifts } from '../support/browser/layout-shifts.ts'
import { desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** Nothing jumps while a page loads: what is there first has the shape of what comes. */

const shownIn = openStandInWindow()
let service: StandIn
let browser: Browser
beforeAll(() => {
  ;({ service, browser } = shownIn)
})

const mostShift = 0.02
/** Loads a page whose data comes late, and returns what shifted. */
async function shiftsOf(path: string, text: string, viewport: typeof phone) {
  const context = await browser.newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchShifts)
    const late = Promise.withResolvers<void>()
    service.held = late.promise
    await page.goto(`${service.url}${path}`)
    await page.locator('#app :is(h1, .skeleton)').locator('visible=true').first().waitFor()
    await paintedTwice(page)
    late.resolve()
    await page.getByText(text).locator('visible=true').first().waitFor()
    await paintedTwice(page)
    return await shiftsIn(page)
  } finally {
    service.held = null
    await context.close()
  }
}

describe.each([
  ['desktop', desktop],
  ['phone', phone],
])('on a %s nothing jumps while it loads', (_, viewport) => {
  it.each(Object.entries(pages))('%s', async (name, [path, text]) => {
    service.signedOut = closed.has(name)
    const shifts = await shiftsOf(path, text, viewport)
    const sum = shifts.reduce((all, { value }) => all + value, 0)
    expect(sum, JSON.stringify(shifts, null, 2)).toBeLessThan(mostShift)
  })
})

it('a jump is noticed', async () => {
  service.signedOut = true
  const context = await browser.newContext({ viewport: desktop })
  const page = await context.newPage()
  await page.addInitScript(watchShifts)
  await page.goto(`${service.url}/dashboard/sign-in`)
  await page.locator('h1').waitFor()
  await paintedTwice(page)
  await page.evaluate("document.querySelector('h1').style.marginTop = '200px'")
  await paintedTwice(page)
  const shifts = await shiftsIn(page)
  expect(shifts.reduce((all, { value }) => all + value, 0)).toBeGreaterThan(mostShift)
  await context.close()
})
