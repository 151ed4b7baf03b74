import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LedgerTransaction } from '../../src/domain/ledger.ts'
import {
  gasPostings,
  raisePostings,
  releasePostings,
  reservePostings,
  settlePostings,
} from '../../src/domain/payout-postings.ts'
import { splitFee } from '../../src/domain/spends.ts'

const payout = {
  id: '0190aaaa-0000-7000-8000-000000000001',
  merchantId: '0190aaaa-0000-7000-8000-000000000002',
  environment: 'test' as const,
  network: 'bitcoin',
  currency: 'BTC',
  decimals: 8,
  amountUnits: 1_000n,
  feeUnits: 10n,
  networkFeeUnits: 50n,
  refundId: null,
}

const on = (transactions: readonly LedgerTransaction[], kind: string) =>
  transactions
    .flatMap(({ postings }) => postings)
    .filter(({ account }) => account.kind === kind)
    .reduce((total, { units }) => total + units, 0n)

describe('the postings of a payout', () => {
  it('reserve the whole charge by moving it from available to reserved, with an entry for each part', () => {
    const reserve = reservePostings(payout)
    expect(reserve.map(({ entryType }) => entryType)).toEqual(['payout', 'payout_fee', 'network_fee'])
    expect([on(reserve, 'available'), on(reserve, 'reserved')]).toEqual([-1_060n, 1_060n])
  })

  it('refer to the refund if it is one, and leave out parts that are zero', () => {
    const refundId = '0190aaaa-0000-7000-8000-000000000003'
    const reserve = reservePostings({ ...payout, refundId, feeUnits: 0n })
    expect(reserve.map(({ entryType }) => entryType)).toEqual(['refund', 'network_fee'])
    expect(reserve.map(({ reference }) => reference)).toEqual(Array(2).fill({ type: 'refund', id: refundId }))
  })

  it('leave every account where it began, except the right ones, after any course of events', () => {
    const amounts = fc.bigInt(0n, 10n ** 30n)
    fc.assert(
      fc.property(
        amounts,
        amounts,
        amounts,
        amounts,
        fc.bigInt(0n, 100n),
        (amount, fee, network, raise, share) => {
          const asked = { ...payout, amountUnits: amount + 1n, feeUnits: fee, networkFeeUnits: network }
          const raised = { ...asked, networkFeeUnits: network + raise }
          const taken = (raised.networkFeeUnits * share) / 100n
          const opened = [
            ...reservePostings(asked),
            ...(raise === 0n ? [] : [raisePostings(asked, raise, 1)]),
          ]

          const released = [...opened, releasePostings(raised, 'cancelled')]
          for (const kind of ['available', 'reserved', 'chain', 'fees']) expect(on(released, kind)).toBe(0n)

          const native = [...opened, ...settlePostings(raised, taken, 'this')]
          expect(on(native, 'reserved')).toBe(0n)
          expect(on(native, 'available')).toBe(-(amount + 1n + fee + taken))
          expect(on(native, 'chain')).toBe(amount + 1n + taken)
          expect(on(native, 'fees')).toBe(fee)

          const token = [...opened, ...settlePostings(raised, taken, 'native')]
          expect(on(token, 'reserved')).toBe(0n)
          expect(on(token, 'chain')).toBe(amount + 1n)
          expect(on(token, 'network_fees')).toBe(taken)
          for (const { postings } of [...native, ...token]) {
            expect(postings.reduce((total, { units }) => total + units, 0n)).toBe(0n)
            expect(postings.every(({ units }) => units !== 0n)).toBe(true)
          }
        },
      ),
    )
  })

  it('charge gas to the operator: it leaves the chain and the float', () => {
    const gas = [gasPostings(payout, payout.id, 21_000n)]
    expect([on(gas, 'chain'), on(gas, 'float')]).toEqual([21_000n, -21_000n])
  })
})

it('a shared fee is split to the unit, with no part more than one unit above another', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 1, max: 100 }), (fee, count) => {
      const parts = splitFee(fee, count)
      expect(parts.reduce((total, part) => total + part, 0n)).toBe(fee)
      expect((parts[0] as bigint) - (parts.at(-1) as bigint) <= 1n).toBe(true)
    }),
  )
})
