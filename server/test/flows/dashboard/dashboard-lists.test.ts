import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { newAddress } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
let client: DashboardClient
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  const person = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  client = await signedIn(service, person)
})
afterAll(() => service.stop())

const here = () => ({ merchantID: shop.merchantId, environment: 'test' })

/** The ids of a list, and its total. */
async function listed(id: string, options: { path?: object; query?: Record<string, string> }) {
  const answer = await client.call(id, { ...options, path: { ...here(), ...options.path } })
  expect(answer.status, answer.text).toBe(200)
  const ids = answer.body.data.map((row: Row) => row.payment?.id ?? row.id) as string[]
  expect(answer.body.meta.pagination.total).toBe(ids.length)
  return ids
}

it('events are listed by span of time, newest first', async () => {
  const all: string[] = []
  for (const day of ['2025-03-01', '2025-03-02', '2025-03-03', '2025-03-04']) {
    const id = randomUUID()
    await query(
      service.database.url,
      `insert into events (id, merchant_id, environment, event, data, created_at)
       values ($1, $2, 'test', 'invoice.paid', '{}', $3)`,
      [id, shop.merchantId, `${day}T00:00:00Z`],
    )
    all.unshift(`evt_${id}`)
  }
  const span = { created_after: '2025-03-02T00:00:00Z', created_before: '2025-03-04T00:00:00Z' }
  expect(await listed('listEvents', { query: span })).toEqual(all.slice(1, 3))
  expect(await listed('listEvents', { query: { ...span, event: 'invoice.paid' } })).toEqual(all.slice(1, 3))
  const { created_before } = span
  expect(await listed('listEvents', { query: { created_before } })).toEqual(all.slice(1))
  const page = await client.call('listEvents', { path: here(), query: { ...span, limit: '1', offset: '1' } })
  expect(page.body.data.map(({ id }: Row) => id)).toEqual(all.slice(2, 3))
})

it('an endpoint’s deliveries are listed by span of time', async () => {
  const body = { url: 'http://127.0.0.1:9/hook' }
  const { id: endpointID } = (await client.call('createWebhookEndpoint', { path: here(), body })).body.data
  await client.call('testWebhookEndpoint', { path: { ...here(), endpointID } })
  const [delivery] = await listed('listEndpointDeliveries', { path: { endpointID } })
  await query(service.database.url, "update webhook_deliveries set created_at = '2025-03-02'")
  const within = (after: string, before: string) =>
    listed('listEndpointDeliveries', {
      path: { endpointID },
      query: { created_after: `${after}T00:00:00Z`, created_before: `${before}T00:00:00Z` },
    })
  expect(await within('2025-03-02', '2025-03-03')).toEqual([delivery])
  expect(await within('2025-03-03', '2025-03-04')).toEqual([])
  expect(await within('2025-03-01', '2025-03-02')).toEqual([])
})

/** The ids in an export, in its order. */
async function exported(list: string, given: Record<string, string>) {
  const asked = new URLSearchParams(given)
  const url = `${service.url}/dashboard-api/merchants/${shop.merchantId}/test/${list}/export?${asked}`
  const answer = await fetch(url, {
    headers: { Cookie: client.cookie ?? '', 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(answer.status).toBe(200)
  const [, ...rows] = (await answer.text()).trim().split('\r\n')
  return rows.map((row) => row.split(',')[1])
}

it('exports have the rows of their lists, in the same order, with the same filters', async () => {
  for (const [n, currency] of ['BTC', 'LTC', 'BTC', 'ETH', 'BTC'].entries())
    await shop.create({
      currency,
      amount: '0.1',
      external_id: `order-${n}`,
      description: n % 2 ? 'Tea' : 'Mug',
    })
  await shop.fund('1')
  for (const description of ['Rent', 'Mugs', 'Rent'])
    await shop.payOut({
      currency: 'BTC',
      amount: '0.01',
      destination: await newAddress('bitcoin'),
      description,
    })
  const span = { created_after: '2020-01-01T00:00:00Z', created_before: '2100-01-01T00:00:00Z' }
  const filters = [
    {},
    { search: 'mug' },
    { currency: 'BTC' },
    { currency: 'btc', search: 'MUG', ...span },
    span,
  ]
  for (const [list, id] of [
    ['invoices', 'listInvoices'],
    ['payouts', 'listPayouts'],
  ] as const)
    for (const filter of filters) {
      const newest = await listed(id, { query: filter })
      expect(await exported(list, filter), JSON.stringify(filter)).toEqual(newest)
      const oldest = await listed(id, { query: { ...filter, order: 'oldest_first' } })
      expect(oldest).toEqual(newest.toReversed())
      expect(await exported(list, { ...filter, order: 'oldest_first' })).toEqual(oldest)
    }
  expect(await listed('listPayouts', { query: { search: 'mugs' } })).toHaveLength(1)
})

it('the oldest rows come first if asked, page by page, with every filter, and by cursor', async () => {
  for (const query of [
    {},
    { status: 'pending' },
    { search: 'mug' },
    { created_after: '2020-01-01T00:00:00Z' },
  ]) {
    const all = await listed('listInvoices', { query: { ...query, order: 'oldest_first' } })
    expect(all).toEqual((await listed('listInvoices', { query })).toReversed())
    for (const by of ['offset', 'cursor']) {
      const ids: string[] = []
      for (let next: string | null = null, isWhole = false; !isWhole; ) {
        const from: Record<string, string> =
          by === 'offset' ? { offset: String(ids.length) } : next === null ? {} : { cursor: next }
        const page: Row = (
          await client.call('listInvoices', {
            path: here(),
            query: { ...query, ...from, order: 'oldest_first', limit: '2' },
          })
        ).body
        ids.push(...page.data.map(({ id }: Row) => id))
        next = page.meta.pagination.next_cursor
        isWhole = !page.meta.pagination.has_more
      }
      expect(ids, by).toEqual(all)
    }
  }
  const deep = { order: 'oldest_first', offset: '100000' }
  expect((await client.call('listInvoices', { path: here(), query: deep })).status).toBe(400)
  expect((await client.call('listInvoices', { path: here(), query: { order: 'amount' } })).status).toBe(400)
  for (const id of ['listRefunds', 'listAddresses'])
    expect((await client.call(id, { path: here(), query: { order: 'oldest_first' } })).status).toBe(200)
})
