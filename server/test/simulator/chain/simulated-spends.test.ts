import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Uses } from '../../../src/domain/uses.ts'
import { simulatedChainsOn } from '../../../src/simulator/chain/chains.ts'
import type { SimulatedExecution } from '../../../src/simulator/chain/rules.ts'
import type { Database } from '../../../src/store/database.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 12)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const chains = () => simulatedChainsOn(database.db)
let chain = 0
/** A chain that no other test touches. */
const freshGate = () => `spends${++chain}-test`
const makeHash = () => randomBytes(32).toString('hex')
const makeTransaction = () => ({ hash: makeHash(), bytes: null })
const output = (address: string, units: bigint, currency = 'BTC') => ({ address, tag: null, currency, units })
const pay = (gate: string, address: string, units: bigint, currency = 'BTC') =>
  chains().submit(gate, { feeUnits: 1n, outputs: [output(address, units, currency)], makeTransaction })

/** A mined output. */
async function coin(gate: string, units = 100n, address = 'ours') {
  const txHash = await pay(gate, address, units)
  await chains().mine(gate, 1)
  return { txHash, outputIndex: 0 }
}

type Coins = Extract<Uses, { kind: 'coins' }>['coins']
const spending = (coins: Coins, units: readonly bigint[], rest: Partial<SimulatedExecution> = {}) => ({
  hash: makeHash(),
  bytes: null,
  uses: { kind: 'coins', coins } as const,
  outputs: units.map((each, place) => output(`to ${place}`, each)),
  debits: [],
  feeUnits: 10n,
  feeRate: 5n,
  ...rest,
})

/** Pays a fee of 10 units on top of the amount. */
const sending = (
  address: string,
  nonce: bigint,
  units: bigint,
  rest: Partial<SimulatedExecution> = {},
): SimulatedExecution => ({
  hash: makeHash(),
  bytes: null,
  uses: { kind: 'account', address, nonce },
  outputs: units === 0n ? [] : [output('recipient', units, 'ETH')],
  debits: [{ currency: 'ETH', units: units + 10n }],
  feeUnits: 10n,
  feeRate: 5n,
  ...rest,
})

async function expectRefused(gate: string, execution: SimulatedExecution, reason: string): Promise<void> {
  const before = await chains().changes(gate)
  expect(await chains().execute(gate, execution)).toMatchObject({ reason })
  expect(await chains().changes(gate)).toBe(before)
}
const accept = async (gate: string, execution: SimulatedExecution): Promise<SimulatedExecution> => {
  expect(await chains().execute(gate, execution)).toBeNull()
  return execution
}
const stateOf = async (gate: string, { hash }: { hash: string }) =>
  (await chains().transaction(gate, hash))?.state ?? null
const fateOf = (gate: string, ...executions: SimulatedExecution[]) => chains().fate(gate, executions)

