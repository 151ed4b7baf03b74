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
    ['balances', 'BTC'],
    ['keys', 'Web shop'],
    ['webhooks', 'shop.example'],
    [`webhooks/${endpoint.id}`, 'invoice.paid'],
    ['/dashboard/operator/merchants', 'Alpenglühen'],
    ['/dashboard/operator/gates', 'Bitcoin'],
  ] as const) {
    await follow(path.startsWith('/') ? path : `${base}/${path}`)
    await row(text).first().waitFor()
    expect((await row(text).first().boundingBox())?.height, path).toBeLessThan(84)
    expect(await axeViolations(page, 'all but colours')).toEqual([])
    for (const width of [375, 320]) {
      await page.setViewportSize({ width, height: 640 })
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0)
    }
    await page.setViewportSize(phone)
  }
})

it('on a phone rows of two lines have their actions within reach of a thumb', async () => {
  await page.setViewportSize({ width: 375, height: 800 })
  const item = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  const sizeOf = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox()
    return Math.min(box?.width ?? 0, box?.height ?? 0)
  }
  for (const [path, text, action] of [
    [`${base}/team`, 'ben@', 'Change: Ben Ortiz'],
    ['/dashboard/account', 'Safari on iPhone', 'End: Safari on iPhone'],
    [`${base}/keys`, 'shop.alpengluehen.example', 'Disconnect: Alpenglühen Laden'],
  ] as const) {
    await follow(path)
    await item(text).waitFor()
    expect((await item(text).boundingBox())?.height, path).toBeLessThan(100)
    expect(await sizeOf(action)).toBeGreaterThanOrEqual(44)
  }
  expect(await sizeOf('Revoke: Web shop')).toBeGreaterThanOrEqual(44)
  await follow(`${base}/team`)
  const role = page.getByLabel('Role of Ben Ortiz')
  const change = page.getByRole('button', { name: 'Change: Ben Ortiz' })
  await change.waitFor()
  expect(await role.isVisible()).toBe(false)
  await change.click()
  await role.waitFor()
  expect(await change.getAttribute('aria-expanded')).toBe('true')
  expect(await sizeOf('Remove: Ben Ortiz')).toBeGreaterThanOrEqual(44)
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  // The whole row of a network opens it.
  await follow('/dashboard/operator/gates')
  await row('Bitcoin').click({ position: { x: 300, y: 50 } })
  await page.getByRole('dialog', { name: 'Bitcoin' }).waitFor()
  await page.keyboard.press('Escape')
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
