import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { query } from '../../support/database/database.ts'
import {
  appendEvent,
  createEndpoint,
  delivered,
  eventOf,
  eventually,
  type HookReceiver,
  sendTestEvent,
  startHookReceiver,
  verify,
} from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let receiver: HookReceiver
let shop: Shop

beforeAll(async () => {
  service = await startTestService(quiet)
})
beforeEach(async () => {
  // One receiver per test: retries left by an earlier test must not arrive here.
  receiver = await startHookReceiver()
  shop = await openShop(service)
})
afterEach(() => receiver.close())
afterAll(() => service.stop())

const path = ({ id }: { id: string }) => ({ path: { endpointID: id } })
const always = { created_after: '2020-01-01T00:00:00Z', created_before: '2100-01-01T00:00:00Z' }

it('each event of an invoice is delivered once, signed, exactly as the API shows it', async () => {
  const { id: endpointId, secret } = await createEndpoint(shop, { url: receiver.url })
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  const events = await shop.events()
  expect(events.map(({ event }) => event)).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ])
  for (const event of events) {
    const delivery = await delivered(shop, event, { status: 'succeeded', attempts: 1 })
    expect(delivery).toMatchObject({ endpoint_id: endpointId, url: receiver.url, next_attempt_at: null })
    const [hook, ...more] = receiver.of(event)
    if (hook === undefined) throw new Error(`${event.event} did not arrive`)
    expect(more).toEqual([])
    const { position, ...shown } = event
    expect(position).toMatch(/^[1-9]\d*$/)
    expect(hook.body).toEqual(shown)
    expect(verify(secret, hook)).toEqual(shown)
    expect(hook.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Sluice-Webhooks/1',
    })
  }
  expect(receiver.hooks).toHaveLength(4)
  const paid = events[3]
  expect(Object.keys(paid.data).sort()).toEqual(Object.keys(invoice).sort())
  expect(paid.data).toMatchObject({ id: invoice.id, status: 'paid', amount_paid: '0.01' })
  expect(Object.keys(events[2].data).sort()).toEqual([
    'amount',
    'available',
    'currency',
    'entry_type',
    'invoice_id',
    'ledger_entry_id',
    'network',
  ])
})

it('text of any script is sent unchanged, and every attempt sends the same bytes', async () => {
  const { secret } = await createEndpoint(shop, { url: receiver.url })
  receiver.answer = (response) => response.writeHead(receiver.hooks.length === 1 ? 500 : 200).end()
  const data = {
    note: 'Grüße 🚰 \u2028 "quoted" \\ </script>',
    big: '123456789012345678901234567890',
    n: 1.5,
  }
  const event = await appendEvent(shop, { data })
  await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  const [first, second] = receiver.of(event)
  expect(first?.text).toBe(second?.text)
  expect(first?.body.data).toEqual(data)
  for (const hook of receiver.of(event)) expect(verify(secret, hook)).toEqual(hook.body)
})

it('every subscribed endpoint gets the event, signed with its own secret', async () => {
  const made = []
  for (let n = 0; n < 3; n++) made.push(await createEndpoint(shop, { url: `${receiver.url}/${n}` }))
  const event = await appendEvent(shop)
  await receiver.received(3)
  for (const [n, { secret }] of made.entries()) {
    const [hook, ...more] = receiver.of(event).filter((each) => each.path === `/hooks/${n}`)
    if (hook === undefined) throw new Error(`endpoint ${n} received nothing`)
    expect(more).toEqual([])
    expect(verify(secret, hook)).toEqual(hook.body)
    for (const { secret: other } of made.filter((_, at) => at !== n))
      expect(() => verify(other, hook)).toThrow('No matching signature')
  }
})

it('an event and its deliveries are written in one transaction', async () => {
  await createEndpoint(shop, { url: receiver.url })
  const client = new pg.Client({ connectionString: service.database.url })
  await client.connect()
  const count = async () =>
    (
      await client.query('select count(*)::integer as count from webhook_deliveries where event_id = $1', [
        id,
      ])
    ).rows[0].count
  const id = uuidv7(service.app.now())
  try {
    await client.query('begin')
    await client.query(
      `insert into events (id, merchant_id, environment, event, data) values ($1, $2, 'test', 'invoice.paid', '{}')`,
      [id, shop.merchantId],
    )
    expect(await count()).toBe(1)
    await client.query('rollback')
    expect(await count()).toBe(0)
  } finally {
    await client.end()
  }
  await shop.expect(404, 'getEvent', { path: { eventID: `evt_${id}` } })
  // A later event arrives; the rolled-back one would have arrived by then.
  await delivered(shop, await appendEvent(shop), { status: 'succeeded' })
  expect(receiver.of({ id: `evt_${id}` })).toEqual([])
})

it('an endpoint receives nothing from before its creation, from another merchant or from the other environment', async () => {
  const before = await appendEvent(shop)
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  const stranger = await openShop(service)
  const foreign = await appendEvent(stranger)
  const live = await appendEvent(shop, { environment: 'live' })
  const own = await appendEvent(shop)
  await delivered(shop, own, { status: 'succeeded', endpoint_id: endpoint.id })
  expect(receiver.hooks.map(({ id }) => id)).toEqual([own.id])
  expect((await eventOf(shop, before)).deliveries).toEqual([])
  expect((await eventOf(stranger, foreign)).deliveries).toEqual([])
  const sent = await query(service.database.url, 'select 1 from webhook_deliveries where event_id = $1', [
    live.id.slice(4),
  ])
  expect(sent).toEqual([])
})

