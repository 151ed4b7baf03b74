import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import * as shown from '../../../web/dashboard/test/fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import * as networks from '../../src/domain/networks/list.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { watchColours } from '../support/browser/colours.ts'
import { closed, open, pages } from '../support/browser/dashboard-list.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** Every page of the dashboard with content, against canned answers: looks and texts. */

const shownIn = openStandInWindow()
const { says, go, follow } = shownIn
let service: StandIn
let browser: Browser
let page: Page
beforeAll(() => {
  ;({ service, browser, page } = shownIn)
})

// The others are followed to from the page before, which says something else.
const loadedAnew = new Set(['overview', 'sign_in'])

// A page has the same elements in both views, except for the menu. Its colours come from the components that pages share;
// these pages together have all of them, as a test below makes sure. The contrast of colours is half of what axe does; the
// soak measures it on every page.
const coloured = new Set([
  'overview',
  'invoice',
  'import_payouts',
  'payout',
  'rejected_payout',
  'ledger',
  'keys',
  'connect',
  'webhook',
  'team',
  'live',
  'settings',
  'account',
  'gates',
  'sign_in',
])
const isEveryLook = process.env.SLUICE_EVERY_LOOK !== undefined
const colours = watchColours()
const violations = async (name: string, viewport: typeof phone) => {
  const hasColours = isEveryLook || coloured.has(name)
  await colours.look(page, name, hasColours)
  if (viewport === phone || name === 'overview')
    return axeViolations(page, hasColours ? 'all' : 'all but colours')
  return hasColours ? axeViolations(page, 'colours') : []
}

// What programs call networks and gates. Payloads are shown as they are sent, and `base` is a word.
const networkIds = Object.values(networks).map(({ id }) =>
  id === 'base' ? 'base-(live|test)' : `${id}(-(live|test))?`,
)
const bareNetworks = async () => {
  const text: string = await page.evaluate(
    `[...document.querySelectorAll('pre')].reduce((text, { innerText }) => text.replace(innerText, ''), document.body.innerText)`,
  )
  return networkIds.filter((id) => new RegExp(`(?<![\\w@./-])${id}(?![\\w@/-])`).test(text))
}

