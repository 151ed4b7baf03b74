import type { Overview } from '@sluice/web/contract'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { overview } from '../../../web/dashboard/test/overview-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, desktop, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The chart of the overview: what it draws, and how it is read by mouse, finger, keys and screen reader. */

const shownIn = openStandInWindow()
const { says, go } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})
afterEach(() => {
  service.overview = null
})

const none = { received: '0.00', paid_out: '0.00', refunded: '0.00' }
const noInvoices = { created: 0, paid: 0, expired: 0, open: 0, cancelled: 0, share: null }
type Bar = Overview['bars'][number]
const bar = (day: string, moved: Partial<Bar> = {}): Bar => ({
  from: day,
  to: day,
  ...none,
  fees: '0.00',
  invoices: noInvoices,
  before: none,
  ...moved,
})
const withBars = (bars: Bar[], axis: string[]): Overview => ({ ...overview(30), bars, axis })
const chart = () => page.getByRole('listbox', { name: 'Chart of money in and out' })
const tip = () => page.locator('.chart-tip')
const boxOf = (selector: string) =>
  page.evaluate<{ top: number; bottom: number; left: number; width: number; height: number }>(
    `(() => { const { top, bottom, left, width, height } = document.querySelector('${selector}').getBoundingClientRect(); return { top, bottom, left, width, height } })()`,
  )
const overflow = () =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

it('draws in, out and refunds on one scale from one zero line, with the period before behind', async () => {
  const before = { received: '300.00', paid_out: '100.00', refunded: '0.00' }
  service.overview = withBars(
    [bar('2026-11-15', { received: '400.00', paid_out: '200.00', refunded: '100.00', before })],
    ['-400.00', '-200.00', '0.00', '200.00', '400.00'],
  )
  await go(base)
  await chart().waitFor()
  const [zero, into, out, back] = [
    await boxOf('.chart .line.zero'),
    await boxOf('.chart rect.in'),
    await boxOf('.chart rect.out'),
    await boxOf('.chart rect.back'),
  ]
  expect(into.height / 4).toBeCloseTo(out.height / 2, 1)
  expect(into.height / 4).toBeCloseTo(back.height, 1)
  for (const edge of [into.bottom, out.top]) expect(edge).toBeCloseTo(zero.top, 0)
  expect(back.top).toBeCloseTo(out.bottom, 1)
  const behind = await boxOf('.chart rect.before')
  expect(behind.height / 3).toBeCloseTo(into.height / 4, 1)
  expect(behind.width).toBeGreaterThan(into.width)
  const labels = await page.locator('.chart text').allTextContents()
  expect(labels).toEqual(['-€400', '-€200', '€0', '€200', '€400', 'Nov 15'])
})

it('is read by keys: arrows, first and last, and Escape; each bar says everything in words', async () => {
  service.overview = withBars(
    [
      bar('2026-11-13', { received: '12.50' }),
      bar('2026-11-14', { paid_out: '7.00' }),
      bar('2026-11-15', { received: '20.00', refunded: '1.00' }),
    ],
    ['-20.00', '-10.00', '0.00', '10.00', '20.00'],
  )
  await go(base)
  await chart().focus()
  const chosen = () => page.getByRole('option', { selected: true }).getAttribute('aria-label')
  const named = () =>
    page.evaluate(
      `document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).getAttribute('aria-label')`,
    )
  expect(await chosen()).toBe(
    'Nov 15: Received €20.00, Paid out €0.00, Refunded €1.00, Fees €0.00, Invoices paid 0 of 0; Received in the previous period €0.00',
  )
  expect(await named()).toBe(await chosen())
  await page.keyboard.press('ArrowLeft')
  expect(await tip().textContent()).toContain('€7.00')
  await page.keyboard.press('Home')
  expect(await chosen()).toContain('€12.50')
  await page.keyboard.press('ArrowLeft')
  expect(await chosen()).toContain('€12.50')
  await page.keyboard.press('End')
  expect(await chosen()).toContain('€20.00')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await tip().count()).toBe(0)
})

it('is read by finger and mouse, and has the same as a table', async () => {
  // Without the steps above it the chart is in sight, where the mouse can be.
  service.overview = { ...overview(30), set_up: [] }
  await go(base)
  await chart().waitFor()
  const { left, top, width } = await boxOf('.chart svg')
  await page.mouse.move(left + width * 0.5, top + 100)
  await tip().waitFor()
  await page.mouse.move(left + width * 0.5, top - 200)
  await expect.poll(() => tip().count()).toBe(0)
  await page.mouse.click(left + width - 10, top + 100)
  const last = overview(30).bars.at(-1) as Bar
  expect(await tip().textContent()).toContain(
    Number(last.received).toLocaleString('en', { minimumFractionDigits: 2 }),
  )
  await page.getByText('Show as a table').click()
  expect(await page.locator('.plain-table tbody tr').count()).toBe(30)
  expect(await page.locator('.plain-table tbody tr').first().textContent()).toContain(
    Number(last.received).toLocaleString('en', { minimumFractionDigits: 2 }),
  )
  expect(await axeViolations(page)).toEqual([])
})

const figure = (label: string) => page.locator('.figure', { has: page.getByText(label, { exact: true }) })

