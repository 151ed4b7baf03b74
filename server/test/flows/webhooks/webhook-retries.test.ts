import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  answering,
  appendEvent,
  createEndpoint,
  delivered,
  eventOf,
  eventually,
  type HookReceiver,
  makeDue,
  postpone,
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
const shown = async (endpoint: { id: string }) =>
  (await shop.expect(200, 'getWebhookEndpoint', path(endpoint))).body.data

/** Seconds from the last attempt to the next. */
function waitOf(delivery: { last_attempt_at: string; next_attempt_at: string }): number {
  return (Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)) / 1000
}

/** Pretends that the schedule has reached this try. */
async function setTries(event: { id: string }, tries: number): Promise<void> {
  await query(service.database.url, 'update webhook_deliveries set tries = $2 where event_id = $1', [
    event.id.slice(4),
    tries,
  ])
}

it('a delivery answered with 5xx is retried on the schedule, signed anew, until it is accepted', async () => {
  const { secret } = await createEndpoint(shop, { url: receiver.url })
  receiver.answer = (response) => response.writeHead(502).end('upstream is away')
  const event = await appendEvent(shop)
  const first = await delivered(shop, event, { status: 'pending', attempts: 1 })
  expect(waitOf(first)).toBeGreaterThan(4.4)
  expect(waitOf(first)).toBeLessThan(5.6)
  await makeDue(shop, event)
  const second = await delivered(shop, event, { status: 'pending', attempts: 2 })
  expect(waitOf(second)).toBeGreaterThan(269)
  expect(waitOf(second)).toBeLessThan(331)
  receiver.answer = answering(200)
  await makeDue(shop, event)
  const third = await delivered(shop, event, { status: 'succeeded', attempts: 3, next_attempt_at: null })
  expect(third.attempt_log).toMatchObject([
    { number: 1, status_code: 502, error: 'It answered with a status other than 2xx.', answer: null },
    { number: 2, status_code: 502, error: 'It answered with a status other than 2xx.', answer: null },
    { number: 3, status_code: 200, error: null, answer: null },
  ])
  for (const { at, duration_ms: ms } of third.attempt_log) {
    expect(ms).toBeGreaterThanOrEqual(0)
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(third.last_attempt_at))
  }
  const hooks = receiver.of(event)
  expect(hooks).toHaveLength(3)
  expect(new Set(hooks.map(({ text }) => text)).size).toBe(1)
  for (const hook of hooks) expect(verify(secret, hook)).toEqual(hook.body)
})

it('the answer of a host that only the operator’s allow list opens is never shown', async () => {
  await createEndpoint(shop, { url: receiver.url })
  receiver.answer = (response) => response.writeHead(500).end('root:x:0:0')
  const event = await appendEvent(shop)
  await delivered(shop, event, { attempts: 1, attempt_log: [{ number: 1, status_code: 500, answer: null }] })
  expect(JSON.stringify(await eventOf(shop, event))).not.toContain('root:x')
})

it.each([301, 302, 303, 307, 308])('a redirect is a failure and is not followed: %i', async (status) => {
  const elsewhere = await startHookReceiver()
  try {
    await createEndpoint(shop, { url: receiver.url })
    receiver.answer = answering(status, { location: elsewhere.url })
    const event = await appendEvent(shop)
    await delivered(shop, event, { status: 'pending', attempts: 1, attempt_log: [{ status_code: status }] })
    expect(elsewhere.hooks).toEqual([])
  } finally {
    await elsewhere.close()
  }
})

it.each([
  ['7200', 7200],
  ['999999999', 24 * 3600],
])('a retry waits as long as Retry-After asks, at most a day: %s', async (header, seconds) => {
  await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(429, { 'retry-after': header })
  const event = await appendEvent(shop)
  const delivery = await delivered(shop, event, { status: 'pending', attempts: 1 })
  expect(Math.abs(waitOf(delivery) - seconds)).toBeLessThan(1)
})