describe('coins', () => {
  it('are spent together, and their payments arrive like any other', async () => {
    const gate = freshGate()
    const coins = [await coin(gate, 100n), await coin(gate, 50n)]
    const spent = await accept(gate, spending(coins, [120n, 20n]))
    expect(await chains().waiting(gate)).toMatchObject([
      { txHash: spent.hash, outputIndex: 0, address: 'to 0', units: 120n },
      { txHash: spent.hash, outputIndex: 1, address: 'to 1', units: 20n },
    ])
    const { height } = await chains().mine(gate, 1)
    expect((await chains().block(gate, height))?.outputs).toHaveLength(2)
    expect(await fateOf(gate, spent)).toMatchObject({ kind: 'mined', feeUnits: 10n, block: { height } })
  })

  it('that do not exist, or never will, are refused', async () => {
    const gate = freshGate()
    const there = await coin(gate)
    await expectRefused(gate, spending([{ ...there, outputIndex: 1 }], [90n]), 'missing_coin')
    await expectRefused(gate, spending([there, { txHash: 'no', outputIndex: 0 }], [90n]), 'missing_coin')
    const dropped = { txHash: await pay(gate, 'ours', 100n), outputIndex: 0 }
    await chains().drop(gate, dropped.txHash)
    await expectRefused(gate, spending([dropped], [90n]), 'missing_coin')
  })

  it('as inputs equal outputs plus fee to the unit, each coin once', async () => {
    const gate = freshGate()
    const there = await coin(gate, 100n)
    await expectRefused(gate, spending([there], [91n]), 'malformed')
    await expectRefused(gate, spending([there], [89n]), 'malformed')
    await expectRefused(gate, spending([there, there], [190n]), 'malformed')
    await expectRefused(gate, spending([], []), 'malformed')
    const other = { outputs: [output('to', 90n, 'LTC')] }
    await expectRefused(gate, spending([there], [], other), 'malformed')
  })

  it('spent in a block are never spent again, and of pending spenders the one with the higher fee stays', async () => {
    const gate = freshGate()
    const [one, two] = [await coin(gate), await coin(gate)]
    const first = await accept(gate, spending([one], [90n], { feeRate: 5n }))
    await expectRefused(gate, spending([one], [90n], { feeRate: 5n }), 'fee_too_low')
    const second = await accept(gate, spending([one, two], [190n], { feeRate: 6n }))
    expect(await stateOf(gate, first)).toBe('gone')
    await expectRefused(gate, first, 'fee_too_low')
    await chains().mine(gate, 1)
    for (const each of [one, two])
      await expectRefused(gate, spending([each], [90n], { feeRate: 99n }), 'coin_spent')
    expect(await fateOf(gate, first)).toMatchObject({ kind: 'ruled_out', block: { height: 3n } })
    expect(await fateOf(gate, first, second)).toMatchObject({ kind: 'mined', hash: second.hash })
  })

  it('of pending transactions can be spent, vanish with them, and are mined in the same block', async () => {
    const gate = freshGate()
    const there = await coin(gate)
    const parent = await accept(gate, spending([there], [90n], { feeRate: 1n }))
    // It pays more than the transaction it depends on, and still comes after it.
    const change = { txHash: parent.hash, outputIndex: 0 }
    const child = await accept(gate, spending([change], [80n], { feeRate: 50n }))
    await chains().mine(gate, 1, { maxTransactions: 1 })
    expect([await stateOf(gate, parent), await stateOf(gate, child)]).toEqual(['mined', 'waiting'])
    await chains().reorganise(gate, 1, [], { others: 'mempool' })
    const { height } = await chains().mine(gate, 1)
    for (const each of [parent, child])
      expect(await fateOf(gate, each)).toMatchObject({ kind: 'mined', block: { height } })
    await chains().reorganise(gate, 1, [], { others: 'mempool' })
    await accept(gate, spending([there], [90n], { feeRate: 2n }))
    expect([await stateOf(gate, parent), await stateOf(gate, child)]).toEqual(['gone', 'gone'])
  })

  it('a transaction cannot spend an output that it would replace', async () => {
    const gate = freshGate()
    const [there, other] = [await coin(gate), await coin(gate)]
    const parent = await accept(gate, spending([there], [90n], { feeRate: 1n }))
    const both = [there, other, { txHash: parent.hash, outputIndex: 0 }]
    await expectRefused(gate, spending(both, [280n], { feeRate: 9n }), 'missing_coin')
    expect(await stateOf(gate, parent)).toBe('waiting')
  })

  it('a dropped transaction takes all spenders of its outputs with it', async () => {
    const gate = freshGate()
    const there = await coin(gate)
    const parent = await accept(gate, spending([there], [90n]))
    const child = await accept(gate, spending([{ txHash: parent.hash, outputIndex: 0 }], [80n]))
    await chains().mine(gate, 1)
    const grandchild = await accept(gate, spending([{ txHash: child.hash, outputIndex: 0 }], [70n]))
    await chains().reorganise(gate, 2, [there.txHash])
    for (const each of [parent, child, grandchild]) {
      expect(await stateOf(gate, each)).toBe('gone')
      expect(await fateOf(gate, each)).toEqual({ kind: 'unknown' })
    }
    await expectRefused(gate, parent, 'missing_coin')
  })
})

