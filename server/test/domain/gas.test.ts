import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gasLimitFor } from '../../src/domain/gas.ts'
import { planFromJson, planToJson } from '../../src/domain/plan-json.ts'
import { type AccountPlan, feeOf, hotKey, maxFeeOf } from '../../src/domain/spends.ts'

it('a plain transfer gets exactly the gas that it needs', () => {
  for (const gas of [0n, 1n, 20_999n, 21_000n]) expect(gasLimitFor(gas)).toBe(21_000n)
})

it('any other transfer gets a quarter more, and no transfer gets more than two million', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 21_001n, max: 10_000_000n }), (gas) => {
      const limit = gasLimitFor(gas)
      if (limit === null) {
        expect(gas * 5n).toBeGreaterThan(2_000_000n * 4n)
        return
      }
      expect(limit * 4n).toBeGreaterThanOrEqual(gas * 5n)
      expect((limit - 1n) * 4n).toBeLessThan(gas * 5n)
      expect(limit).toBeLessThanOrEqual(2_000_000n)
    }),
  )
})

it('the fee for data counts towards the maximum cost of a transfer, and is stored with its plan', () => {
  const plan: AccountPlan = {
    kind: 'account',
    from: { address: '0x1', key: hotKey },
    nonce: 0n,
    to: { address: '0x2', tag: null },
    currency: 'ETH',
    contractAddress: null,
    units: 1n,
    gasLimit: 21_000n,
    gasPrice: 10n,
    payoutId: null,
  }
  expect(maxFeeOf(plan)).toBe(210_000n)
  const dearer = { ...plan, dataFeeUnits: 2n ** 70n }
  expect(maxFeeOf(dearer)).toBe(210_000n + 2n ** 70n)
  expect(feeOf(dearer, 0n)).toBe(2n ** 70n)
  for (const each of [plan, dearer]) expect(planFromJson(planToJson(each))).toEqual(each)
})
