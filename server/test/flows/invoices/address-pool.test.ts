import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAddressBook } from '../../../src/app/addresses/address-book.ts'
import { fillPool, type Keychain, topUpPool } from '../../../src/app/addresses/fill-pool.ts'
import { marksByDemand, marksFor } from '../../../src/domain/address-demand.ts'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { litecoin } from '../../../src/domain/networks/litecoin.ts'
import type { BitcoinNetwork } from '../../../src/domain/networks/network.ts'
import { bitcoinFamily } from '../../../src/gates/bitcoin/family.ts'
import { evmFamily } from '../../../src/gates/evm/family.ts'
import type { Family } from '../../../src/gates/family.ts'
import { solanaFamily } from '../../../src/gates/solana/family.ts'
import { xrpFamily } from '../../../src/gates/xrp/family.ts'
import { createLog } from '../../../src/log.ts'
import { openWallet } from '../../../src/signer/wallet.ts'
import type { Database } from '../../../src/store/database.ts'
import { listen } from '../../../src/store/listen.ts'
import { spendPlanned } from '../../../src/store/spends/announcements.ts'
import { storeOn } from '../../../src/store/store.ts'
import { startAddressPoolLoop } from '../../../src/worker/address-pool.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'
import { noProofs } from '../../support/shop/no-proofs.ts'
import { currencies } from '../../support/shop/registry.ts'

const { publicKeys } = await openWallet(`${'abandon '.repeat(11)}about`, 'test', currencies)

const marks = marksFor(400)

let test: TestDatabase
let database: Database
let app: { store: ReturnType<typeof storeOn>; proofs: typeof noProofs }
beforeEach(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 10)
  app = { store: storeOn(database.db), proofs: noProofs }
  await app.store.addressGrants.put(
    [...realKeychains, ...['a', 'b', 'c'].map(plain)].map(({ id }) => ({
      keychain: id,
      first: 0,
      below: 100_000,
      stamp: 'a stamp',
    })),
  )
})
afterEach(async () => {
  await database.close()
  await test.drop()
})

const keyOf = (network: string) => publicKeys[network] ?? ''
const coin = (network: BitcoinNetwork) =>
  bitcoinFamily({ network, chain: 'test', accountKey: keyOf(network.id) })
const evm = evmFamily({ chainId: 1, accountKey: keyOf('ethereum') })
const families: Record<string, Family> = {
  bitcoin: coin(bitcoin),
  litecoin: coin(litecoin),
  solana: solanaFamily(),
  xrp: xrpFamily({ environment: 'test', account: keyOf('xrp') }),
}
const realKeychains: Keychain[] = Object.entries({ ...families, evm }).map(([id, family]) => ({
  id: `${id}-test`,
  depositAddress: (index) => family.depositAddress(index),
}))

const plain = (id: string): Keychain => ({
  id,
  depositAddress: (index) => ({ address: `${id}-${index}`, tag: null }),
})
const ready = async (id: string) =>
  (await app.store.depositAddresses.shortage([id], 1_000_000)).map((pool) => pool.ready)

it('every keychain gets a few addresses first, then all pools are filled in steps that yield to other tasks', async () => {
  const filling = fillPool(app, realKeychains, marks)
  const madeHere = realKeychains.filter(({ id }) => id !== 'solana-test').map(({ id }) => id)
  await expect.poll(() => app.store.depositAddresses.shortage(madeHere, 20), { interval: 20 }).toEqual([])
  let turns = 0
  const others = setInterval(() => turns++, 0)
  expect(await filling).toBe(4 * marks.full)
  clearInterval(others)
  // At least one turn for every group of derived addresses.
  expect(turns).toBeGreaterThan(100)
  expect(await app.store.depositAddresses.shortage([...madeHere, 'solana-test'], marks.full)).toEqual([
    { keychain: 'solana-test', ready: 0, from: 0 },
  ])
  expect(await app.store.depositAddresses.claim('evm-test', 1)).toMatchObject([
    { address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94' },
  ])
  expect(await app.store.depositAddresses.claim('xrp-test', 1)).toMatchObject([{ tag: '1930861494' }])
})

it('a pool is filled when it falls below the low mark, and not before', async () => {
  const gate = plain('a')
  expect(await fillPool(app, [gate], marks)).toBe(marks.full)
  await app.store.depositAddresses.claim('a', marks.full - marks.low)
  expect(await fillPool(app, [gate], marks)).toBe(0)
  await app.store.depositAddresses.claim('a', 1)
  expect(await fillPool(app, [gate], marks)).toBe(marks.full - marks.low + 1)
  expect(await ready('a')).toEqual([marks.full])
})

it('four concurrent fillers add each address once', async () => {
  const gates = ['a', 'b', 'c'].map(plain)
  for (let round = 0; round < 5; round++) await Promise.all(gates.map(() => fillPool(app, gates, marks)))
  const rows = await query(
    test.url,
    `select keychain, derived = (select count(*) from deposit_addresses a where a.keychain = c.keychain) as whole,
            derived between ${marks.low} and ${marks.full} as bounded
     from deposit_address_counters c order by 1`,
  )
  expect(rows).toEqual(['a', 'b', 'c'].map((id) => ({ keychain: id, whole: true, bounded: true })))
})

it('filling stops between two groups when it is told to stop', async () => {
  const stopping = new AbortController()
  const gate: Keychain = {
    id: 'a',
    depositAddress(index) {
      if (index === 30) stopping.abort()
      return { address: `a-${index}`, tag: null }
    },
  }
  expect(await fillPool(app, [gate], marks, { signal: stopping.signal })).toBe(20)
})

it('the loop fills pools that run short, and an idle loop writes nothing', async () => {
  const log = createLog('silent', { write: () => {} })
  const loop = startAddressPoolLoop(
    app,
    () => [plain('a'), { id: 'seed-only', depositAddress: () => null }],
    { least: marks.full, most: marks.full },
    { log, filler: randomUUID() },
  )
  await expect.poll(() => ready('a')).toEqual([marks.full])
  // Changing or locking a row leaves the transaction's id on it.
  const written = () =>
    query(test.url, 'select keychain, xmin::text, xmax::text, ctid::text from deposit_address_counters')
  const before = await written()
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await written()).toEqual(before)
  await app.store.depositAddresses.claim('a', marks.full)
  await expect.poll(() => ready('a')).toEqual([marks.full])
  await loop.stop()
})