describe('accounts', () => {
  it('pay from what was mined to them, less what they have sent', async () => {
    const gate = freshGate()
    await pay(gate, 'hot', 100n, 'ETH')
    await expectRefused(gate, sending('hot', 0n, 1n), 'insufficient_balance')
    await chains().mine(gate, 1)
    await expectRefused(gate, sending('hot', 0n, 91n), 'insufficient_balance')
    await accept(gate, sending('hot', 0n, 50n))
    await expectRefused(gate, sending('hot', 1n, 31n), 'insufficient_balance')
    await chains().mine(gate, 1)
    await expectRefused(gate, sending('hot', 1n, 31n), 'insufficient_balance')
    await accept(gate, sending('hot', 1n, 30n))
    await expectRefused(gate, sending('recipient', 0n, 41n), 'insufficient_balance')
    await accept(gate, sending('recipient', 0n, 40n))
  })

  it('a token transfer is paid from the token, and its fee from the native currency', async () => {
    const gate = freshGate()
    const token = (nonce: bigint, units: bigint) =>
      sending('hot', nonce, 0n, {
        outputs: [output('to', units, 'USDC')],
        debits: [
          { currency: 'USDC', units },
          { currency: 'ETH', units: 6n },
          { currency: 'ETH', units: 4n },
        ],
      })
    await pay(gate, 'hot', 500n, 'USDC')
    await chains().mine(gate, 1)
    await expectRefused(gate, token(0n, 500n), 'insufficient_balance')
    await pay(gate, 'hot', 10n, 'ETH')
    await chains().mine(gate, 1)
    await expectRefused(gate, token(0n, 501n), 'insufficient_balance')
    await expectRefused(gate, { ...token(0n, 9n), debits: [] }, 'malformed')
    await accept(gate, token(0n, 500n))
    await chains().mine(gate, 1)
    await expectRefused(gate, token(1n, 1n), 'insufficient_balance')
  })

  it('a nonce below the next is refused, and one above it waits for its turn', async () => {
    const gate = freshGate()
    await pay(gate, 'hot', 1_000n, 'ETH')
    await chains().mine(gate, 1)
    const [zero, one, two] = [sending('hot', 0n, 1n), sending('hot', 1n, 1n), sending('hot', 2n, 1n)]
    await accept(gate, two)
    await accept(gate, zero)
    await chains().mine(gate, 1)
    expect([await stateOf(gate, zero), await stateOf(gate, two)]).toEqual(['mined', 'waiting'])
    expect(await chains().nextNonce(gate, 'hot')).toBe(1n)
    await expectRefused(gate, sending('hot', 0n, 1n, { feeRate: 9n }), 'nonce_too_low')
    await accept(gate, one)
    await chains().mine(gate, 1)
    expect(await chains().nextNonce(gate, 'hot')).toBe(3n)
    expect(await chains().nextNonce(gate, 'recipient')).toBe(0n)
  })

  it('a replacement frees the amount of the replaced transaction, and needs a higher rate', async () => {
    const gate = freshGate()
    await pay(gate, 'hot', 100n, 'ETH')
    await chains().mine(gate, 1)
    const first = await accept(gate, sending('hot', 0n, 90n))
    await expectRefused(gate, sending('hot', 0n, 80n), 'fee_too_low')
    const second = await accept(gate, sending('hot', 0n, 85n, { feeRate: 6n }))
    await chains().mine(gate, 1)
    expect(await fateOf(gate, first, second)).toMatchObject({ kind: 'mined', hash: second.hash })
    expect(await fateOf(gate, first)).toMatchObject({ kind: 'ruled_out' })
  })

  it('a transaction that loses its turn or its balance in a reorganisation waits again', async () => {
    const gate = freshGate()
    const deposit = await pay(gate, 'hot', 100n, 'ETH')
    await chains().mine(gate, 1)
    const zero = await accept(gate, sending('hot', 0n, 20n))
    const one = await accept(gate, sending('hot', 1n, 20n))
    await chains().mine(gate, 1)
    await chains().reorganise(gate, 1, [zero.hash])
    expect([await stateOf(gate, zero), await stateOf(gate, one)]).toEqual(['gone', 'waiting'])
    await accept(gate, zero)
    await chains().mine(gate, 1)
    expect(await chains().nextNonce(gate, 'hot')).toBe(2n)
    const { height } = await chains().tip(gate)
    await chains().reorganise(gate, Number(height), [deposit])
    expect([await stateOf(gate, zero), await stateOf(gate, one)]).toEqual(['waiting', 'waiting'])
    await chains().mine(gate, 2)
    expect(await chains().nextNonce(gate, 'hot')).toBe(0n)
    await pay(gate, 'hot', 60n, 'ETH')
    await chains().mine(gate, 1)
    expect(await chains().nextNonce(gate, 'hot')).toBe(2n)
  })
})

describe('the same bytes again', () => {
  it('are known while they are pending or mined, and write nothing', async () => {
    const gate = freshGate()
    const spent = await accept(gate, spending([await coin(gate)], [90n]))
    for (const state of ['waiting', 'mined']) {
      const before = await chains().changes(gate)
      await accept(gate, spent)
      expect(await chains().changes(gate)).toBe(before)
      expect(await stateOf(gate, spent)).toBe(state)
      await chains().mine(gate, 1)
    }
  })

  it('are accepted again after they were dropped', async () => {
    const gate = freshGate()
    const spent = await accept(gate, spending([await coin(gate)], [90n]))
    await chains().drop(gate, spent.hash)
    expect(await fateOf(gate, spent)).toEqual({ kind: 'unknown' })
    await accept(gate, spent)
    await chains().mine(gate, 1)
    expect(await fateOf(gate, spent)).toMatchObject({ kind: 'mined' })
  })
})

