import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { planPayouts } from '../../../src/app/spends/planning/plan-payouts.ts'
import { lookAtSpends } from '../../../src/app/spends/settling/look-at-spends.ts'
import type { Fate } from '../../../src/domain/spends.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import {
  approveTogether,
  arrivals,
  attemptsOf,
  expectCleanBooks,
  gateOf,
  hurry,
  newAddress,
  payOutTo,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-contention-'))
let database: TestDatabase
let service: TestService
let twin: TestService
beforeAll(async () => {
  database = await createTestDatabase()
  // Two of everything on one database and one wallet folder: two planners, two spend checkers, two signers.
  const options = { ...quiet, database, env: { ...quiet.env, SLUICE_DATA_DIR: folder } }
  service = await startTestService(options)
  twin = await startTestService(options)
})
afterAll(async () => {
  await stopFirst()
  await twin.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => expectCleanBooks(twin))

let stopping: Promise<void> | null = null
const stopFirst = () => {
  stopping ??= service.stop()
  return stopping
}

const ask = async (shop: Shop, network: string, currency: string, amount: string) =>
  shop.payOut({
    network,
    currency,
    amount,
    destination: await newAddress(network),
    ...(network === 'xrp' && { destination_tag: '1' }),
  })
const spendOf = async (payout: { id: string }) =>
  (await query(database.url, 'select spend_id from payouts where id = $1', [payout.id]))[0]?.spend_id

// `npm run soak` has more.
const rounds = Number(process.env.SLUICE_CONTENTION_ROUNDS ?? 9)
const several = Math.ceil(rounds / 3)

it('when a payout is cancelled, approved and executed at once, one call wins and the others get 409', async () => {
  const shop = await openShop(service)
  await shop.fund('1000', 'XRP', 'xrp')
  const going = []
  for (let round = 0; round < rounds; round++) {
    const payout = await ask(shop, 'xrp', 'XRP', '2')
    const cancel = () => shop.cancelPayout(payout)
    const approved = round % 3 === 0 ? null : await shop.approve(payout)
    const calls = [shop.approve(payout), cancel(), cancel()]
    // Sometimes before and sometimes after the executor wakes up.
    if (round % 3 === 2) {
      await expect.poll(() => spendOf(payout), { interval: 5 }).not.toBeUndefined()
      calls.push(cancel())
    }
    const answers = (await Promise.all(calls)).map(({ status }) => status)
    const [again, ...cancels] = answers
    const cancelled = cancels.filter((status) => status === 200).length
    expect(cancelled).toBeLessThanOrEqual(1)
    expect(cancels.filter((status) => status === 409)).toHaveLength(cancels.length - cancelled)
    if (approved !== null) expect([approved.status, again]).toEqual([200, 409])
    const { status } = await shop.payout(payout)
    if (cancelled === 1) {
      expect(status).toBe('cancelled')
      expect(await spendOf(payout)).toBeNull()
    } else going.push(payout)
  }
  for (const payout of going) await until(shop, payout, 'completed')
  const later = await Promise.all(going.map((payout) => shop.cancelPayout(payout)))
  expect(later.every(({ status }) => status === 409)).toBe(true)
})

it('two instances of every process on one database pay every payout once', async () => {
  const shop = await openShop(service)
  for (let coins = 0; coins < 6; coins++) await shop.fund('0.1')
  await shop.fund('10', 'ETH', 'ethereum')
  await shop.fund('500', 'XRP', 'xrp')
  const payouts = await Promise.all([
    ...Array.from({ length: several }, () => ask(shop, 'bitcoin', 'BTC', '0.03')),
    ...Array.from({ length: several }, () => ask(shop, 'ethereum', 'ETH', '0.4')),
    ...Array.from({ length: several }, () => ask(shop, 'xrp', 'XRP', '20')),
  ])
  await approveTogether(shop, payouts)
  for (const network of ['bitcoin', 'ethereum', 'xrp'])
    await Promise.all(
      [service, twin, service, twin].map(({ app }) => planPayouts(app, gateOf(service, network))),
    )
  for (const payout of payouts) {
    const done = await until(shop, payout, 'completed')
    const came = await arrivals(service, payout.network, payout.destination)
    if (payout.network !== 'xrp') expect(came).toMatchObject([{ hash: done.tx_hash }])
    else expect(came.filter(({ hash }) => hash === done.tx_hash)).toHaveLength(1)
  }
  const told = await query(
    database.url,
    `select data ->> 'id' as id from events where event = 'payout.completed' and merchant_id = $1`,
    [shop.merchantId],
  )
  expect(told.map(({ id }) => id).sort()).toEqual(payouts.map(({ id }) => id).sort())
  const [twice] = await query(
    database.url,
    'select count(*)::int as n from spend_transactions where attempt > 1 and signed_at is not null',
  )
  expect(twice?.n).toBe(0)
})

/** A process that hangs while it queries the node, for as long as the test wants, and then continues unaware. */
function frozen(gate: Gate, answer: (real: () => Promise<Fate>) => Promise<Fate>) {
  const thaw = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const still: Gate = {
    ...gate,
    async fate(candidates) {
      reached.resolve()
      await thaw.promise
      return answer(() => gate.fate(candidates))
    },
  }
  const app: App = {
    ...service.app,
    gates: { ...service.app.gates, find: (id) => (id === gate.id ? still : service.app.gates.find(id)) },
  }
  return { app, reached: reached.promise, thaw: thaw.resolve }
}

const stale: readonly { what: string; answer: (real: () => Promise<Fate>) => Promise<Fate> }[] = [
  { what: 'that it is mined, which another process has booked', answer: (real) => real() },
  { what: 'that it waits', answer: async () => ({ kind: 'waiting', hash: 'any' }) },
  { what: 'that the network does not know it', answer: async () => ({ kind: 'unknown' }) },
  {
    what: 'that it is ruled out, in a block that was replaced',
    answer: async () => ({
      kind: 'ruled_out',
      reason: 'Another used the same.',
      block: { height: 1n, hash: 'replaced' },
    }),
  },
]

it.each(stale)(
  'a process that hangs past its claim and wakes with the answer $what writes nothing',
  async ({ answer }) => {
    const shop = await openShop(service)
    await shop.fund('0.3')
    const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
    await untilSent(service, payout)
    const sleeper = frozen(gateOf(service, 'bitcoin'), answer)
    const sleeping: Promise<number>[] = []
    let isAsleep = false
    void sleeper.reached.then(() => {
      isAsleep = true
    })
    // The other processes check spends too; sooner or later this one is first.
    while (!isAsleep) {
      await hurry(service)
      const look = lookAtSpends(sleeper.app)
      sleeping.push(look)
      await Promise.race([look, sleeper.reached])
    }
    const done = await until(shop, payout, 'completed')
    const rows = () =>
      query(database.url, `select * from spends where id = (select spend_id from payouts where id = $1)`, [
        payout.id,
      ])
    const before = [await rows(), await shop.ledger('BTC'), await shop.payout(payout)]
    sleeper.thaw()
    await Promise.all(sleeping)
    expect([await rows(), await shop.ledger('BTC'), await shop.payout(payout)]).toEqual(before)
    expect(await arrivals(service, 'bitcoin', payout.destination)).toMatchObject([{ hash: done.tx_hash }])
    expect(await attemptsOf(service, payout)).toHaveLength(1)
  },
)

it('a planner that hangs before it writes does not plan a payout that another process has planned', async () => {
  const shop = await openShop(service)
  await shop.fund('0.3')
  const payout = await ask(shop, 'bitcoin', 'BTC', '0.1')
  const gate = gateOf(service, 'bitcoin')
  const thaw = Promise.withResolvers<void>()
  const still: Gate = {
    ...gate,
    async feeRate() {
      const rate = await gate.feeRate()
      await thaw.promise
      return rate
    },
  }
  const planning = planPayouts(service.app, still)
  await shop.approve(payout)
  await until(shop, payout, 'processing')
  thaw.resolve()
  expect(await planning).toBe(0)
  await until(shop, payout, 'completed')
  expect(await arrivals(service, 'bitcoin', payout.destination)).toHaveLength(1)
})

it('of two signers one signs, and the other takes over when it stops', async () => {
  const says = ({ logged }: TestService, words: string) =>
    logged.some(({ msg }) => typeof msg === 'string' && msg.includes(words))
  expect([says(service, 'another signer'), says(twin, 'another signer')]).toEqual([false, true])
  expect(says(twin, 'this signer is working now')).toBe(false)
  await stopFirst()
  const shop = await openShop(twin)
  await shop.fund('0.3')
  const payout = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await until(shop, payout, 'completed')
  expect(says(twin, 'this signer is working now')).toBe(true)
})
