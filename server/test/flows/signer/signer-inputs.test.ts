import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bitcoin } from '../../../src/domain/networks/bitcoin.ts'
import { planToJson } from '../../../src/domain/plan-json.ts'
import type { Coin, CoinPlan } from '../../../src/domain/spends.ts'
import { coinName } from '../../../src/domain/uses.ts'
import { bitcoinTransaction } from '../../../src/simulator/gate/make-transaction.ts'
import { bitcoinReader } from '../../../src/simulator/gate/read-bitcoin.ts'
import { query } from '../../support/database/database.ts'
import { type Desk, elsewhere, openDesk } from '../../support/signer/signer-desk.ts'

// A segwit signature commits to the amount of its own input alone. The attacker has the database, and misstates the coins.

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const gateId = 'bitcoin-test'
const rules = bitcoin.rules.test

/** A consolidation of these coins. */
function giving(coins: readonly Coin[], feeUnits = 1_000n): CoinPlan {
  const total = coins.reduce((sum, { units }) => sum + units, 0n)
  const address = desk.wallet.addressAt('bitcoin', { chain: 'own', index: 0 }) ?? ''
  return {
    kind: 'coins',
    inputs: coins,
    outputs: [{ address, units: total - feeUnits, payoutId: null }],
    change: { outputIndex: 0, index: 0 },
    feeUnits,
  }
}

const consolidate = (coins: readonly Coin[]) => desk.plan(giving(coins), [], { kind: 'consolidation' })
const restate = (spendId: string, plan: CoinPlan) =>
  desk.forge('spend_transactions', 'update spend_transactions set plan = $2::jsonb where spend_id = $1', [
    spendId,
    planToJson(plan),
  ])

/** The bytes that are stored as a previous transaction. */
async function storedBytes({ txHash }: Coin): Promise<Buffer> {
  const [row] = await query<{ bytes: Buffer }>(
    desk.url,
    'select bytes from previous_transactions where gate_id = $1 and tx_hash = $2',
    [gateId, txHash],
  )
  if (row === undefined) throw new Error('nothing is stored')
  return row.bytes
}

const store = ({ txHash }: Coin, bytes: Uint8Array) =>
  desk.forge('previous_transactions', 'update previous_transactions set bytes = $2 where tx_hash = $1', [
    txHash,
    Buffer.from(bytes),
  ])

/** Expects that nothing was signed and nothing is on disk. */
async function expectRefused(spendId: string, reason: string | RegExp): Promise<void> {
  expect(await desk.sign()).toBe(0)
  expect((await desk.outcome(spendId)).refusal).toMatch(reason)
  expect(desk.journal().all()).toEqual([])
}

/** Expects that the coins are spent by valid witnesses for what they hold. */
async function expectSpendable(spendId: string, coins: readonly Coin[]): Promise<void> {
  expect(await desk.sign()).toBe(1)
  const spend = await desk.app.store.spends.find(spendId)
  const bytes = spend?.transactions.at(-1)?.signed?.bytes ?? new Uint8Array()
  const paid = new Map(
    coins.map((coin) => [
      coinName(coin),
      { address: desk.wallet.addressAt('bitcoin', coin.key) ?? '', units: coin.units },
    ]),
  )
  expect(bitcoinReader(rules, 'BTC').read(bytes, (coin) => paid.get(coinName(coin)))).not.toHaveProperty(
    'refused',
  )
}