it('names fees, how many invoices were paid and how long that took, each with the period before and how it is counted', async () => {
  const counted = { created: 20, paid: 5, expired: 1, open: 3, cancelled: 11, share: '0.8333' }
  service.overview = {
    ...overview(30),
    fees: {
      platform: { amount: '30.00', before: '20.00' },
      network: { amount: '1.10', before: '0.00' },
    },
    conversion: { invoices: counted, before: { ...counted, share: '0.5000' } },
    time_to_paid: { median_seconds: 540, before: 5_400 },
  }
  await go(base)
  await says('Fees and invoices')
  expect(await figure('Platform fees').textContent()).toContain('€30.00 +50% compared')
  expect(await figure('Network fees').textContent()).toContain('€1.10 Nothing in the previous period')
  const paid = await figure('Invoices paid').textContent()
  for (const text of ['83.3%', '5 of 6', '3 still open, 11 cancelled', 'Previous period: 50%'])
    expect(paid).toContain(text)
  const time = await figure('Typical time to paid').textContent()
  for (const text of ['9 minutes', 'median', 'Previous period: 90 minutes']) expect(time).toContain(text)
  await page.getByText('How these figures are counted').click()
  await says('Half of the paid invoices took no longer')
  expect(await axeViolations(page)).toEqual([])
})

it('says where nothing was decided yet, and from when on figures were counted', async () => {
  const shown = overview(30)
  service.overview = {
    ...shown,
    fees: {
      platform: { amount: '0.00', before: null },
      network: { amount: '0.00', before: null },
    },
    conversion: { invoices: noInvoices, before: null },
    time_to_paid: { median_seconds: null, before: null },
    counted_since: '2026-11-12',
  }
  await go(base)
  await says('Fees and invoices are counted from Nov 12, 2026 on.')
  expect(await figure('Platform fees').textContent()).toContain('The previous period was not counted')
  expect(await figure('Invoices paid').textContent()).toBe('Invoices paid – 0 of 0')
  expect(await figure('Typical time to paid').textContent()).toContain('–')
})

it('lists the open steps to live payments, each with its page or with who can do it, until all are done', async () => {
  await go(base)
  await says('Your way to live payments')
  await says('4 of 12 done')
  const step = (title: string) => page.locator('.set-up li', { hasText: title })
  // One step is in view; the others do not push the figures down.
  expect(await page.locator('.set-up li').locator('visible=true').count()).toBe(1)
  await page.locator('.set-up summary', { hasText: 'Still to do (7)' }).click()
  expect(await step('Register a live webhook').getByRole('link').getAttribute('href')).toBe(
    base.replace('/test', '/live/webhooks'),
  )
  expect(await step('Receive a test webhook').getByRole('link').getAttribute('href')).toBe(`${base}/webhooks`)
  expect(await step('A live network is online').textContent()).toContain('The operator of this service')
  expect(await step('A live network is online').getByRole('link').count()).toBe(0)
  expect(await step('Pay a test invoice').isVisible()).toBe(false)
  await page.locator('.set-up summary', { hasText: 'Done' }).click()
  expect(await step('Pay a test invoice').isVisible()).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  const shown = overview(30)
  const others = shown.set_up.map((each) => ({ ...each, roles: ['finance' as const] }))
  service.overview = { ...shown, set_up: others }
  await go(base)
  await says('Still to do')
  expect(await step('Receive a test webhook').textContent()).toContain('Who can: Finance.')
  expect(await page.locator('.set-up a').count()).toBe(0)
})

it('once all steps are done, says that live can begin, until that is closed, and then never again', async () => {
  const ended = { ...overview(30), set_up: [] }
  const ready = (on = page) => on.getByRole('heading', { name: 'Ready for live payments' })
  const live = base.replace('/test', '/live')
  service.overview = ended
  await go(base)
  await ready().waitFor()
  expect(await page.getByText('Your way to live payments').count()).toBe(0)
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport)
    expect(await axeViolations(page)).toEqual([])
    expect(await overflow()).toBe(0)
  }
  expect(await page.getByRole('link', { name: 'Go to live' }).first().getAttribute('href')).toBe(live)
  // Where live already has invoices it is no news; where it has none, it is.
  await go(live)
  await says('Fees and invoices')
  expect(await ready().count()).toBe(0)
  service.overview = { ...ended, invoices: ended.invoices.map((each) => ({ ...each, count: 0 })) }
  await go(live)
  await ready().waitFor()
  await page.getByRole('button', { name: 'Close' }).press('Enter')
  await ready().waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  service.overview = ended
  for (const path of [base, live]) {
    await go(path)
    await says('Fees and invoices')
    expect(await ready().count()).toBe(0)
  }
  // A step that is undone is shown again; that it is done again is no news.
  service.overview = null
  await go(base)
  await says('Your way to live payments')
  service.overview = ended
  await go(base)
  await says('Fees and invoices')
  expect(await ready().count()).toBe(0)
  // Someone else has not been told yet.
  const context = await shownIn.browser.newContext({ viewport: desktop, locale: 'en-GB' })
  const other = await context.newPage()
  await other.goto(`${service.url}${base}`)
  await ready(other).waitFor()
  await context.close()
})

describe.each([
  ['phone', phone],
  ['desktop', desktop],
])('on a %s', (_, viewport) => {
  it.each([
    ['nothing', withBars([bar('2026-11-15')], []), 'Nothing moved in this period'],
    ['one day', withBars([bar('2026-11-15', { received: '0.01' })], ['0.00', '0.01']), '€0.01'],
    [
      'huge values',
      withBars(
        [bar('2026-11-15', { received: `1${'0'.repeat(60)}.00` })],
        ['0.00', `5${'0'.repeat(59)}.00`, `1${'0'.repeat(60)}.00`],
      ),
      '€1E60',
    ],
    ['ninety days', overview(90), 'Previous period'],
  ])('%s fits', async (_what, shown, text) => {
    service.overview = shown
    await page.setViewportSize(viewport)
    await go(base)
    await says(text)
    expect(await overflow()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  })
})
