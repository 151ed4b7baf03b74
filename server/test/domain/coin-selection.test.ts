import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseCoins } from '../../src/domain/coin-selection.ts'

const inputSize = 68n
const outputSize = 31n
const base = 11n
const sizeOf = (inputs: number, withChange: boolean) =>
  base + BigInt(inputs) * inputSize + outputSize * (withChange ? 2n : 1n)
const coin = (units: bigint) => ({ units })
const demand = (units: bigint, feeRate = 1n) => ({ units, feeRate, sizeOf, dustUnits: 294n, maxInputs: 20 })

describe('choosing coins', () => {
  it('spends exactly its inputs: payments, change and fee add up to them, and the fee pays for the size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 2_000_000n), { maxLength: 40 }),
        fc.bigInt(1n, 10_000_000n),
        fc.bigInt(1n, 200n),
        (units, wanted, feeRate) => {
          const choice = chooseCoins(units.map(coin), demand(wanted, feeRate))
          if (choice === null) return
          const sum = choice.inputs.reduce((total, each) => total + each.units, 0n)
          expect(sum).toBe(wanted + choice.feeUnits + (choice.changeUnits ?? 0n))
          const needed = feeRate * sizeOf(choice.inputs.length, choice.changeUnits !== null)
          expect(choice.feeUnits >= needed).toBe(true)
          expect(choice.inputs.length).toBeLessThanOrEqual(20)
          expect(new Set(choice.inputs).size).toBe(choice.inputs.length)
          if (choice.changeUnits !== null) expect(choice.changeUnits >= 294n).toBe(true)
          // The excess over the fee is never more than change would have cost.
          else expect(choice.feeUnits < needed + feeRate * outputSize + 294n).toBe(true)
        },
      ),
    )
  })

  it('finds coins whenever some set of them suffices', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 100_000n), { maxLength: 8 }),
        fc.bigInt(1n, 300_000n),
        (units, wanted) => {
          const coins = units.map(coin)
          const suffices = subsets(coins).some(
            (set) =>
              set.length > 0 &&
              set.reduce((total, each) => total + each.units, 0n) >= wanted + sizeOf(set.length, false),
          )
          expect(chooseCoins(coins, demand(wanted)) !== null).toBe(suffices)
        },
      ),
    )
  })

  it('prefers a set that leaves no change', () => {
    const exact = [50_000n, 30_000n].map(coin)
    const choice = chooseCoins([coin(500_000n), ...exact, coin(9_000n)], demand(80_000n - sizeOf(2, false)))
    expect(choice).toEqual({ inputs: exact, feeUnits: sizeOf(2, false), changeUnits: null })
  })

  it('takes the smallest single coin that suffices, and does not break the largest', () => {
    const choice = chooseCoins([coin(900_000n), coin(60_000n), coin(10_000n)], demand(20_000n))
    expect(choice?.inputs).toEqual([coin(60_000n)])
  })

  it('leaves out coins that cost more than they are worth', () => {
    const choice = chooseCoins([coin(100_000n), coin(60n), coin(50n)], demand(90_000n))
    expect(choice?.inputs).toEqual([coin(100_000n)])
  })
})

function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => sets.concat(sets.map((set) => [...set, item])), [[]])
}