describe('a plan that misstates its coins is refused before anything is signed, and the true one still works', () => {
  it('two rounds with different amounts never begin', async () => {
    const [one, two] = [await desk.coin(10_000_000n), await desk.coin(10_000_000n, 1)]
    // The same outputs both times, so that the witnesses would fit together.
    const first = giving([one, { ...two, units: 1_000_000n }])
    const second = { ...giving([{ ...one, units: 1_000_000n }, two]), outputs: first.outputs }
    const spendId = await desk.plan(first, [], { kind: 'consolidation' })
    await expectRefused(spendId, `${two.txHash}:0 has 10000000 units, but the plan says 1000000.`)
    await restate(spendId, second)
    await expectRefused(spendId, `${one.txHash}:0 has 10000000 units, but the plan says 1000000.`)
    await restate(spendId, giving([one, two]))
    await expectSpendable(spendId, [one, two])
  })

  it.each<[what: string, lie: (coin: Coin) => Coin, reason: string]>([
    ['less', (coin) => ({ ...coin, units: coin.units - 1n }), 'has 1000000 units, but the plan says 999999.'],
    ['more', (coin) => ({ ...coin, units: coin.units + 1n }), 'but the plan says 1000001.'],
    [
      'another of our keys',
      (coin) => ({ ...coin, key: { chain: 'deposit', index: 1 } }),
      'deposit address 1',
    ],
    ['a key of our change', (coin) => ({ ...coin, key: { chain: 'own', index: 0 } }), 'own address 0'],
    ['an output that does not exist', (coin) => ({ ...coin, outputIndex: 1 }), 'no such output'],
    ['the highest output', (coin) => ({ ...coin, outputIndex: 2 ** 32 - 1 }), 'no such output'],
  ])('%s', async (_, lie, reason) => {
    const coin = await desk.coin()
    const spendId = await consolidate([coin])
    await restate(spendId, giving([lie(coin)]))
    await expectRefused(spendId, reason)
    const [row] = await query(
      desk.url,
      'select refused_for_good_at is not null as good from spend_transactions',
    )
    expect(row).toEqual({ good: true })
    await restate(spendId, giving([coin]))
    await expectSpendable(spendId, [coin])
  })

  it('a payout does not hide a fee in a coin that says too little', async () => {
    const payout = await desk.payout({ amountUnits: 100_000n, networkFeeUnits: 5_000n })
    const coin = await desk.coin(10_000_000n)
    const plan = desk.coinPlan([{ ...coin, units: 200_000n }], [payout])
    const spendId = await desk.plan(plan, [payout])
    await expectRefused(spendId, 'has 10000000 units, but the plan says 200000.')
    await restate(spendId, desk.coinPlan([coin], [payout]))
    await expectSpendable(spendId, [coin])
  })

  it('a coin that is not ours', async () => {
    const foreign = bitcoinTransaction(rules, randomBytes(32), [
      { address: elsewhere.bitcoin, units: 5_000n },
    ])
    await desk.app.store.previousTransactions.add(gateId, [foreign])
    const coin = {
      txHash: foreign.hash,
      outputIndex: 0,
      units: 5_000n,
      key: { chain: 'deposit', index: 0 },
    } as const
    await expectRefused(await consolidate([coin]), 'does not belong to deposit address 0')
  })
})

