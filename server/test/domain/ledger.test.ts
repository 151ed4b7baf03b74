import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Account,
  creditPostings,
  type LedgerTransaction,
  reversalPostings,
  suspensePostings,
} from '../../src/domain/ledger.ts'
import { aPayment } from './invoice-model.ts'

const asset = { environment: 'test', network: 'bitcoin', currency: 'BTC', decimals: 8 } as const
const deposit = { merchantId: 'merchant', asset, reference: { type: 'invoice', id: 'invoice' } } as const

const nameOf = ({ kind, merchantId }: Account) => `${kind} of ${merchantId ?? 'the platform'}`

/** The balance of each account after these transactions, without unused accounts. */
function balances(transactions: readonly LedgerTransaction[]): Record<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { account, units } of transactions.flatMap(({ postings }) => postings)) {
    sums.set(nameOf(account), (sums.get(nameOf(account)) ?? 0n) + units)
  }
  return Object.fromEntries([...sums].filter(([, units]) => units !== 0n))
}

function expectSound(transaction: LedgerTransaction): void {
  expect(transaction.postings.reduce((sum, { units }) => sum + units, 0n)).toBe(0n)
  expect(transaction.postings.every(({ units }) => units !== 0n)).toBe(true)
  const accounts = transaction.postings.map(({ account }) => nameOf(account))
  expect(new Set(accounts).size).toBe(accounts.length)
}

const booking = fc
  .record({
    units: fc.bigInt(1n, 10n ** 40n),
    share: fc.nat(100),
    occurrence: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ units, share, occurrence }) => ({
    payment: aPayment(units),
    feeUnits: (units * BigInt(share)) / 100n,
    occurrence,
  }))

it('every transaction sums to zero, and a reversal undoes its credit to the unit', () => {
  fc.assert(
    fc.property(booking, fc.boolean(), (given, late) => {
      const credits = creditPostings(deposit, { kind: 'credit', late, ...given })
      const reversal = reversalPostings(deposit, { kind: 'reversal', ...given })
      for (const transaction of [...credits, reversal]) expectSound(transaction)
      expect(balances([...credits, reversal])).toEqual({})
      expect(balances(credits)['available of merchant'] ?? 0n).toBe(given.payment.units - given.feeUnits)
      expect(balances(credits)['fees of the platform'] ?? 0n).toBe(given.feeUnits)
      expect(balances(credits)['chain of the platform']).toBe(-given.payment.units)
    }),
  )
})

it('a deposit without a fee is one transaction, and one with a fee two, each with a name of its own', () => {
  const payment = aPayment(100n)
  const credit = { kind: 'credit', payment, occurrence: 2, late: false } as const
  const types = (feeUnits: bigint, late = false) =>
    creditPostings(deposit, { ...credit, feeUnits, late }).map(({ entryType }) => entryType)
  expect(types(0n)).toEqual(['deposit'])
  expect(types(1n)).toEqual(['deposit', 'fee'])
  expect(types(1n, true)).toEqual(['late_deposit', 'fee'])
  for (const { subject, occurrence } of creditPostings(deposit, { ...credit, feeUnits: 1n }))
    expect({ subject, occurrence }).toEqual({ subject: payment.id, occurrence: 2 })
})

it('money in suspense belongs to no merchant, and taking it back undoes the booking', () => {
  const book = suspensePostings(asset, aPayment(7n), 1, 'book')
  const reverse = suspensePostings(asset, { ...aPayment(7n) }, 1, 'reverse')
  for (const transaction of [book, reverse]) {
    expectSound(transaction)
    expect(transaction.reference).toBeNull()
    expect(transaction.postings.every(({ account }) => account.merchantId === null)).toBe(true)
  }
  expect(balances([book])).toEqual({ 'suspense of the platform': 7n, 'chain of the platform': -7n })
  expect(balances([book, reverse])).toEqual({})
})
