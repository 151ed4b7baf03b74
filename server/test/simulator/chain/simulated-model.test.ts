import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { coinName, useNames } from '../../../src/domain/uses.ts'
import { simulatedChainsOn } from '../../../src/simulator/chain/chains.ts'
import type { SimulatedExecution } from '../../../src/simulator/chain/rules.ts'
import type { Database } from '../../../src/store/database.ts'
import { MemoryChain } from '../../simulation/chain.ts'
import { randomOf } from '../../simulation/random.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'

const runs = 25
const steps = { minLength: 10, maxLength: 40 }

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 2)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const accounts = ['alice', 'bob', 'carol']
const output = (address: string, units: bigint, currency: string) => ({ address, tag: null, currency, units })
let gates = 0

/** The same chain twice: in the database, and as plain lists in memory. */
class Twins {
  readonly gate = `model${++gates}-test`
  readonly chains = simulatedChainsOn(database.db)
  readonly memory = new MemoryChain({
    random: randomOf(1),
    now: () => new Date(0),
    confirmations: 2,
    height: 0,
  })
  readonly executions: SimulatedExecution[] = []
  readonly coins: { txHash: string; outputIndex: number; units: bigint }[] = []
  #hashes = 0

  hash(): string {
    return `tx${++this.#hashes}`
  }

  async deposit(address: string, units: bigint, currency: string): Promise<void> {
    const hash = this.hash()
    const outputs = [output(address, units, currency)]
    const coin = `out of nowhere ${hash}`
    await this.chains.submit(this.gate, {
      coin,
      feeUnits: 2n,
      outputs,
      makeTransaction: () => ({ hash, bytes: null }),
    })
    this.memory.submit(hash, coin, 2n, outputs)
    if (currency === 'BTC') this.coins.push({ txHash: hash, outputIndex: 0, units })
  }

  async execute(execution: SimulatedExecution): Promise<void> {
    const refusal = await this.chains.execute(this.gate, execution)
    expect(refusal === null, `${refusal?.message}`).toBe(this.memory.execute(execution) === null)
  }

  async send(execution: Omit<SimulatedExecution, 'hash'>): Promise<void> {
    const made = { ...execution, hash: this.hash() }
    this.executions.push(made)
    for (const [outputIndex, { currency, units }] of made.outputs.entries())
      if (currency === 'BTC') this.coins.push({ txHash: made.hash, outputIndex, units })
    await this.execute(made)
  }

  async reorganise(depth: number, others: 'same_height' | 'next_height' | 'mempool', dropped: number) {
    const { height } = this.memory.tip
    if (BigInt(depth) > height) return
    const drop = this.memory.above(depth).filter((_, place) => place % 4 === dropped)
    const hashes = drop.map(({ hash }) => hash)
    await this.chains.reorganise(this.gate, depth, hashes, { others })
    this.memory.reorganise(depth, drop, others, 1)
  }

  /** Both agree about every transaction, and what is mined is possible. */
  async compare(): Promise<void> {
    for (const { hash, state, height } of this.memory.transactions)
      expect(await this.chains.transaction(this.gate, hash), hash).toMatchObject({ state, height })
    for (const { hash, uses } of this.executions) {
      const [kept, remembered] = [
        await this.chains.fate(this.gate, [{ hash, uses }]),
        await this.memory.shown.fate([{ hash, uses }]),
      ]
      expect(kept.kind, hash).toBe(remembered.kind)
      if (kept.kind === 'ruled_out' && remembered.kind === 'ruled_out')
        expect(kept.block.height).toBe(remembered.block.height)
    }
    for (const address of accounts)
      expect(await this.chains.nextNonce(this.gate, address)).toBe(await this.memory.shown.nextNonce(address))
    await this.#weigh()
  }

  /** Walks the chain block by block: nothing is used twice, no balance is negative, and no amount is lost. */
  async #weigh(): Promise<void> {
    const used = new Set<string>()
    const unspent = new Map<string, bigint>()
    const balances = new Map<string, bigint>()
    const add = (address: string, units: bigint) =>
      balances.set(address, (balances.get(address) ?? 0n) + units)
    let [minted, fees] = [0n, 0n]
    const byHash = new Map(this.executions.map((execution) => [execution.hash, execution]))
    const { height } = await this.chains.tip(this.gate)
    for (let at = 0n; at <= height; at++) {
      const block = await this.chains.block(this.gate, at)
      const spenders = new Set<SimulatedExecution>()
      for (const { txHash, outputIndex, address, currency, units } of block?.outputs ?? []) {
        const execution = byHash.get(txHash)
        if (execution === undefined) minted += units
        else spenders.add(execution)
        if (currency === 'BTC') unspent.set(coinName({ txHash, outputIndex }), units)
        else add(address, units)
      }
      for (const { uses, debits, feeUnits } of spenders) {
        fees += feeUnits
        for (const name of useNames(uses)) {
          expect(used.has(name), `${name} is used twice`).toBe(false)
          used.add(name)
          if (uses.kind === 'coins') expect(unspent.delete(name), `${name} does not exist`).toBe(true)
        }
        if (uses.kind === 'account') for (const { units } of debits) add(uses.address, -units)
      }
      // Within a block the order is the miner's: at its end no balance may be negative.
      for (const units of balances.values()) expect(units >= 0n).toBe(true)
    }
    const held = [...unspent.values(), ...balances.values()].reduce((sum, units) => sum + units, 0n)
    expect(held + fees).toBe(minted)
  }
}

