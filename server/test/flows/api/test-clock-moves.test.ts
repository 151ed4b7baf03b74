import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Caller } from '../../../src/domain/caller.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import { maxAheadSeconds } from '../../../src/domain/test-clock.ts'
import { advanceTime } from '../../../src/simulator/helpers/advance-time.ts'
import { longestMs } from '../../../src/simulator/helpers/settle-gate.ts'
import { query } from '../../support/database/database.ts'
import {
  answering,
  appendEvent,
  createEndpoint,
  delivered,
  postpone,
  startHookReceiver,
} from '../../support/servers/hook-receiver.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const nothing = { invoices: 0, payouts: 0, webhook_deliveries: 0 }
const slackMs = 60_000

const clock = async (shop: Shop): Promise<Row> => (await shop.expect(200, 'getTestClock')).body.data
const expectAhead = (moment: string, seconds: number) =>
  expect(Math.abs(Date.parse(moment) - Date.now() - seconds * 1000), moment).toBeLessThan(slackMs)

it('a move happens whole or not at all', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const receiver = await startHookReceiver()
  const run = (statement: string) => query(service.database.url, statement)
  try {
    await createEndpoint(shop, { url: receiver.url })
    receiver.answer = answering(503)
    const event = await appendEvent(shop)
    await delivered(shop, event, { status: 'pending', attempts: 1 })
    await postpone(shop, event)
    await run(
      `create function fail_move() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
    )
    await run(
      'create trigger fail_moves before insert on test_clock_moves for each row execute function fail_move()',
    )
    const json = { advance_seconds: 2 * hour, idempotency_key: 'once' }
    await shop.expect(500, 'advanceTestClock', { json })
    await run('drop function fail_move() cascade')
    expect(await clock(shop)).toMatchObject({ ahead_seconds: 0 })
    expect((await shop.get(invoice)).status).toBe('pending')
    await delivered(shop, event, { status: 'pending', attempts: 1 })
    const again = await shop.expect(200, 'advanceTestClock', { json })
    expect(again.body.data).toMatchObject({
      ahead_seconds: 2 * hour,
      due: { invoices: 1, webhook_deliveries: 1 },
    })
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect((await shop.get(invoice)).status).toBe('expired')
  } finally {
    await receiver.close()
  }
})

it('a network that is halted holds up no move', async () => {
  const shop = await openShop(service)
  const network = { currency: 'LTC', network: 'litecoin' }
  const stuck = await shop.create({ ...network, amount: '1' })
  const chain = await service.app.store.followedChains.find('litecoin-test')
  await service.app.store.followedChains.halt('litecoin-test', chain?.revision ?? 0n, 'for a test')
  const startedMs = performance.now()
  expect(await shop.advance(hour)).toEqual({ ...nothing, invoices: 1 })
  expect(performance.now() - startedMs).toBeLessThan(longestMs)
  expect((await shop.get(stuck)).status).toBe('pending')
  await service.app.store.followedChains.endHalt('litecoin-test')
  await expect.poll(async () => (await shop.get(stuck)).status).toBe('expired')
})

it('a move that was made is not reported as failed because the database is away afterwards', async () => {
  const shop = await openShop(service)
  await shop.create()
  const { store } = service.app
  const testClocks = {
    ...store.testClocks,
    gatesOfDueInvoices: () => Promise.reject(new OutageError('The database is away.')),
  }
  const advance = { seconds: hour, to: null, idempotencyKey: null }
  const app = { ...service.app, store: { ...store, testClocks } }
  const caller: Caller = {
    actor: 'key:test',
    person: null,
    merchantId: shop.merchantId,
    environment: 'test',
    permissions: new Set(),
    merchant: { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 },
  }
  const { move } = await advanceTime(app, caller, advance, {})
  expect(move).toMatchObject({ aheadSeconds: hour, brought: { invoices: 1 } })
})

it('another process sees a move at once', async () => {
  const shop = await openShop(service)
  const second = await startTestService({ ...quiet, database: service.database })
  try {
    const there = new Shop(second, shop.merchantId, shop.key)
    const invoice = await there.create()
    expectAhead(invoice.created_at, 0)
    for (const days of [1, 2]) {
      await shop.advance(day)
      expectAhead((await there.create()).created_at, days * day)
      expect((await clock(there)).ahead_seconds).toBe(days * day)
    }
    expect((await there.get(invoice)).status).toBe('expired')
  } finally {
    await second.stop()
  }
})

it('concurrent moves add up, and a repeated request moves the clock once', async () => {
  const shop = await openShop(service)
  const key = (idempotency_key: string, advance_seconds = 60) =>
    shop.call('advanceTestClock', { json: { advance_seconds, idempotency_key } })
  const moves = await Promise.all([
    ...Array.from({ length: 5 }, (_, n) => key(`one of five: ${n}`)),
    ...Array.from({ length: 5 }, () => key('the same')),
  ])
  expect(moves.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect((await clock(shop)).ahead_seconds).toBe(6 * minute)
  const same = moves.slice(5)
  expect(new Set(same.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
  expect(same.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(4)
  expect((await key('the same', 61)).body.error.code).toBe('idempotency_key_mismatch')
  // Another merchant's keys are its own.
  const other = await openShop(service)
  const json = { advance_seconds: 5, idempotency_key: 'the same' }
  expect((await other.expect(200, 'advanceTestClock', { json })).body.data.ahead_seconds).toBe(5)
})

it('a clock moves to a time, forward and within bounds only, and says what is wrong otherwise', async () => {
  const shop = await openShop(service)
  const to = new Date(Date.now() + 10 * day * 1000).toISOString()
  const moved = (await shop.expect(200, 'advanceTestClock', { json: { advance_to: to } })).body.data
  expect(Date.parse(moved.now)).toBeGreaterThanOrEqual(Date.parse(to))
  expect(Date.parse(moved.now) - Date.parse(to)).toBeLessThan(1000)

  const refused = async (json: object) =>
    (await shop.expect(400, 'advanceTestClock', { json })).body.error.details?.[0]
  expect(await refused({ advance_to: to })).toContain('/advance_to: must be later than')
  expect(await refused({ advance_to: '2999-01-01T00:00:00Z' })).toContain(
    '/advance_to: must be at most 366 days',
  )
  expect(await refused({})).toContain('/advance_seconds: is required, or advance_to')
  expect(await refused({ advance_seconds: 1, advance_to: to })).toContain('send one of the two')
  for (const seconds of [0, -1, 1.5, 31_622_401, '60'])
    expect(await refused({ advance_seconds: seconds }), String(seconds)).toContain('/advance_seconds')
  expect(await refused({ advance_to: 'tomorrow' })).toContain('/advance_to')
  expect((await clock(shop)).ahead_seconds).toBe(moved.ahead_seconds)

  for (let years = 0; years < 9; years++) await shop.advance(366 * day)
  await shop.advance(maxAheadSeconds - 9 * 366 * day - moved.ahead_seconds)
  expect(await refused({ advance_seconds: 1 })).toContain('at most 3,660 days ahead')
})

it('the live environment has no clock to move', async () => {
  const shop = await openShop(service)
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  for (const operation of ['getTestClock', 'advanceTestClock']) {
    const body = operation === 'getTestClock' ? undefined : JSON.stringify({ advance_seconds: 60 })
    const answer = await call(service.url, operation, { key, ...(body !== undefined && { body }) })
    expect(answer.status, operation).toBe(401)
  }
  await expect(
    query(service.database.url, `insert into test_clocks values ($1, 'live', interval '1 hour')`, [
      shop.merchantId,
    ]),
  ).rejects.toThrow('test_clocks_environment_check')
  await shop.advance(day)
  const rows = await query(
    service.database.url,
    `select merchant_now($1, 'live') - clock_timestamp() as now, merchant_time($1, 'live', 'epoch') = 'epoch' as same,
       merchant_now($1, 'live') < clock_timestamp() + interval '1 minute' as real`,
    [shop.merchantId],
  )
  expect(rows).toMatchObject([{ same: true, real: true }])
})

it('a live row in the table moves nothing that is live', async () => {
  const own = await startTestService(quiet)
  const { database } = own
  try {
    const shop = await openShop(own)
    const invoice = await shop.create()
    const run = (statement: string) => query(database.url, statement, [shop.merchantId])
    await query(database.url, 'alter table test_clocks drop constraint test_clocks_environment_check')
    await run(`insert into test_clocks values ($1, 'live', interval '1 hour')`)
    await run(`update invoices set environment = 'live' where merchant_id = $1`)
    const { visits, testClocks } = own.app.store
    expect(await visits.byIds([invoice.id])).toMatchObject([{ aheadMs: 0 }])
    expect(await testClocks.aheadMs({ merchantId: shop.merchantId, environment: 'live' })).toBe(0)
    const [now] = await run(
      `select merchant_now($1, 'live') - clock_timestamp() < interval '1 minute' as real`,
    )
    expect(now).toEqual({ real: true })
  } finally {
    await own.stop()
  }
})

it('a clock never goes back, not even by the owner of the tables', async () => {
  const shop = await openShop(service)
  await shop.advance(day)
  const back = (sql: string) => query(service.database.url, sql, [shop.merchantId])
  await expect(back(`update test_clocks set ahead = '1 hour' where merchant_id = $1`)).rejects.toThrow(
    'never goes back',
  )
  await expect(back('delete from test_clock_moves where merchant_id = $1')).rejects.toThrow('refused')
})