it('Retry-After never shortens the wait', async () => {
  await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(503, { 'retry-after': '0' })
  const event = await appendEvent(shop)
  const delivery = await delivered(shop, event, { status: 'pending', attempts: 1 })
  expect(waitOf(delivery)).toBeGreaterThan(4.4)
})

it('a delivery to an unreachable receiver is retried, and the log says what happened', async () => {
  const gone = await startHookReceiver()
  await gone.close()
  await createEndpoint(shop, { url: gone.url })
  const event = await appendEvent(shop)
  const { attempt_log: log } = await delivered(shop, event, { status: 'pending', attempts: 1 })
  expect(log).toMatchObject([
    {
      status_code: null,
      error: 'No answer: connection refused (ECONNREFUSED).',
      error_reasons: [{ code: 'no_answer_connection_refused_code', values: { error: 'ECONNREFUSED' } }],
      answer: null,
    },
  ])
})

it('after the last attempt a delivery has failed, and can still be redelivered with a new schedule', async () => {
  await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(500)
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  await setTries(event, 8)
  await makeDue(shop, event)
  const ninth = await delivered(shop, event, { status: 'pending', attempts: 2 })
  expect(waitOf(ninth)).toBeGreaterThan(0.89 * 24 * 3600)
  await makeDue(shop, event)
  await delivered(shop, event, { status: 'failed', attempts: 3, next_attempt_at: null })
  await shop.expect(200, 'redeliverEvent', { path: { eventID: event.id } })
  const again = await delivered(shop, event, { status: 'pending', attempts: 4 })
  expect(waitOf(again)).toBeLessThan(5.6)
  receiver.answer = answering(204)
  await makeDue(shop, event)
  await delivered(shop, event, { status: 'succeeded', attempts: 5 })
})

it('410 disables the endpoint and gives up its deliveries, and after enabling it gets only new events', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(500)
  const waiting = await appendEvent(shop)
  await delivered(shop, waiting, { status: 'pending', attempts: 1 })
  await postpone(shop, waiting)
  receiver.answer = answering(410)
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'failed', attempts: 1, attempt_log: [{ status_code: 410 }] })
  await delivered(shop, waiting, { status: 'failed', attempts: 1, next_attempt_at: null })
  const disabled = await shown(endpoint)
  expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'It answered 410 Gone.' })
  expect(disabled.disabled_at).not.toBeNull()
  const missed = await appendEvent(shop)
  expect((await eventOf(shop, missed)).deliveries).toEqual([])
  await shop.expect(409, 'testWebhookEndpoint', path(endpoint))
  const json = { endpoint_id: endpoint.id }
  await shop.expect(409, 'redeliverEvent', { path: { eventID: event.id }, json })
  receiver.answer = answering(204)
  const enabled = (await shop.expect(200, 'enableWebhookEndpoint', path(endpoint))).body.data
  expect(enabled).toMatchObject({ status: 'enabled', disabled_reason: null, disabled_at: null })
  await delivered(shop, await appendEvent(shop), { status: 'succeeded', attempts: 1 })
  expect(receiver.hooks).toHaveLength(3)
  const range = { created_after: '2020-01-01T00:00:00Z', created_before: '2100-01-01T00:00:00Z' }
  const { body } = await shop.expect(200, 'redeliverEvents', {
    json: { endpoint_id: endpoint.id, ...range, only_failed: true },
  })
  expect(body.data.count).toBe(2)
  await delivered(shop, waiting, { status: 'succeeded', attempts: 2 })
  await delivered(shop, event, { status: 'succeeded', attempts: 2 })
})