type Step = (twins: Twins) => Promise<void>

const few = fc.nat({ max: 4 })
const rate = fc.nat({ max: 4 }).map(BigInt)
const deposit = fc.tuple(fc.constantFrom('coins', ...accounts), fc.integer({ min: 1, max: 100 })).map(
  ([address, units]): Step =>
    (twins) =>
      twins.deposit(address, BigInt(units), address === 'coins' ? 'BTC' : 'ETH'),
)
const spend = fc.tuple(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), rate, fc.nat({ max: 2 })).map(
  ([picks, feeRate, feeUnits]): Step =>
    async (twins) => {
      if (twins.coins.length === 0) return
      const places = new Set(picks.map((pick) => pick % twins.coins.length))
      const coins = twins.coins.filter((_, place) => places.has(place))
      const sum = coins.reduce((total, { units }) => total + units, 0n) - BigInt(feeUnits)
      if (sum < 2n) return
      const outputs = [output('coins', sum / 2n, 'BTC'), output('coins', sum - sum / 2n, 'BTC')]
      const uses = {
        kind: 'coins' as const,
        coins: coins.map(({ txHash, outputIndex }) => ({ txHash, outputIndex })),
      }
      await twins.send({ bytes: null, uses, outputs, debits: [], feeUnits: BigInt(feeUnits), feeRate })
    },
)
const transfer = fc
  .tuple(
    fc.constantFrom(...accounts),
    fc.constantFrom(...accounts),
    few,
    rate,
    fc.integer({ min: 1, max: 60 }),
  )
  .map(
    ([address, to, ahead, feeRate, units]): Step =>
      async (twins) => {
        // Mostly the next nonce or one close to it, sometimes one that is used.
        const next = await twins.chains.nextNonce(twins.gate, address)
        const nonce = next + BigInt(ahead) - 1n
        await twins.send({
          bytes: null,
          uses: { kind: 'account', address, nonce: nonce < 0n ? 0n : nonce },
          outputs: [output(to, BigInt(units), 'ETH')],
          debits: [{ currency: 'ETH', units: BigInt(units) + 1n }],
          feeUnits: 1n,
          feeRate,
        })
      },
  )
const again = fc.nat().map(
  (pick): Step =>
    async (twins) => {
      const known = twins.executions[pick % (twins.executions.length || 1)]
      if (known !== undefined) await twins.execute(known)
    },
)
async function mineOne(twins: Twins, room = 4_000): Promise<void> {
  await twins.chains.mine(twins.gate, 1, { maxTransactions: room })
  twins.memory.mine(1, room)
}
const mine = fc.nat({ max: 6 }).map(
  (room): Step =>
    (twins) =>
      mineOne(twins, room),
)
const reorganise = fc
  .tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom('same_height' as const, 'next_height' as const, 'mempool' as const),
    fc.nat({ max: 4 }),
  )
  .map(
    ([depth, others, dropped]): Step =>
      (twins) =>
        twins.reorganise(depth, others, dropped),
  )
const step = fc.oneof(
  { weight: 3, arbitrary: deposit },
  { weight: 4, arbitrary: spend },
  { weight: 4, arbitrary: transfer },
  { weight: 1, arbitrary: again },
  { weight: 4, arbitrary: mine },
  { weight: 2, arbitrary: reorganise },
)

it('through random sends, blocks and reorganisations nothing is spent twice, no balance is negative, and no unit is lost or created', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, steps), async (taken) => {
      const twins = new Twins()
      for (const address of accounts) await twins.deposit(address, 100n, 'ETH')
      for (let coin = 0; coin < 3; coin++) await twins.deposit('coins', 100n, 'BTC')
      await mineOne(twins)
      for (const take of taken) await take(twins)
      await twins.compare()
      // In the end everything that can be mined is mined.
      await mineOne(twins)
      await twins.compare()
    }),
    // Shrinking a failure would take longer than a test may; its seed is printed at once.
    { numRuns: runs, endOnFailure: true },
  )
})
