import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../support/database/database.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { appendEvents, makeEndpoint } from '../support/shop/webhook-shop.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('forgetting deletes only old finished deliveries with their attempts, in batches, and keeps the events', async () => {
  const { app, database } = service
  const merchantId = await service.makeMerchant()
  const { id } = await makeEndpoint(app, merchantId, 'http://127.0.0.1:9/hook')
  // Nothing is sent meanwhile.
  await query(database.url, `update webhook_endpoints set status = 'deleted' where id = $1`, [id])
  const ids = await appendEvents(app, merchantId, 40)
  await query(
    database.url,
    `insert into webhook_deliveries (event_id, endpoint_id, status, due_at, created_at)
     select id, $1, case kind when 0 then 'pending' when 1 then 'failed' else 'succeeded' end,
       case kind when 0 then clock_timestamp() end, clock_timestamp() - case when age = 0 then 89 else 91 end * interval '1 day'
     from (select id, nth % 4 as kind, nth / 4 % 2 as age from unnest($2::uuid[]) with ordinality as given (id, nth)) as given`,
    [id, ids.map((each) => each.slice('evt_'.length))],
  )
  await query(
    database.url,
    `insert into webhook_attempts (delivery_id, number, attempted_at, duration_ms)
     select id, 1, created_at, 1 from webhook_deliveries`,
  )
  const old = `created_at < clock_timestamp() - interval '90 days'`
  const count = async (where: string) =>
    (await query(database.url, `select from webhook_deliveries where ${where}`)).length
  const done = await count(`status <> 'pending' and ${old}`)
  const [kept, keptPending] = [await count(`not (${old})`), await count(`status = 'pending' and ${old}`)]
  expect(Math.min(done, kept, keptPending)).toBeGreaterThan(0)

  const forgotten = []
  do forgotten.push(await app.store.webhookDeliveries.forget(90, 6))
  while (forgotten.at(-1) !== 0)
  expect(forgotten.reduce((sum, each) => sum + each)).toBe(done)
  expect(Math.max(...forgotten)).toBe(6)
  expect(await count(`not (${old})`)).toBe(kept)
  expect(await count(`status = 'pending' and ${old}`)).toBe(keptPending)
  expect(await query(database.url, 'select from webhook_attempts')).toHaveLength(kept + keptPending)
  expect(await query(database.url, 'select from events')).toHaveLength(ids.length)
})

it('a delivery that is asked for again while its attempt is under way is sent again after any end of that attempt', async () => {
  const { app, database } = service
  const merchantId = await service.makeMerchant()
  const { id } = await makeEndpoint(app, merchantId, 'http://127.0.0.1:9/hook')
  // Nothing is sent meanwhile.
  await query(database.url, `update webhook_endpoints set status = 'deleted' where id = $1`, [id])
  const { webhookDeliveries } = app.store
  for (const succeeded of [true, false])
    for (const isAskedAgain of [true, false]) {
      const [name = ''] = await appendEvents(app, merchantId, 1)
      const eventId = name.slice('evt_'.length)
      await query(
        database.url,
        `insert into webhook_deliveries (event_id, endpoint_id, status, claimed, due_at)
         values ($1, $2, 'pending', true, clock_timestamp() + interval '1 minute')`,
        [eventId, id],
      )
      const [underWay] = await webhookDeliveries.ofEvent(eventId)
      if (isAskedAgain) await webhookDeliveries.askAgain(eventId, [id])
      const answer = {
        statusCode: 200,
        durationMs: 3,
        error: null,
        answer: null,
        signedAt: 1,
        signature: 'v1',
      }
      const settled = { retryInMs: null, disableReason: null, succeeded }
      await webhookDeliveries.saveResults(
        [{ ...answer, ...settled, deliveryId: underWay?.id ?? '', endpointId: id }],
        7,
      )
      const [then] = await webhookDeliveries.ofEvent(eventId)
      const ended = succeeded ? 'succeeded' : 'failed'
      expect(then).toMatchObject({ attempts: 1, status: isAskedAgain ? 'pending' : ended })
      expect(then?.log).toHaveLength(1)
      const due = await query(
        database.url,
        `select claimed, tries from webhook_deliveries where event_id = $1 and due_at <= clock_timestamp()`,
        [eventId],
      )
      expect(due).toEqual(isAskedAgain ? [{ claimed: false, tries: 0 }] : [])
    }
})
