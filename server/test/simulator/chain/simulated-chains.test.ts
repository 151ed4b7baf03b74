import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OutageError } from '../../../src/domain/errors.ts'
import { simulatedChainChannel } from '../../../src/simulator/chain/branch.ts'
import { keptBlocks, type SimulatedOutput, simulatedChainsOn } from '../../../src/simulator/chain/chains.ts'
import type { Database } from '../../../src/store/database.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'

const connections = 12
let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, connections)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const chains = () => simulatedChainsOn(database.db)
let chain = 0
/** A chain that no other test touches. */
const freshGate = () => `test${++chain}-test`
const to = (address: string, units = 1n): SimulatedOutput => ({ address, tag: null, currency: 'BTC', units })
const makeTransaction = () => ({ hash: randomBytes(32).toString('hex'), bytes: null })
const pay = (gate: string, address: string, options: { coin?: string; feeUnits?: bigint } = {}) =>
  chains().submit(gate, { feeUnits: 1n, outputs: [to(address)], makeTransaction, ...options })
const hashesAt = async (gate: string, height: bigint) =>
  [...new Set((await chains().block(gate, height))?.outputs.map(({ txHash }) => txHash))].sort()
const all = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Every block links to its parent, from the first kept one up to the tip, and there is none above. */
async function expectLinked(gate: string): Promise<void> {
  const rows = await query<{ height: string; hash: string; parent_hash: string }>(
    test.url,
    'select height, hash, parent_hash from simulated_blocks where gate_id = $1 order by height',
    [gate],
  )
  const tip = await chains().tip(gate)
  expect(rows.at(-1)).toMatchObject({ height: String(tip.height), hash: tip.hash })
  expect(rows.slice(1).map((row) => row.parent_hash)).toEqual(rows.slice(0, -1).map((row) => row.hash))
  expect(new Set(rows.map((row) => row.hash)).size).toBe(rows.length)
}

describe('concurrent calls', () => {
  it('a chain that all ask for is created once', async () => {
    const gate = freshGate()
    const tips = await all(40, async (index) => {
      if (index % 2 === 0) await chains().ensure(gate)
      return chains().tip(gate)
    })
    expect(new Set(tips.map(({ hash }) => hash)).size).toBe(1)
    expect(await chains().block(gate, 0n)).toMatchObject({ ref: tips[0], parentHash: '0'.repeat(64) })
  })

  it('blocks mined and payments sent by all end up in one chain, each payment once', async () => {
    const gate = freshGate()
    const hashes: string[] = []
    await all(60, async (index) => {
      if (index % 3 === 0) await chains().mine(gate, 2)
      else hashes.push(await pay(gate, `address ${index}`))
    })
    const tip = await chains().mine(gate, 1)
    expect(tip.height).toBe(41n)
    await expectLinked(gate)
    const mined: string[] = []
    for (let at = 0n; at <= tip.height; at++) mined.push(...(await hashesAt(gate, at)))
    expect(mined.sort()).toEqual(hashes.sort())
  })

  it('of many that spend one coin for the same fee, one is accepted', async () => {
    const gate = freshGate()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => pay(gate, `address ${index}`, { coin: 'one coin' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'fee_too_low' })
    expect(await chains().waiting(gate)).toHaveLength(1)
  })

  it('of several workers whose turn it is, one mines', async () => {
    const gate = freshGate()
    await chains().ensure(gate)
    const mined = await all(10, () => chains().mineIfDue(gate, 60))
    expect(mined.filter((block) => block !== null)).toEqual([await chains().tip(gate)])
    expect((await chains().tip(gate)).height).toBe(1n)
    expect(await chains().mineIfDue(gate, 60)).toBeNull()
  })

  it('every change raises the counter, and followers are notified once it is committed', async () => {
    const gate = freshGate()
    const listener = new pg.Client({ connectionString: test.url })
    await listener.connect()
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => payload === gate && heard.push(payload))
    await listener.query(`listen ${simulatedChainChannel}`)
    await chains().ensure(gate)
    const counts = [await chains().changes(gate)]
    const changes = [
      () => pay(gate, 'a'),
      () => chains().mine(gate, 20),
      () => chains().reorganise(gate, 2, []),
      async () => chains().drop(gate, await pay(gate, 'b')),
    ]
    for (const change of changes) {
      await change()
      counts.push(await chains().changes(gate))
    }
    await listener.query('select 1')
    await listener.end()
    expect(counts).toEqual([0n, 1n, 2n, 3n, 5n])
    expect(heard).toHaveLength(5)
  })

  it('a change in a transaction that fails never happened', async () => {
    const gate = freshGate()
    const before = await chains().mine(gate, 3)
    const failed = database.transaction(async (tx) => {
      await simulatedChainsOn(tx).mine(gate, 5)
      await simulatedChainsOn(tx).reorganise(gate, 3, [])
      throw new Error('changed our mind')
    })
    await expect(failed).rejects.toThrow('changed our mind')
    expect(await chains().tip(gate)).toEqual(before)
    await expectLinked(gate)
  })
})

