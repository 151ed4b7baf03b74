import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let key: string
let liveKey: string
const names = ['invoice.confirming', 'invoice.payment_detected', 'invoice.paid'] as const

beforeAll(async () => {
  service = await startTestService()
  const merchantId = await service.makeMerchant()
  key = (await service.makeKey(merchantId)).key
  liveKey = (await service.makeKey(merchantId, { environment: 'live' })).key
  for (let n = 0; n < 45; n++) {
    const event = names[n % names.length] as (typeof names)[number]
    await service.app.store.events.append({
      id: uuidv7(service.app.now()),
      merchantId,
      environment: 'test',
      event,
      data: { n, html: '<script>alert(1)</script>' },
      resourceId: null,
    })
  }
})
afterAll(() => service.stop())

it('events are paged newest first, without gap or repeat, until has_more is false', async () => {
  const seen: number[] = []
  for (let offset = 0; ; offset += 20) {
    const { body } = await call(service.url, 'listEvents', { key, query: { offset: String(offset) } })
    expect(body.meta.pagination).toMatchObject({ total: 45, limit: 20, offset })
    seen.push(...body.data.map((event: { data: { n: number } }) => event.data.n))
    if (!body.meta.pagination.has_more) break
  }
  expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => 44 - n))
})

it('a page past the end keeps the exact total', async () => {
  const { body } = await call(service.url, 'listEvents', { key, query: { offset: '1000' } })
  expect(body.data).toEqual([])
  expect(body.meta.pagination).toEqual({ total: 45, limit: 20, offset: 1000, has_more: false })
})

it('the largest page and the largest offset are accepted', async () => {
  const largest = { limit: '100', offset: String(Number.MAX_SAFE_INTEGER) }
  expect((await call(service.url, 'listEvents', { key, query: largest })).status).toBe(200)
})

it('events are filtered by their exact name', async () => {
  const { body } = await call(service.url, 'listEvents', {
    key,
    query: { event: 'invoice.paid', limit: '100' },
  })
  expect(body.meta.pagination.total).toBe(15)
  expect(new Set(body.data.map((event: { event: string }) => event.event))).toEqual(new Set(['invoice.paid']))
  const injected = await call(service.url, 'listEvents', { key, query: { event: "' or true --" } })
  expect(injected.body.data).toEqual([])
})

it('a live key sees no event of the test environment', async () => {
  const { body } = await call(service.url, 'listEvents', { key: liveKey })
  expect(body.meta.pagination.total).toBe(0)
})

it('one event is returned for its id in either case', async () => {
  const { body: list } = await call(service.url, 'listEvents', { key })
  const [first] = list.data
  const { body } = await call(service.url, 'getEvent', { key, path: { eventID: first.id } })
  expect(body.data).toEqual({ ...first, deliveries: [] })
  const upper = `evt_${first.id.slice(4).toUpperCase()}`
  expect((await call(service.url, 'getEvent', { key, path: { eventID: upper } })).body.data).toEqual(
    body.data,
  )
})

it.each([
  ['update events set event = $$x$$', 'events is append-only'],
  ['delete from events', 'is younger than 90 days: delete refused'],
  ['truncate events cascade', 'events is append-only'],
])('the database itself refuses to rewrite history: %s', async (statement, refusal) => {
  await expect(query(service.database.url, statement)).rejects.toThrow(refusal)
})
