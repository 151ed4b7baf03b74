import { describe, expect, it } from 'vitest'
import { dueUnits, overpaidUnits } from '../../src/domain/invoices.ts'
import { creditFee, settlementThreshold } from '../../src/domain/settlement.ts'
import { aCase, anInvoice, aPayment, assessed, deep } from './invoice-model.ts'

describe('rounding', () => {
  it.each([
    [100n, 0, 100n],
    [100n, 100, 99n],
    [101n, 100, 100n],
    [1n, 9999, 1n],
    [10_000n, 9999, 1n],
    [10_001n, 9999, 2n],
    [3n, 3333, 3n],
  ])('of %s with a tolerance of %s bps, %s settles the invoice', (amount, bps, threshold) => {
    expect(settlementThreshold(amount, bps)).toBe(threshold)
  })

  it('a payment one unit below the threshold is short, one at the threshold settles, and then nothing is due', () => {
    const invoice = anInvoice({ amountUnits: 101n, toleranceBps: 100 })
    const after = (units: bigint) => assessed(aCase({ invoice, payments: [aPayment(units, deep)] }))
    expect(after(99n).status).toBe('underpaid')
    expect(after(100n).status).toBe('paid')
    expect(after(101n).status).toBe('paid')
    expect(after(102n).status).toBe('overpaid')
    const asset = { amountUnits: 101n } as never
    expect(dueUnits({ status: 'paid', asset, settledUnits: 100n })).toBe(0n)
    expect(dueUnits({ status: 'underpaid', asset, settledUnits: 99n })).toBe(2n)
    expect(dueUnits({ status: 'expired', asset, settledUnits: 0n })).toBe(101n)
    expect(dueUnits({ status: 'pending', asset: null, settledUnits: 0n })).toBeNull()
    expect(overpaidUnits({ asset, settledUnits: 102n })).toBe(1n)
    expect(overpaidUnits({ asset, settledUnits: 100n })).toBe(0n)
  })

  it.each([
    [99n, 100, 0n],
    [100n, 100, 1n],
    [199n, 100, 1n],
    [7n, 10_000, 7n],
    [7n, 0, 0n],
  ])('of %s at %s bps the fee is %s', (units, bps, fee) => expect(creditFee(units, bps)).toBe(fee))
})