it('the address books of two processes, filled by one worker and by themselves, never give out an address twice', async () => {
  const gate = plain('a')
  const book = () =>
    createAddressBook({
      claim: (id, count) => app.store.depositAddresses.claim(id, count),
      derive: () => topUpPool(app, gate),
      now: () => performance.now(),
      onRestockFailed: (error) => {
        throw error
      },
    })
  const books = [book(), book()]
  await fillPool(app, [gate], marks)
  const taken = await Promise.all(
    Array.from({ length: 600 }, async (_, n) => (await books[n % 2]?.take('a', 1 + (n % 3))) ?? []),
  )
  const positions = taken.flat().map(({ position }) => position)
  expect(positions).toHaveLength(1_200)
  expect(new Set(positions).size).toBe(1_200)
})

it('of several processes that find a pool short, one derives, and requests that find it empty wait for that one', async () => {
  const derived: number[] = []
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const gate: Keychain = {
    ...plain('a'),
    async deriveMany(from, count) {
      derived.push(from)
      begun.resolve()
      await rest.promise
      return Array.from({ length: count }, (_, nth) => ({ address: `a-${from + nth}`, tag: null }))
    },
  }
  const first = fillPool(app, [gate], marksFor(250), { filler: randomUUID() })
  await begun.promise
  for (let other = 0; other < 3; other++) {
    expect(await fillPool(app, [gate], marksFor(250), { filler: randomUUID() })).toBe(0)
    expect(await topUpPool(app, gate, { filler: randomUUID() })).toBe(true)
  }
  expect(derived).toEqual([0])
  rest.resolve()
  expect(await first).toBe(250)
  expect(derived).toEqual([0, 20, 120, 220])
  // The right to fill it is free again.
  await app.store.depositAddresses.claim('a', 250)
  expect(await topUpPool(app, gate, { filler: randomUUID() })).toBe(true)
  expect(await ready('a')).toEqual([8])
})

it('a process that died while it was filling a pool is replaced', async () => {
  const [dead, other] = [randomUUID(), randomUUID()]
  expect(await app.store.addressFills.hold(['a'], dead, 60_000)).toEqual(new Set(['a']))
  expect(await fillPool(app, [plain('a')], marks, { filler: other })).toBe(0)
  await query(
    test.url,
    `update deposit_address_fills set held_until = clock_timestamp() - interval '1 second'`,
  )
  expect(await fillPool(app, [plain('a')], marks, { filler: other })).toBe(marks.full)
})

it('a request does not wait for long for a process that was killed while it was filling an empty pool', async () => {
  await app.store.addressFills.hold(['a'], randomUUID(), 60_000)
  const book = createAddressBook({
    claim: (id, count) => app.store.depositAddresses.claim(id, count),
    derive: (_, tries) => topUpPool(app, plain('a'), { filler: randomUUID(), tries }),
    now: () => performance.now(),
    onRestockFailed: (error) => {
      throw error
    },
  })
  expect(await book.take('a', 3)).toHaveLength(3)
})

it('a pool whose addresses are used quickly is filled further, up to the most', async () => {
  let nowMs = 0
  const marksOf = marksByDemand({ least: 20, most: 1_500 }, () => nowMs)
  const look = () => fillPool(app, [plain('a')], marksOf, { filler: randomUUID() })
  expect(await look()).toBe(20)
  await app.store.depositAddresses.claim('a', 20)
  nowMs += 10_000
  // Two a second: enough for a minute.
  expect(await look()).toBe(120)
  expect(await look()).toBe(0)
  let highest = 0
  for (let rush = 0; rush < 10; rush++) {
    await app.store.depositAddresses.claim('a', 256)
    nowMs += 10_000
    while ((await look()) > 0);
    highest = Math.max(highest, ...(await ready('a')))
  }
  expect(highest).toBe(1_500)
})

it('an empty pool that only the seed can fill has no address to give', async () => {
  expect(await topUpPool(app, { id: 'seed-only', depositAddress: () => null })).toBe(false)
  expect(await topUpPool(app, plain('a'))).toBe(true)
  expect(await ready('a')).toEqual([8])
})

it('a request that finds only addresses that are not granted wakes the signer', async () => {
  await fillPool(app, [plain('a'), plain('not-granted')], marksFor(20))
  let [isListening, woken] = [false, 0]
  const listener = listen(test.url, [spendPlanned], {
    onNotification: () => woken++,
    onConnected: () => {
      isListening = true
    },
    onLost: () => {},
  })
  await expect.poll(() => isListening).toBe(true)
  expect(await topUpPool(app, plain('not-granted'))).toBe(true)
  await expect.poll(() => woken).toBe(1)
  // Notifications arrive in order: this one would come before the next.
  expect(await topUpPool(app, plain('a'))).toBe(true)
  expect(await topUpPool(app, plain('not-granted'))).toBe(true)
  await expect.poll(() => woken).toBe(2)
  await listener.close()
})