it('a test event goes only to the chosen endpoint, whatever it subscribes to', async () => {
  await createEndpoint(shop, { url: `${receiver.url}/other` })
  const picky = await createEndpoint(shop, { url: `${receiver.url}/picky`, events: ['invoice.paid'] })
  const event = await sendTestEvent(shop, picky)
  expect(event).toMatchObject({ event: 'webhook.test', environment: 'test' })
  await delivered(shop, event, { status: 'succeeded', endpoint_id: picky.id })
  expect(receiver.hooks.map((hook) => [hook.path, hook.id])).toEqual([['/hooks/picky', event.id]])
  expect(verify(picky.secret, receiver.hooks[0] as never)).toMatchObject({ event: 'webhook.test' })
})

it('an event is redelivered under the same id to every endpoint that had it, or to a named one', async () => {
  const first = await createEndpoint(shop, { url: `${receiver.url}/first` })
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'succeeded' })
  const second = await createEndpoint(shop, { url: `${receiver.url}/second` })
  const again = (await shop.expect(200, 'redeliverEvent', { path: { eventID: event.id } })).body.data
  expect(again.deliveries).toMatchObject([{ endpoint_id: first.id }])
  await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  const json = { endpoint_id: second.id }
  await shop.expect(200, 'redeliverEvent', { path: { eventID: event.id }, json })
  await eventually(async () =>
    expect((await eventOf(shop, event)).deliveries).toMatchObject([
      { endpoint_id: first.id, status: 'succeeded', attempts: 2 },
      { endpoint_id: second.id, status: 'succeeded', attempts: 1 },
    ]),
  )
  expect(receiver.of(event).map((hook) => hook.path)).toEqual([
    '/hooks/first',
    '/hooks/first',
    '/hooks/second',
  ])
})

it('a range redelivers everything the endpoint subscribes to in it, or only what failed', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url, events: ['invoice.paid', 'webhook.test'] })
  const events = []
  for (let n = 0; n < 4; n++) {
    const event = await appendEvent(shop, { event: 'invoice.paid' })
    events.push(event)
    // Spread out, because the API shows times only to the millisecond.
    await expect
      .poll(() =>
        query(
          service.database.url,
          `select from events where id = $1 and created_at < clock_timestamp() - interval '2 milliseconds'`,
          [event.id.slice(4)],
        ),
      )
      .toHaveLength(1)
  }
  await appendEvent(shop, { event: 'invoice.expired' })
  for (const event of events) await delivered(shop, event, { status: 'succeeded' })
  await query(
    service.database.url,
    `update webhook_deliveries set status = 'failed' where event_id = any($1::uuid[])`,
    [events.slice(0, 2).map(({ id }) => id.slice(4))],
  )
  const ask = async (json: object) =>
    (await shop.expect(200, 'redeliverEvents', { json: { endpoint_id: endpoint.id, ...always, ...json } }))
      .body.data.count
  expect(await ask({ only_failed: true })).toBe(2)
  for (const event of events.slice(0, 2)) await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  expect(await ask({ only_failed: true })).toBe(0)
  const middle = (await eventOf(shop, events[2] as { id: string })).created_at
  expect(await ask({ created_before: middle })).toBe(2)
  for (const event of events.slice(0, 2)) await delivered(shop, event, { status: 'succeeded', attempts: 3 })
  expect(await ask({})).toBe(4)
  for (const event of events.slice(2)) await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  const late = { created_after: '2100-01-01T00:00:00Z', created_before: '2101-01-01T00:00:00Z' }
  expect(await ask(late)).toBe(0)
  const json = { endpoint_id: endpoint.id, created_after: middle, created_before: middle }
  await shop.expect(400, 'redeliverEvents', { json })
})

it('events from before an endpoint’s creation can be redelivered to it', async () => {
  const events = [await appendEvent(shop), await appendEvent(shop)]
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  const { body } = await shop.expect(200, 'redeliverEvents', {
    json: { endpoint_id: endpoint.id, ...always },
  })
  expect(body.data.count).toBe(2)
  for (const event of events) await delivered(shop, event, { status: 'succeeded' })
})

it('neither another merchant’s event nor an event to another merchant’s endpoint can be redelivered', async () => {
  const stranger = await openShop(service)
  const theirs = await createEndpoint(stranger, { url: `${receiver.url}/theirs` })
  const foreign = await appendEvent(stranger)
  await delivered(stranger, foreign, { status: 'succeeded' })
  const own = await appendEvent(shop)
  await shop.expect(404, 'redeliverEvent', { path: { eventID: foreign.id } })
  const json = { endpoint_id: theirs.id }
  await shop.expect(404, 'redeliverEvent', { path: { eventID: own.id }, json })
  expect((await eventOf(shop, own)).deliveries).toEqual([])
})

it('an event still shows its deliveries to a deleted endpoint', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'succeeded' })
  await shop.expect(200, 'deleteWebhookEndpoint', path(endpoint))
  await delivered(shop, event, { status: 'succeeded', endpoint_id: endpoint.id, attempts: 1 })
  await shop.expect(200, 'redeliverEvent', { path: { eventID: event.id } })
  await delivered(shop, event, { status: 'succeeded', attempts: 1 })
})
