import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { depthOf, paymentDepth } from '../../src/domain/confirmations.ts'
import { bitcoin } from '../../src/domain/networks/bitcoin.ts'
import { ethereum } from '../../src/domain/networks/ethereum.ts'
import { tierProblems } from '../../src/settings/tier-config.ts'

const depths = {
  confirmations: 2,
  confirmationTiers: [
    { fromUnits: 50n, confirmations: 4 },
    { fromUnits: 100n, confirmations: 6 },
  ],
}
const coin = { contractAddress: null }
const token = { contractAddress: '0x1' }
const depth = (stakedUnits: bigint, promised: number | null = null, least = 0) =>
  paymentDepth(depths, coin, { stakedUnits, promised, least })

describe('the depth that a payment needs', () => {
  it('is that of the highest tier that its amount reaches', () => {
    expect([0n, 49n, 50n, 99n, 100n, 10n ** 30n].map((units) => depthOf(depths, coin, units))).toEqual([
      2, 2, 4, 4, 6, 6,
    ])
    expect(depthOf({ ...depths, confirmationTiers: [] }, coin, 10n ** 30n)).toBe(2)
  })

  it('is never below the general minimum, whatever a tier says', () => {
    expect(depthOf({ ...depths, confirmations: 5 }, coin, 50n)).toBe(5)
  })

  it('is the general one for tokens, because tiers say nothing about their value', () => {
    expect(depthOf(depths, token, 10n ** 30n)).toBe(2)
    expect(paymentDepth(depths, token, { stakedUnits: 10n ** 30n, promised: 3, least: 0 })).toBe(3)
  })

  it('is at least what the invoice promised, what the value of the transaction demands and what the network demands', () => {
    expect([depth(1n), depth(1n, 6), depth(50n, 1), depth(1n, 1)]).toEqual([2, 6, 4, 1])
    expect([depth(100n, 4, 100), depth(100n, 4, 3)]).toEqual([100, 6])
  })

  it('never falls when more is paid', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 200n), fc.bigInt(0n, 200n), (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(depth(less)).toBeLessThanOrEqual(depth(more))
        // An invoice paid in parts needs the same depth as one paid at once.
        expect(depth(less, depthOf(depths, coin, more))).toBe(depth(more))
      }),
    )
  })
})

describe('tiers as an operator writes them', () => {
  const problems = (...entries: [string, number][]) =>
    tierProblems(
      bitcoin,
      2,
      entries.map(([from, confirmations]) => ({ from, confirmations })),
    )

  it('have rising amounts, and depths that do not fall', () => {
    expect(problems(['0.5', 4], ['1', 6], ['2', 6])).toEqual([])
    expect(problems(['0.5', 4], ['0.50', 6])).toEqual(["/1/from must be more than the previous tier's 0.5"])
    expect(problems(['1', 6], ['2', 5])).toEqual([
      "/1/confirmations must not be fewer than the previous tier's 6",
    ])
    expect(problems(['1', 1])).toEqual([
      '/0/confirmations must not be fewer than the 2 that every payment needs',
    ])
  })

  it('are amounts of the native currency, and every problem is reported', () => {
    expect(problems(['0', 3], ['1e3', 3], ['0.123456789', 1])).toEqual([
      '/0/from must be an amount above zero with up to 8 decimals, not "0"',
      '/1/from must be an amount above zero with up to 8 decimals, not "1e3"',
      '/2/from must be an amount above zero with up to 8 decimals, not "0.123456789"',
      '/2/confirmations must not be fewer than the 2 that every payment needs',
    ])
    expect(tierProblems(ethereum, 12, [{ from: '0.000000000000000001', confirmations: 12 }])).toEqual([])
  })
})