describe('ruling out', () => {
  it.each(['waiting', 'unknown'])(
    'a spender of coins that is %s prevents it from being mined, and its coins stay',
    async (was) => {
      const gate = freshGate()
      const there = await coin(gate)
      const spent = spending([there], [90n])
      if (was === 'waiting') await accept(gate, spent)
      await chains().ruleOut(gate, spent.hash)
      const block = await chains().tip(gate)
      expect(await fateOf(gate, spent)).toMatchObject({ kind: 'ruled_out', block })
      await expectRefused(gate, spent, 'ruled_out')
      await chains().mine(gate, 3)
      // The block gets deeper, as proof requires.
      expect(await fateOf(gate, spent)).toMatchObject({ kind: 'ruled_out', block })
      const bumped = spending([there], [90n], { feeRate: 9n })
      expect(await fateOf(gate, spent, bumped)).toEqual({ kind: 'unknown' })
      await accept(gate, bumped)
      await chains().mine(gate, 1)
      expect(await stateOf(gate, bumped)).toBe('mined')
    },
  )

  it.each(['waiting', 'unknown', 'named with its uses'])(
    'an account’s transaction that is %s uses up its nonce',
    async (was) => {
      const gate = freshGate()
      await pay(gate, 'hot', 1_000n, 'ETH')
      await chains().mine(gate, 1)
      const sent = sending('hot', 0n, 5n)
      if (was === 'waiting') await accept(gate, sent)
      await chains().ruleOut(gate, sent.hash, was === 'named with its uses' ? sent.uses : undefined)
      expect(await chains().execute(gate, sent)).toMatchObject({ reason: 'ruled_out' })
      expect(await fateOf(gate, sent)).toEqual({ kind: 'unknown' })
      await expectRefused(gate, sending('hot', 0n, 5n, { feeRate: 10n ** 9n }), 'fee_too_low')
      const block = await chains().mine(gate, 1)
      expect(await fateOf(gate, sent)).toMatchObject({ kind: 'ruled_out', block })
      expect(await chains().nextNonce(gate, 'hot')).toBe(1n)
      // Nothing was paid for it.
      await accept(gate, sending('hot', 1n, 990n))
    },
  )

  it('is refused for a mined transaction, and can be repeated', async () => {
    const gate = freshGate()
    const spent = await accept(gate, spending([await coin(gate)], [90n]))
    await chains().mine(gate, 1)
    await expect(chains().ruleOut(gate, spent.hash)).rejects.toMatchObject({ reason: 'already_mined' })
    await chains().ruleOut(gate, 'another')
    await chains().ruleOut(gate, 'another')
  })
})

describe('concurrent calls', () => {
  it('of 64 transactions that use one coin or one nonce, at most one is mined, and all fates name it', async () => {
    const gate = freshGate()
    const there = await coin(gate, 100n)
    await pay(gate, 'hot', 1_000n, 'ETH')
    await chains().mine(gate, 1)
    for (const make of [
      (rate: number) => spending([there], [90n], { feeRate: BigInt(rate % 7) }),
      (rate: number) => sending('hot', 0n, 5n, { feeRate: BigInt(rate % 7) }),
    ]) {
      const rivals = Array.from({ length: 64 }, (_, index) => make(index))
      await Promise.all(
        rivals.map(async (rival, index) => {
          await chains().execute(gate, rival)
          if (index % 16 === 0) await chains().mine(gate, 1)
        }),
      )
      await chains().mine(gate, 2)
      const states = await Promise.all(rivals.map((rival) => stateOf(gate, rival)))
      expect(states.filter((state) => state === 'mined')).toHaveLength(1)
      expect(states).not.toContain('waiting')
      const winner = rivals[states.indexOf('mined')]
      expect(await fateOf(gate, ...rivals)).toMatchObject({ kind: 'mined', hash: winner?.hash })
    }
  })

  it('the database itself refuses a second use, even if a vanished transaction returns', async () => {
    const gate = freshGate()
    const there = await coin(gate)
    const first = await accept(gate, spending([there], [90n], { feeRate: 1n }))
    const second = await accept(gate, spending([there], [90n], { feeRate: 2n }))
    const set = (state: string, { hash }: { hash: string }) =>
      query(test.url, 'update simulated_transactions set state = $1 where hash = $2', [state, hash])
    await expect(set('waiting', first)).rejects.toThrow('simulated_uses_are_used_once')
    await set('gone', second)
    await set('waiting', first)
    await expect(set('waiting', second)).rejects.toThrow('simulated_uses_are_used_once')
  })
})

it('pruning keeps old coins and balances spendable, and the blocks that prove the fate of a spend', async () => {
  const gate = freshGate()
  const there = await coin(gate)
  const spent = await accept(gate, spending([there], [90n]))
  const block = await chains().mine(gate, 1)
  await pay(gate, 'hot', 100n, 'ETH')
  for (let round = 0; round < 4; round++) await chains().mine(gate, 200)
  await chains().prune(gate, 10_000n)
  expect(await fateOf(gate, spent)).toMatchObject({ kind: 'mined', block })
  expect(await fateOf(gate, spending([there], [90n]))).toMatchObject({ kind: 'ruled_out', block })
  await accept(gate, spending([{ txHash: spent.hash, outputIndex: 0 }], [80n]))
  await accept(gate, sending('hot', 0n, 90n))
})