it('an endpoint that accepted nothing for five days is disabled with the reason', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(500)
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  const failFor = (days: number) =>
    query(
      service.database.url,
      `update webhook_endpoints set failing_since = clock_timestamp() - $2 * interval '1 day' where id = $1`,
      [endpoint.id, days],
    )
  await failFor(4.9)
  await makeDue(shop, event)
  await delivered(shop, event, { status: 'pending', attempts: 2 })
  expect(await shown(endpoint)).toMatchObject({ status: 'enabled' })
  await failFor(5.1)
  await makeDue(shop, event)
  await delivered(shop, event, { status: 'failed', attempts: 3 })
  expect(await shown(endpoint)).toMatchObject({
    status: 'disabled',
    disabled_reason: 'It accepted nothing for 5 days.',
  })
})

it('one success restarts the five days', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  await query(
    service.database.url,
    `update webhook_endpoints set failing_since = clock_timestamp() - interval '6 days' where id = $1`,
    [endpoint.id],
  )
  await delivered(shop, await appendEvent(shop), { status: 'succeeded' })
  receiver.answer = answering(500)
  await delivered(shop, await appendEvent(shop), { status: 'pending', attempts: 1 })
  expect(await shown(endpoint)).toMatchObject({ status: 'enabled' })
})

it('a killed worker’s claimed delivery waits until the claim expires, and another worker then sends it', async () => {
  await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(500)
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  receiver.answer = answering(204)
  await query(
    service.database.url,
    `update webhook_deliveries set claimed = true, due_at = clock_timestamp() + interval '1 hour' where event_id = $1`,
    [event.id.slice(4)],
  )
  await delivered(shop, await appendEvent(shop), { status: 'succeeded' })
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  await makeDue(shop, event)
  await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  expect(receiver.of(event)).toHaveLength(2)
})

it('a retry left by a stopped service is sent by another one on the same database', async () => {
  const first = await startTestService({ ...quiet, database: service.database })
  const there = await openShop(first)
  await createEndpoint(there, { url: receiver.url })
  receiver.answer = answering(500)
  const event = await appendEvent(there)
  await delivered(there, event, { status: 'pending', attempts: 1 })
  await first.stop()
  receiver.answer = answering(204)
  await makeDue(shop, event)
  await eventually(() => expect(receiver.of(event)).toHaveLength(2))
})

it('a retry that waits is sent once the merchant’s clock passes its time, signed with the real time', async () => {
  const other = await openShop(service)
  const { secret } = await createEndpoint(shop, { url: receiver.url })
  await createEndpoint(other, { url: receiver.url })
  receiver.answer = answering(503)
  const event = await appendEvent(shop)
  const theirs = await appendEvent(other)
  for (const [each, its] of [
    [shop, event],
    [other, theirs],
  ] as const) {
    await delivered(each, its, { status: 'pending', attempts: 1 })
    await postpone(each, its)
  }
  receiver.answer = answering(200)
  expect(await shop.advance(2 * 3600)).toMatchObject({ webhook_deliveries: 1 })
  await delivered(shop, event, { status: 'succeeded', attempts: 2 })
  const hook = receiver.of(event).at(-1)
  if (hook === undefined) throw new Error('No webhook came.')
  // Verifying refuses a timestamp that is minutes away.
  expect(verify(secret, hook)).toEqual(hook.body)
  expect(receiver.of(theirs)).toHaveLength(1)

  const later = await appendEvent(shop)
  await delivered(shop, later, { status: 'succeeded', attempts: 1 })
  const aheadMs = Date.parse(receiver.of(later)[0]?.body.created_at) - Date.now()
  expect(Math.abs(aheadMs - 2 * 3_600_000)).toBeLessThan(60_000)
})

it('an endpoint that has failed for days by the merchant’s clock is disabled by its next failure', async () => {
  const endpoint = await createEndpoint(shop, { url: receiver.url })
  receiver.answer = answering(500)
  const event = await appendEvent(shop)
  await delivered(shop, event, { status: 'pending', attempts: 1 })
  await shop.advance(10 * 24 * 3600)
  await eventually(async () => expect((await shown(endpoint)).status).toBe('disabled'))
})