describe('the mempool', () => {
  it('is mined by fee, then in order of arrival, and transactions that do not fit wait', async () => {
    const gate = freshGate()
    const low = await pay(gate, 'a', { feeUnits: 1n })
    const high = await pay(gate, 'b', { feeUnits: 2n ** 80n })
    const early = await pay(gate, 'c', { feeUnits: 5n })
    const late = await pay(gate, 'd', { feeUnits: 5n })
    const order = (await chains().waiting(gate)).map(({ txHash }) => txHash)
    expect(order).toEqual([high, early, late, low])
    await chains().mine(gate, 1, { maxTransactions: 0 })
    await chains().mine(gate, 2, { maxTransactions: 1 })
    expect([await hashesAt(gate, 1n), await hashesAt(gate, 2n), await hashesAt(gate, 3n)]).toEqual([
      [],
      [high],
      [early],
    ])
    await chains().mine(gate, 1)
    expect(await hashesAt(gate, 4n)).toEqual([late, low].sort())
  })

  it('accepts a replacement only for a higher fee, and none for a spent coin', async () => {
    const gate = freshGate()
    const first = await pay(gate, 'a', { coin: 'x', feeUnits: 5n })
    for (const feeUnits of [4n, 5n])
      await expect(pay(gate, 'b', { coin: 'x', feeUnits })).rejects.toMatchObject({ reason: 'fee_too_low' })
    const second = await pay(gate, 'b', { coin: 'x', feeUnits: 6n })
    expect(await chains().transaction(gate, first)).toMatchObject({ state: 'gone', height: null })
    await chains().mine(gate, 1)
    expect(await hashesAt(gate, 1n)).toEqual([second])
    await expect(pay(gate, 'c', { coin: 'x', feeUnits: 9n })).rejects.toMatchObject({ reason: 'coin_spent' })
    expect(await chains().waiting(gate)).toEqual([])
    // The same name on another chain is another coin.
    await pay(freshGate(), 'a', { coin: 'x' })
  })

  it('forgets a dropped transaction, once', async () => {
    const gate = freshGate()
    const hash = await pay(gate, 'a')
    expect(await chains().drop(gate, hash)).toBe(true)
    expect(await chains().drop(gate, hash)).toBe(false)
    await chains().mine(gate, 1)
    expect(await hashesAt(gate, 1n)).toEqual([])
  })

  it('shows a payment for a while even if a block was due long ago', async () => {
    const gate = freshGate()
    await chains().ensure(gate)
    await query(
      test.url,
      `update simulated_chains set next_block_at = now() - interval '1 hour' where gate_id = $1`,
      [gate],
    )
    await pay(gate, 'a')
    expect(await chains().mineIfDue(gate, 5)).toBeNull()
    expect(await chains().waiting(gate)).toHaveLength(1)
  })
})

