import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
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
