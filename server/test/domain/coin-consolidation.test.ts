import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConsolidationPolicy,
  chooseToConsolidate,
  inputCost,
} from '../../src/domain/coin-consolidation.ts'

const maxSpent = 20
const costs = (feeRate: bigint) => ({
  feeRate,
  sizeOf: (inputs: number) => 42n + 68n * BigInt(inputs),
  dustUnits: 294n,
})
const policy: ConsolidationPolicy = { belowRate: 5n, coins: 5, maxInputs: 10 }

/** What the store would find if these coins existed. */
function lying(units: readonly bigint[], feeRate: bigint, maxInputs = policy.maxInputs) {
  const worth = units
    .filter((each) => each > inputCost(costs(feeRate)))
    .sort((a, b) => Number(a - b))
    .map((each) => ({ units: each }))
  return {
    count: worth.length,
    units: worth.reduce((sum, each) => sum + each.units, 0n),
    smallest: worth.slice(0, maxInputs),
    largest: worth.slice(-maxSpent),
  }
}
const choose = (units: readonly bigint[], { feeRate = 5n, kept = 0n, by = policy } = {}) =>
  chooseToConsolidate(lying(units, feeRate, by.maxInputs), by, costs(feeRate), kept)
const equal = (count: number, units = 10_000n) => Array.from({ length: count }, () => units)

describe('choosing coins to consolidate', () => {
  it('takes the smallest coins, and leaves at least half of the spendable ones', () => {
    const choice = choose([1_000n, 2_000n, 3_000n, 4_000n, 5_000n, 100_000n])
    expect(choice?.inputs.map(({ units }) => units)).toEqual([1_000n, 2_000n, 3_000n, 4_000n, 5_000n])
    expect(choice).toMatchObject({ feeUnits: 1_910n, changeUnits: 13_090n })
    expect(choose(equal(7))?.inputs).toHaveLength(3)
    expect(choose(equal(8))?.inputs).toHaveLength(4)
  })

  it('takes none while there are no more coins than the operator allows', () => {
    expect(choose(equal(5))).toBeNull()
    expect(choose(equal(6))).not.toBeNull()
  })

  it('never takes more than the operator’s limit for a transaction', () => {
    expect(choose(equal(100))?.inputs).toHaveLength(10)
    expect(choose(equal(100), { by: { ...policy, maxInputs: 3 } })?.inputs).toHaveLength(3)
  })

  it('leaves out a coin that costs more than it is worth', () => {
    // An input costs 340.
    const choice = choose([340n, ...equal(4, 341n), ...equal(4, 50_000n)])
    expect(choice?.inputs.map(({ units }) => units)).toEqual([...equal(4, 341n), 50_000n])
    // Such coins do not count towards the number of coins either.
    expect(choose([...equal(20, 340n), ...equal(5)])).toBeNull()
  })

  it('takes none if the result would be dust', () => {
    expect(
      choose([...equal(4, 341n), 1_000_000n, 2_000_000n], { by: { ...policy, maxInputs: 4 } }),
    ).toBeNull()
  })

  it('leaves waiting payouts the coins that they need, at their value after the cost of spending them', () => {
    // Ten coins are worth 9,660 each when they are spent.
    expect(choose(equal(10), { kept: 5n * 9_660n })?.inputs).toHaveLength(5)
    expect(choose(equal(10), { kept: 5n * 9_660n + 1n })?.inputs).toHaveLength(4)
    expect(choose(equal(10), { kept: 8n * 9_660n })?.inputs).toHaveLength(2)
    expect(choose(equal(10), { kept: 9n * 9_660n })).toBeNull()
    // A payout spends only this many coins, so any more of them do not help it.
    expect(choose(equal(100), { kept: 20n * 9_660n })?.inputs).toHaveLength(10)
    expect(choose(equal(100), { kept: 20n * 9_660n + 1n })).toBeNull()
  })

  it('adds up, keeps its promises and takes no coin larger than those it leaves, for any set of coins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 200_000n), { maxLength: 60 }),
        fc.bigInt(1n, 50n),
        fc.bigInt(0n, 1_000_000n),
        (units, feeRate, kept) => {
          const choice = choose(units, { feeRate, kept })
          if (choice === null) return
          const { inputs, feeUnits, changeUnits } = choice
          const sum = inputs.reduce((total, each) => total + each.units, 0n)
          expect(sum).toBe(feeUnits + changeUnits)
          expect(feeUnits).toBe(feeRate * costs(feeRate).sizeOf(inputs.length))
          const all = lying(units, feeRate, 60)
          const rest = all.smallest.slice(inputs.length)
          expect(sum <= all.units - sum).toBe(true)
          expect(inputs.every((each) => rest.every((other) => other.units >= each.units))).toBe(true)
          const cost = inputCost(costs(feeRate))
          const atHand = rest.slice(-maxSpent).reduce((total, each) => total + each.units - cost, 0n)
          expect(atHand >= kept).toBe(true)
        },
      ),
    )
  })
})