describe('reorganisations', () => {
  it('other transactions are mined again at the same height, and blocks keep their times', async () => {
    const gate = freshGate()
    const kept: string[] = []
    for (let at = 1; at <= 5; at++) {
      kept.push(await pay(gate, `address ${at}`))
      await chains().mine(gate, 1)
    }
    const dropped = await pay(gate, 'dropped')
    const pending = await pay(gate, 'pending', { feeUnits: 0n })
    await chains().mine(gate, 1, { maxTransactions: 1 })
    const before = await all(6, (index) => chains().block(gate, BigInt(index + 1)))

    const tip = await chains().reorganise(gate, 4, [dropped])
    expect(tip.height).toBe(7n)
    await expectLinked(gate)
    const after = await all(6, (index) => chains().block(gate, BigInt(index + 1)))
    for (const [index, hash] of kept.entries())
      expect(after[index]?.outputs.map(({ txHash }) => txHash)).toEqual([hash])
    expect(after[5]?.outputs).toEqual([])
    expect(after.map((block) => block?.minedAt)).toEqual(before.map((block) => block?.minedAt))
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    for (const [index, block] of after.slice(2).entries())
      expect(block?.ref.hash).not.toBe(before[index + 2]?.ref.hash)
    expect((await chains().waiting(gate)).map(({ txHash }) => txHash)).toEqual([pending])
  })

  it('a dropped transaction never returns, and its coin can be spent in another one', async () => {
    const gate = freshGate()
    const mined = await pay(gate, 'a', { coin: 'x' })
    await chains().mine(gate, 1)
    const waiting = await pay(gate, 'b')
    await chains().reorganise(gate, 1, [mined, waiting])
    await chains().reorganise(gate, 2, [mined])
    const other = await pay(gate, 'c', { coin: 'x' })
    await chains().mine(gate, 5)
    await chains().reorganise(gate, 3, [], { others: 'mempool' })
    await chains().mine(gate, 1)
    const { height } = await chains().tip(gate)
    const seen = await all(Number(height) + 1, (at) => hashesAt(gate, BigInt(at)))
    expect(seen.flat()).toEqual([other])
  })

  it('a transaction back in the mempool can be replaced there, and then never returns', async () => {
    const gate = freshGate()
    const first = await pay(gate, 'a', { coin: 'x', feeUnits: 1n })
    await chains().mine(gate, 1)
    await chains().reorganise(gate, 1, [], { others: 'mempool' })
    const second = await pay(gate, 'b', { coin: 'x', feeUnits: 2n })
    await chains().mine(gate, 3)
    expect(await chains().transaction(gate, first)).toMatchObject({ state: 'gone' })
    expect(await chains().transaction(gate, second)).toMatchObject({ state: 'mined', height: 3n })
  })

  it('the first block stays, and a refused request changes nothing', async () => {
    const gate = freshGate()
    const old = await pay(gate, 'a')
    await chains().mine(gate, 3)
    const tip = await chains().tip(gate)
    const refusals = [
      [4, [], 'too_deep'],
      [100, [], 'too_deep'],
      [2, [old], 'not_replaced'],
      [2, ['unknown'], 'not_replaced'],
    ] as const
    for (const [depth, drop, reason] of refusals)
      await expect(chains().reorganise(gate, depth, drop)).rejects.toMatchObject({ reason })
    for (const depth of [0, 101, 1.5, -1])
      await expect(chains().reorganise(gate, depth, [])).rejects.toThrow(RangeError)
    expect(await chains().tip(gate)).toEqual(tip)
    const genesis = await chains().block(gate, 0n)
    expect((await chains().reorganise(gate, 3, [])).height).toBe(4n)
    expect(await chains().block(gate, 0n)).toEqual(genesis)
  })

  it('of depth 100 work repeatedly', async () => {
    const gate = freshGate()
    const hash = await pay(gate, 'a')
    await chains().mine(gate, 120)
    for (let round = 0; round < 5; round++) await chains().reorganise(gate, 100, [])
    expect((await chains().tip(gate)).height).toBe(125n)
    expect(await hashesAt(gate, 1n)).toEqual([hash])
    await expectLinked(gate)
  })
})

describe('limits', () => {
  it.each([0, 101])('%d outputs in one transaction are an error', async (count) => {
    const outputs = Array.from({ length: count }, () => to('a'))
    await expect(chains().submit(freshGate(), { feeUnits: 1n, outputs, makeTransaction })).rejects.toThrow(
      RangeError,
    )
  })

  it.each([0, 201, 1.5])('%d blocks at once are an error', async (count) => {
    await expect(chains().mine(freshGate(), count)).rejects.toThrow(RangeError)
  })
})

describe('pruning', () => {
  it('forgets old, followed blocks, says so to a caller that asks for one, and forgets no coin or payment', async () => {
    const gate = freshGate()
    const hash = await pay(gate, 'a', { coin: 'x' })
    for (let round = 0; round < 4; round++) await chains().mine(gate, 200)
    expect(await chains().prune(gate, 300n)).toBe(0)
    expect(await chains().prune(gate, 600n)).toBe(100)
    expect(await chains().prune(gate, 10_000n)).toBe(200)
    await expect(chains().block(gate, 299n)).rejects.toBeInstanceOf(OutageError)
    expect(await chains().block(gate, 800n - keptBlocks)).not.toBeNull()
    expect(await chains().block(gate, 801n)).toBeNull()
    expect(await chains().transaction(gate, hash)).toMatchObject({
      state: 'mined',
      height: 1n,
      uses: ['x'],
      outputs: [{ address: 'a', units: 1n }],
    })
    await expect(pay(gate, 'b', { coin: 'x', feeUnits: 9n })).rejects.toMatchObject({ reason: 'coin_spent' })
    expect((await chains().reorganise(gate, 100, [])).height).toBe(801n)
    await expectLinked(gate)
  })
})