// How far the page scrolls sideways, and how far a part of it stands out into the margin.
const wide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const main = document.querySelector('main')
  if (main === null) return scrollWidth - clientWidth
  const edge = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight)
  const parts = [...main.querySelectorAll(':is(.card, .table-card, .filters, .page-head)')].filter((each) => each.closest('dialog') === null)
  const out = parts.map((each) => Math.round(each.getBoundingClientRect().right - edge))
  return Math.max(scrollWidth - clientWidth, 0, ...out)
})()`
const overflow = () => page.evaluate(wide)
describe.each(Object.entries(pages).map(([name, [path, text]]) => ({ name, path, text })))(
  '$name',
  ({ name, path, text }) => {
    it('shows the essentials on a phone in light and a desktop in dark colours, passes axe and fits', async () => {
      service.signedOut = closed.has(name)
      await (loadedAnew.has(name) ? go(path) : follow(path))
      for (const [viewport, colorScheme] of [
        [phone, 'light'],
        [desktop, 'dark'],
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await says(text)
        expect(await violations(name, viewport)).toEqual([])
        expect(await overflow()).toBe(0)
        expect(await bareNetworks()).toEqual([])
      }
    })
  },
)

it('every colour of a text that any page has was measured on some page, in light and in dark', () => {
  expect(colours.unmeasured()).toEqual([])
})

it('says by whose time the test environment is dated once its clock was moved, and is silent before', async () => {
  service.signedOut = false
  await go(base)
  await says('no real money moves')
  expect(await page.locator('.test-clock').count()).toBe(0)
  service.aheadSeconds = 3 * 24 * 3600
  try {
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      await go(base)
      await says('Its clock is ahead:')
      const shownAt = await page.locator('.test-clock time').getAttribute('datetime')
      expect(Date.parse(shownAt ?? '') - Date.now()).toBeGreaterThan(2.9 * 24 * 3_600_000)
      expect(await violations('overview', viewport)).toEqual([])
      expect(await overflow()).toBe(0)
    }
  } finally {
    service.aheadSeconds = 0
  }
})

it('axe, used as above and in the same document, finds a violation', async () => {
  await page.evaluate('document.body.append(new Image(9, 9))')
  expect((await axeViolations(page)).map(({ id }) => id)).toContain('image-alt')
})

it('in German the pages with the most text fit the narrowest phone', async () => {
  const german = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'de-DE' })
  const narrow = await german.newPage()
  await narrow.goto(`${service.url}${base}`)
  for (const [name, title] of [
    ['overview', 'Übersicht'],
    ['invoices', 'Rechnungen'],
    ['invoice', open.external_id ?? ''],
    ['payout', 'Auszahlung'],
    ['import_payouts', 'Auszahlungen importieren'],
    ['policy', 'Auszahlungsregeln'],
    ['team', 'Team'],
    ['webhook', 'Webhook-Endpunkt'],
    ['account', 'Ihr Konto'],
    ['settings', 'Einstellungen'],
    ['connect', 'Shop verbinden'],
  ] as const) {
    await follow(pages[name]?.[0] ?? '', narrow)
    await narrow.getByRole('heading', { name: title, level: 1 }).waitFor()
    expect(await narrow.evaluate(wide), name).toBe(0)
    expect(await narrow.getAttribute('html', 'lang')).toBe('de')
  }
  await german.close()
})

it('a code to scan stands in the middle of its card', async () => {
  const off = () =>
    page.evaluate<number>(`(() => {
      const middle = ({ left, right }) => (left + right) / 2
      const code = document.querySelector('svg.qr')
      const [inner, outer] = [code, code.closest('.card, dialog')].map((each) => each.getBoundingClientRect())
      return Math.abs(middle(inner) - middle(outer))
    })()`)
  const authenticator = () => page.getByRole('button', { name: 'Use an authenticator app' }).click()
  for (const [name, open] of [
    ['invoice', null],
    ['address', null],
    ['welcome', authenticator],
  ] as const) {
    await follow(pages[name]?.[0] ?? '')
    await open?.()
    await page.locator('svg.qr').waitFor()
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      expect(await off(), name).toBeLessThanOrEqual(1)
    }
  }
})

it('empty lists explain how to create the first item', async () => {
  service.empty = true
  await go(base)
  for (const [path, text] of [
    ['invoices', 'No invoices yet'],
    ['payouts', 'No payouts yet'],
    ['keys', 'No keys yet'],
    ['webhooks', 'No endpoints yet'],
    ['addresses', 'No static addresses yet'],
  ] as const) {
    await follow(`${base}/${path}`)
    await says(text)
  }
  await follow(`${base}/invoices`)
  await says(`curl ${service.url}/api/v1/invoices`)
})

it('the test environment is unmistakable, live has no banner, and switching keeps the page', async () => {
  await follow(`${base}/payouts`)
  await says('Test environment: everything here is simulated')
  await expect.poll(() => page.title()).toMatch(/^Test · Payouts/)
  const edge = "getComputedStyle(document.querySelector('.frame'), '::before').borderTopWidth"
  expect(await page.evaluate(edge)).toBe('3px')
  await page.locator('.sidebar .environment').first().getByRole('link', { name: 'Live' }).click()
  await page.waitForURL(`**/${shown.merchant}/live/payouts`)
  await says('1,200 USDT')
  expect(await page.getByText('everything here is simulated').count()).toBe(0)
  expect(service.asked.some((call) => call.includes('/live/payouts'))).toBe(true)
})

it('filters and page numbers are in the URL, and the back button steps through them', async () => {
  await follow(`${base}/invoices`)
  await page.getByRole('link', { name: 'Underpaid', exact: true }).first().click()
  await page.waitForURL('**/invoices?status=underpaid')
  await page.getByLabel('Currency').selectOption('LTC')
  await page.waitForURL('**/invoices?status=underpaid&currency=LTC')
  await page.getByRole('link', { name: 'order-1099' }).click()
  await page.getByRole('heading', { name: 'order-1099' }).waitFor()
  await page.goBack()
  await page.waitForURL('**/invoices?status=underpaid&currency=LTC')
  await page.goBack()
  await page.waitForURL('**/invoices?status=underpaid')
  await page.goBack()
  expect(new URL(page.url()).search).toBe('')
  await says('order-1098')
})

it('colours follow the system until the user chooses, and the choice is kept', async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await follow(base)
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const light = await paper()
  await page.getByRole('button', { name: 'Switch to dark colours' }).click()
  expect(await paper()).not.toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Switch to light colours' }).click()
  expect(await paper()).toBe(light)
})