describe('a previous transaction that is', () => {
  const toTheEnd = Buffer.alloc(9, 0xff)

  it.each<[what: string, forged: (bytes: Buffer, other: Buffer) => Uint8Array]>([
    ['forged to a lower amount', (bytes) => withAmount(bytes, 100_000n)],
    ['the one of another coin', (_, other) => other],
    ['cut short', (bytes) => bytes.subarray(0, -1)],
    ['followed by a byte', (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
    ['empty', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.of(0)],
    ['noise of a megabyte', () => randomBytes(1_000_000)],
    ['a count without end', (bytes) => Buffer.concat([bytes.subarray(0, 4), toTheEnd, bytes.subarray(13)])],
    ['a megabyte of zeros', () => Buffer.alloc(1_000_000)],
  ])('%s proves nothing, and blocks no other plan', async (_, forged) => {
    const [coin, other] = [await desk.coin(), await desk.coin(2_000_000n, 1)]
    const spendId = await consolidate([{ ...coin, units: 100_000n }])
    const bytes = await storedBytes(coin)
    await store(coin, forged(bytes, await storedBytes(other)))
    await expectRefused(spendId, `stored as the previous transaction ${coin.txHash} does not have that hash`)
    const { spendId: honest } = await desk.ordinary()
    expect(await desk.sign()).toBe(1)
    expect((await desk.outcome(honest)).hash).not.toBeNull()

    await store(coin, bytes)
    await restate(spendId, giving([coin]))
    await expectSpendable(spendId, [coin])
  })

  it.each<[what: string, statement: string]>([
    ['missing', 'delete from previous_transactions'],
    ['one that the node cannot show', 'update previous_transactions set bytes = null, asked_at = now()'],
    ['of another network', `update previous_transactions set gate_id = 'litecoin-test'`],
    [
      'larger than a block',
      `update previous_transactions set bytes = bytes || decode(repeat('00', 1000000), 'hex')`,
    ],
  ])('%s is waited for', async (_, statement) => {
    const coin = await desk.coin()
    const bytes = await storedBytes(coin)
    const spendId = await consolidate([coin])
    await query(
      desk.url,
      'alter table previous_transactions drop constraint previous_transactions_bytes_check',
    )
    await desk.forge('previous_transactions', statement)
    await expectRefused(spendId, `The previous transaction ${coin.txHash} is not stored`)
    const [row] = await query(desk.url, 'select refused_for_good_at from spend_transactions')
    expect(row).toEqual({ refused_for_good_at: null })
    await desk.app.store.previousTransactions.add(gateId, [{ hash: coin.txHash, bytes }])
    await expectSpendable(spendId, [coin])
  })
})

describe('our own change', () => {
  /** The change of a consolidation that the signer has signed. */
  async function change(): Promise<Coin> {
    const plan = giving([await desk.coin()])
    const spendId = await desk.plan(plan, [], { kind: 'consolidation' })
    expect(await desk.sign()).toBe(1)
    const { hash } = await desk.outcome(spendId)
    return {
      txHash: hash ?? '',
      outputIndex: 0,
      units: plan.outputs[0]?.units ?? 0n,
      key: { chain: 'own', index: 0 },
    }
  }

  it('is proved by the transaction that was signed', async () => {
    const coin = await change()
    await expectSpendable(await consolidate([coin]), [coin])
  })

  it('is not proved by a forged one in its place', async () => {
    const coin = await change()
    const forged = bitcoinTransaction(rules, randomBytes(32), [
      { address: desk.wallet.addressAt('bitcoin', coin.key) ?? '', units: 1_000n },
    ])
    await desk.forge(
      'spend_transactions',
      'update spend_transactions set bytes = $1 where bytes is not null',
      [Buffer.from(forged.bytes)],
    )
    const spendId = await consolidate([{ ...coin, units: 2_000n }])
    expect(await desk.sign()).toBe(0)
    expect((await desk.outcome(spendId)).refusal).toMatch('does not have that hash')
  })
})

describe('many coins', () => {
  it('are each proved, with several from one transaction', async () => {
    const coins: Coin[] = []
    for (let at = 0; at < 60; at++) coins.push(await desk.coin(10_000n + BigInt(at), at % 3))
    const address = desk.wallet.addressAt('bitcoin', { chain: 'deposit', index: 0 }) ?? ''
    const many = bitcoinTransaction(
      rules,
      randomBytes(32),
      Array.from({ length: 300 }, (_, at) => ({ address, units: 1_000n + BigInt(at) })),
    )
    await desk.app.store.previousTransactions.add(gateId, [many])
    for (const outputIndex of [0, 252, 253, 299])
      coins.push({
        txHash: many.hash,
        outputIndex,
        units: 1_000n + BigInt(outputIndex),
        key: { chain: 'deposit', index: 0 },
      })
    const last = coins.at(-5) as Coin
    const lie = coins.map((coin) => (coin === last ? { ...coin, units: coin.units - 1n } : coin))
    const spendId = await consolidate(lie)
    await expectRefused(spendId, `${coinName(last)} has ${last.units} units`)
    await restate(spendId, giving(coins))
    await expectSpendable(spendId, coins)
  })

  it('are refused above the largest number, without being read', async () => {
    const coin = await desk.coin()
    const inputs = Array.from({ length: 201 }, (_, outputIndex) => ({ ...coin, outputIndex }))
    await expectRefused(await consolidate(inputs), 'spends 201 coins, and at most 200 are allowed')
  })
})

/** The transaction with another amount in its only output, which comes after one input without a script. */
function withAmount(bytes: Buffer, units: bigint): Buffer {
  const forged = Buffer.from(bytes)
  forged.writeBigUInt64LE(units, 4 + 1 + 41 + 1)
  return forged
}
