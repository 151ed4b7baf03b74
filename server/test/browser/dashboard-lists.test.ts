import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { staticAddress } from '../../../web/dashboard/test/fixtures.ts'
import { endpoint } from '../../../web/dashboard/test/more-fixtures.ts'
import type { StandIn } from '../../../web/dashboard/test/stand-in-service.ts'
import { axeViolations } from '../support/browser/axe.ts'
import { base, openStandInWindow, phone } from '../support/browser/stand-in-window.ts'

/** The lists of the dashboard, against canned answers: what a row tells, filters, pages, and how they look on a phone. */

const shownIn = openStandInWindow()
const { says, go, follow } = shownIn
let service: StandIn
let page: Page
beforeAll(() => {
  ;({ service, page } = shownIn)
})

/** The query with which a list is asked next that names a limit, or something rarer. */
async function askedFor(
  list: string,
  act: () => Promise<unknown>,
  names = 'limit',
): Promise<Record<string, string>> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => {
      const { pathname, searchParams } = new URL(each.url())
      // The menu counts payouts, and asks for one.
      return pathname.endsWith(`/${list}`) && searchParams.has(names) && searchParams.get('limit') !== '1'
    }),
    act(),
  ])
  return Object.fromEntries(new URL(request.url()).searchParams)
}
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

it('a row says what it is about: order, description, customer and source, purpose, reason', async () => {
  await follow(`${base}/invoices`)
  await says('order-1099')
  expect(await row('order-1099').textContent()).toContain('Two mugs and a kettle · Grace <i>Hopper</i>')
  await follow(`${base}/payouts`)
  expect(await row('1,200').textContent()).toContain('Supplier, invoice 4711')
  await follow(`${base}/refunds`)
  expect(await row('0.00016833').textContent()).toContain('Paid too much')
  await follow(`${base}/addresses`)
  await says('Donations')
})

it.each([
  ['invoices', 'invoices', 'created_after'],
  ['payouts', 'payouts', 'created_after'],
  ['refunds', 'refunds', 'created_after'],
  ['addresses', 'addresses', 'created_after'],
  [`addresses/${staticAddress.id}`, 'invoices', 'created_after'],
  ['events', 'events', 'created_after'],
  [`webhooks/${endpoint.id}`, 'deliveries', 'created_after'],
  ['audit-log', 'audit-log', 'created_after'],
  ['balances/BTC', 'ledger', 'created_after'],
  ['/dashboard/operator/suspense', 'suspense', 'seen_after'],
])('%s can be narrowed to a span of days, which is in the URL and can be cleared', async (at, list, name) => {
  await follow(at.startsWith('/') ? at : `${base}/${at}`)
  const midnight = await page.evaluate('new Date(new Date().setHours(0, 0, 0, 0)).toISOString()')
  const choose = () => page.getByLabel('Period').selectOption('today')
  expect(await askedFor(list, choose, name)).toMatchObject({ [name]: midnight, limit: '20', offset: '0' })
  expect(new URL(page.url()).search).toBe('?period=today')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  expect(await page.getByRole('link', { name: 'Clear filters' }).count()).toBe(0)
})

it('chosen days are typed into two fields, in the zone of the page', async () => {
  await follow(`${base}/invoices?status=paid`)
  await page.getByLabel('Period').selectOption('custom')
  await page.getByLabel('First day').fill('2026-03-01')
  const until = () => page.getByLabel('Last day').fill('2026-03-02')
  const asked = await askedFor('invoices', until, 'created_before')
  const span = await page.evaluate(
    '[new Date(2026, 2, 1), new Date(2026, 2, 3)].map((day) => day.toISOString())',
  )
  expect([asked.created_after, asked.created_before]).toEqual(span)
  expect(new URL(page.url()).search).toBe('?status=paid&period=custom&from=2026-03-01&to=2026-03-02')
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Period').selectOption('today')
  await expect.poll(() => new URL(page.url()).search).toBe('?status=paid&period=today')
})

it('a search looks through the texts of a list, with the other filters', async () => {
  await follow(`${base}/invoices?status=paid`)
  const field = page.getByLabel('Order, description, metadata')
  await field.fill(' mug ')
  const asked = await askedFor('invoices', () => field.press('Enter'), 'search')
  expect(asked).toMatchObject({ status: 'paid', search: 'mug' })
  expect(new URL(page.url()).search).toBe('?status=paid&search=mug')
})

it('a list that has nothing says whether filters hide it, and clears them', async () => {
  service.empty = true
  await go(`${base}/refunds?period=today`)
  await says('Nothing matches')
  await page.getByRole('link', { name: 'Clear filters' }).last().click()
  await says('No refunds')
  expect(await page.getByText('Nothing matches').count()).toBe(0)
})

it('the page size is chosen, remembered, and sent with a link to a further page', async () => {
  service.total = 70
  try {
    await go(`${base}/invoices`)
    await says('1–20 of 70')
    const asked = await askedFor('invoices', () => page.getByLabel('Rows per page').selectOption('50'))
    expect(asked).toMatchObject({ limit: '50', offset: '0' })
    expect(new URL(page.url()).search).toBe('?rows=50')
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?rows=50&page=2')
    expect(await askedFor('payouts', () => follow(`${base}/payouts?status=failed`))).toMatchObject({
      limit: '50',
    })
    // Without a number of rows, a page further on means what it meant to everyone.
    expect(await askedFor('payouts', () => follow(`${base}/payouts?page=2`))).toMatchObject({
      limit: '20',
      offset: '20',
    })
  } finally {
    service.total = null
    await page.evaluate("localStorage.removeItem('sluice.rows')")
  }
})

it('on a phone each row has two lines', async () => {
  await page.setViewportSize(phone)
  for (const [path, text] of [
    ['invoices', 'order-1099'],
    ['payouts', '1,200'],
    ['refunds', '0.00016833'],
    ['addresses', 'Donations'],
    ['events', 'invoice.paid'],
    ['balances/BTC', 'Network fee'],
  ] as const) {
    await follow(`${base}/${path}`)
    await says(text)
    expect((await row(text).first().boundingBox())?.height, path).toBeLessThan(90)
    expect(await axeViolations(page, 'all but colours')).toEqual([])
  }
})

it('a list is sorted by age, by its head or on a phone by a field, and the export has filters and order of the list', async () => {
  await follow(`${base}/invoices?status=paid&period=custom&from=2026-03-01`)
  await says('order-1099')
  const head = page.getByRole('columnheader', { name: 'Created' })
  expect(await head.getAttribute('aria-sort')).toBe('descending')
  const asked = await askedFor('invoices', () => head.getByRole('link').click(), 'order')
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
  const { limit: _, offset: __, ...shownBy } = asked
  expect(shownBy).toMatchObject({ status: 'paid', order: 'oldest_first' })
  const link = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  expect(Object.fromEntries(new URL(link ?? '', page.url()).searchParams)).toEqual(shownBy)
  await page.setViewportSize(phone)
  await page.getByLabel('Order', { exact: true }).selectOption('Newest first')
  await expect.poll(() => new URL(page.url()).searchParams.has('order')).toBe(false)
})
