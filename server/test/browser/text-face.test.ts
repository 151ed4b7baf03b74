import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pages as payments } from '../../../web/checkout/test/fixtures.ts'
import {
  type StandIn as Checkout,
  startStandIn as startCheckout,
} from '../../../web/checkout/test/stand-in-service.ts'
import { pages } from '../support/browser/dashboard-list.ts'
import { paintedTwice, shiftsIn, watchShifts } from '../support/browser/layout-shifts.ts'
import { openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The pages come with their text face: it looks the same on every device, and what is read does not move when it arrives. */

const mostShift = 0.02
// A page counts as loaded only once its font is there.
const beforeFont = { waitUntil: 'domcontentloaded' } as const

const shownIn = openStandInWindow()
let checkout: Checkout
beforeAll(async () => {
  checkout = await startCheckout(payments.pay)
})
afterAll(() => checkout.close())

const loadedFaces = (page: Page) =>
  page.evaluate<string[]>(`document.fonts.ready.then(() =>
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`)

/** Shows a page on a phone whose font comes only when `arrive` is called. */
async function withLateFont(use: (page: Page, arrive: () => Promise<void>) => Promise<void>): Promise<void> {
  const context = await shownIn.browser.newContext({
    viewport: phone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchShifts)
    const late = Promise.withResolvers<void>()
    await page.route(/\.woff2$/, async (route) => {
      await late.promise
      await route.continue()
    })
    await use(page, async () => {
      late.resolve()
      await page.waitForLoadState('load')
      await paintedTwice(page)
    })
  } finally {
    await context.close()
  }
}

/** How much moved between what was there without the font and what is there with it. */
async function movedBy(page: Page, arrive: () => Promise<void>): Promise<number> {
  await paintedTwice(page)
  const before = (await shiftsIn(page)).length
  await arrive()
  return (await shiftsIn(page)).slice(before).reduce((sum, { value }) => sum + value, 0)
}

it('the dashboard is set in it, with digits of one width', async () => {
  const [path, text] = pages.invoices as readonly [string, string]
  await shownIn.follow(path)
  await shownIn.says(text)
  // The first view may have gone without it.
  await expect
    .poll(async () => {
      await shownIn.page.reload()
      await shownIn.says(text)
      return loadedFaces(shownIn.page)
    })
    .toContain('Inter')
  const widths = await shownIn.page.evaluate<
    number[]
  >(`['0000000000', '1111111111', '7777777777'].map((digits) => {
    const text = document.createElement('span')
    text.className = 'end'
    text.textContent = digits
    document.body.append(text)
    const { width } = text.getBoundingClientRect()
    text.remove()
    return Math.round(width * 100)
  })`)
  expect(new Set(widths).size).toBe(1)
})

// Those that moved most when the font replaced what was already shown.
describe('on a phone nothing moves when it comes late', () => {
  it.each(['overview', 'payout', 'settings'] as const)('%s', async (name) => {
    const [path, text] = pages[name] as readonly [string, string]
    await withLateFont(async (page, arrive) => {
      await page.goto(`${shownIn.service.url}${path}`, beforeFont)
      await page.getByText(text).locator('visible=true').first().waitFor()
      expect(await movedBy(page, arrive)).toBeLessThan(mostShift)
    })
  })

  it('payment page', async () => {
    checkout.show(payments.paid)
    await withLateFont(async (page, arrive) => {
      await page.goto(`${checkout.url}/pay/q8Zr0bJ2mK4n`, beforeFont)
      await page.locator('h1, h2').locator('visible=true').first().waitFor()
      expect(await movedBy(page, arrive)).toBeLessThan(mostShift)
    })
  })
})

it.each(['pl', 'tr', 'ja', 'zh', 'ar'] as const)(
  'a payment page in %s, which it has no letters for, does not load it',
  async (language) => {
    checkout.show({ ...payments.pay, language })
    const context = await shownIn.browser.newContext({ viewport: phone })
    try {
      const page = await context.newPage()
      const fonts: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('.woff2')) fonts.push(request.url())
      })
      await page.goto(`${checkout.url}/pay/q8Zr0bJ2mK4n`)
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      await page.evaluate('document.fonts.ready.then(() => null)')
      await paintedTwice(page)
      expect(fonts).toEqual([])
    } finally {
      await context.close()
    }
  },
)
