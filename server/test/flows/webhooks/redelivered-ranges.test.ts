import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/** What the page of an endpoint says: how well it is reached, and what a redelivery would send. */

let service: TestService
let shop: Shop
let client: DashboardClient
let endpointID: string
beforeAll(async () => {
  service = await startTestService(quiet)
})
beforeEach(async () => {
  shop = await openShop(service)
  client = await signedIn(service, await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }))
  const body = { url: 'http://127.0.0.1:9/hook' }
  endpointID = (await client.call('createWebhookEndpoint', { path: here(), body })).body.data.id
  // Nothing is sent by itself: these tests state what is stored.
  await query(
    service.database.url,
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'x' where id = $1`,
    [endpointID],
  )
})
afterAll(() => service.stop())

const here = () => ({ merchantID: shop.merchantId, environment: 'test' })
const march = { created_after: '2025-03-01T00:00:00Z', created_before: '2025-04-01T00:00:00Z' }

/** Makes events, one a second from a time on, and their deliveries with a status; null: never sent. */
async function makeEvents(from: string, event: string, statuses: readonly (string | null)[], tries = 1) {
  await query(
    service.database.url,
    `with made as (
       insert into events (id, merchant_id, environment, event, data, created_at)
       select gen_random_uuid(), $1, 'test', $2, '{}', $3::timestamptz + n * interval '1 second'
       from generate_series(1, $4::integer) as n returning id, created_at
     ), numbered as (select id, created_at, row_number() over (order by created_at) as n from made)
     insert into webhook_deliveries (event_id, endpoint_id, status, attempts, tries, due_at, created_at)
     select id, $5, ($6::text[])[n], $7, $7, case ($6::text[])[n] when 'pending' then now() + interval '1 hour' end, created_at
     from numbered where ($6::text[])[n] is not null`,
    [shop.merchantId, event, from, statuses.length, endpointID, statuses, tries],
  )
}

const range = async (asked: Record<string, string> = {}): Promise<Row> => {
  const path = { ...here(), endpointID }
  const answer = await client.call('getDeliveryRange', { path, query: { ...march, ...asked } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const redeliver = async (json: object = {}): Promise<Row> => {
  await query(
    service.database.url,
    `update webhook_endpoints set status = 'enabled', disabled_reason = null where id = $1`,
    [endpointID],
  )
  return (await shop.expect(200, 'redeliverEvents', { json: { endpoint_id: endpointID, ...march, ...json } }))
    .body.data
}

it('a range is counted by what became of its events, and redelivering sends exactly those that were counted', async () => {
  await makeEvents('2025-03-02', 'invoice.paid', ['succeeded', 'failed', 'failed', 'pending', null])
  await makeEvents('2025-03-03', 'invoice.expired', ['failed'])
  await makeEvents('2025-04-02', 'invoice.paid', ['failed'])
  expect(await range()).toEqual({
    succeeded: 1,
    failed: 3,
    untried: 0,
    retrying: 1,
    unsent: 1,
    continue_from: null,
  })
  expect(await range({ events: 'invoice.paid' })).toMatchObject({ failed: 2, succeeded: 1 })
  const named = { only_failed: true, events: ['invoice.paid'] }
  expect(await redeliver(named)).toEqual({ count: 2, continue_from: null })
  expect(await redeliver(named)).toEqual({ count: 0, continue_from: null })
  expect(await redeliver({ only_failed: true })).toEqual({ count: 1, continue_from: null })
})

it('a range of more than 10,000 events is sent in parts, each event exactly once', async () => {
  await makeEvents('2025-03-02', 'invoice.paid', Array(10_003).fill('failed'))
  const first = await redeliver()
  expect(first.count).toBe(10_000)
  expect(await range()).toMatchObject({ continue_from: first.continue_from })
  const rest = await redeliver({ created_after: first.continue_from })
  expect(rest).toEqual({ count: 3, continue_from: null })
})

it('names that are no events, a range that ends before it starts and another merchant’s endpoint are refused', async () => {
  const path = { ...here(), endpointID }
  const status = async (options: { path?: object; query?: object }) =>
    (await client.call('getDeliveryRange', { path, query: march, ...options } as never)).status
  expect(await status({ query: { ...march, events: 'invoice.nothing' } })).toBe(400)
  expect(
    await status({ query: { created_after: march.created_before, created_before: march.created_after } }),
  ).toBe(400)
  const stranger = await openShop(service)
  const theirs = (
    await stranger.expect(201, 'createWebhookEndpoint', { json: { url: 'http://127.0.0.1:9/x' } })
  ).body.data
  expect(await status({ path: { ...here(), endpointID: theirs.id } })).toBe(404)
})

it('figures count the last day and week, how long attempts took, and when the next one is due', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await makeEvents(daysAgo(0.5), 'invoice.paid', ['succeeded', 'succeeded', 'succeeded', 'pending'])
  await makeEvents(daysAgo(3), 'invoice.paid', ['succeeded', 'failed'])
  await makeEvents(daysAgo(8), 'invoice.paid', ['failed', 'failed'])
  await query(
    service.database.url,
    `insert into webhook_attempts (delivery_id, number, attempted_at, duration_ms)
     select id, 1, created_at, 10 * row_number() over (order by created_at desc) from webhook_deliveries where endpoint_id = $1`,
    [endpointID],
  )
  await query(
    service.database.url,
    `update webhook_deliveries set due_at = '2100-01-01' where endpoint_id = $1 and status = 'pending'`,
    [endpointID],
  )
  const answer = await client.call('listEndpointFigures', { path: here() })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toEqual([
    {
      endpoint_id: endpointID,
      day: { succeeded: 3, failed: 0, success_rate: '1.0000', p50_ms: 20, p95_ms: 40, from: null },
      week: { succeeded: 4, failed: 1, success_rate: '0.8000', p50_ms: 30, p95_ms: 60, from: null },
      waiting: 1,
      waiting_has_more: false,
      next_attempt_at: '2100-01-01T00:00:00.000Z',
    },
  ])
})

it('figures of a busy endpoint count its newest 2,000 deliveries, and say since when', async () => {
  const from = new Date(Date.now() - 3_600_000).toISOString()
  await makeEvents(from, 'invoice.paid', [...Array(5).fill('failed'), ...Array(2_000).fill('succeeded')])
  const [{ day }] = (await client.call('listEndpointFigures', { path: here() })).body.data
  expect(day).toMatchObject({ succeeded: 2_000, failed: 0 })
  expect(day.from).toBe(new Date(Date.parse(from) + 6_000).toISOString())
})
