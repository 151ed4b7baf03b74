import type { Environment } from './environment.ts'
import type { Payment } from './invoices.ts'
import type { Credit, Reversal } from './settlement.ts'

const entryTypes = [
  'deposit',
  'late_deposit',
  'fee',
  'payout',
  'payout_fee',
  'network_fee',
  'refund',
  'refund_fee',
  'release',
  'reversal',
  'adjustment',
] as const
export type EntryType = (typeof entryTypes)[number]

/**
 * Bookings that no merchant sees in its ledger: coins that belong to nobody known, coins the operator brought, money that
 * has left (or has not after all), what the network took from the operator, and what the operator moved outside this service.
 */
export type InternalType =
  | 'suspense'
  | 'suspense_reversal'
  | 'float'
  | 'float_reversal'
  | 'settlement'
  | 'settlement_undone'
  | 'gas'
  | 'outside'

/** Accounts a merchant owns; the rest are the platform's, one of each kind for every asset. */
const merchantAccounts = ['available', 'reserved'] as const
export type AccountKind =
  | (typeof merchantAccounts)[number]
  | 'fees'
  | 'network_fees'
  | 'chain'
  | 'float'
  | 'suspense'

/** A currency on a network in an environment: what postings of one account are counted in. */
export type LedgerAsset = {
  readonly environment: Environment
  readonly network: string
  readonly currency: string
  readonly decimals: number
}

export type Account = LedgerAsset & { readonly kind: AccountKind; readonly merchantId: string | null }

/** Positive: more is due to the account's owner. `chain` stands for what the gates hold, and so runs below zero. */
export type Posting = { readonly account: Account; readonly units: bigint }

export type Reference = { readonly type: 'invoice' | 'payout' | 'refund'; readonly id: string }

/**
 * Something that moves money, once: type, subject and occurrence name it, and the database refuses a second of the
 * same name. Its postings sum to zero. A suspense booking is no merchant's and has no reference.
 */
export type LedgerTransaction = {
  readonly entryType: EntryType | InternalType
  readonly subject: string
  readonly occurrence: number
  readonly postings: readonly Posting[]
  readonly reference: Reference | null
  readonly description: string | null
}

type Deposit = { readonly merchantId: string; readonly asset: LedgerAsset; readonly reference: Reference }

const available = ({ asset, merchantId }: Deposit): Account => ({ ...asset, kind: 'available', merchantId })
export const platform = (asset: LedgerAsset, kind: AccountKind): Account => ({
  ...asset,
  kind,
  merchantId: null,
})

/** Credits a confirmed payment, and takes the platform's fee from it in an entry of its own. */
export function creditPostings(deposit: Deposit, credit: Credit): LedgerTransaction[] {
  const { payment, occurrence, late, feeUnits } = credit
  const common = { subject: payment.id, occurrence, reference: deposit.reference, description: null }
  const transactions: LedgerTransaction[] = [
    {
      ...common,
      entryType: late ? 'late_deposit' : 'deposit',
      postings: [
        { account: available(deposit), units: payment.units },
        { account: platform(deposit.asset, 'chain'), units: -payment.units },
      ],
    },
  ]
  if (feeUnits > 0n) {
    transactions.push({
      ...common,
      entryType: 'fee',
      postings: [
        { account: available(deposit), units: -feeUnits },
        { account: platform(deposit.asset, 'fees'), units: feeUnits },
      ],
    })
  }
  return transactions
}

/** Takes back what a vanished payment had brought: the merchant loses the net amount, the platform its fee. */
export function reversalPostings(deposit: Deposit, reversal: Reversal): LedgerTransaction {
  const { payment, occurrence, feeUnits } = reversal
  const postings = [
    { account: available(deposit), units: feeUnits - payment.units },
    { account: platform(deposit.asset, 'fees'), units: -feeUnits },
    { account: platform(deposit.asset, 'chain'), units: payment.units },
  ]
  return {
    entryType: 'reversal',
    subject: payment.id,
    occurrence,
    postings: postings.filter(({ units }) => units !== 0n),
    reference: deposit.reference,
    description: `The payment in ${payment.txHash} was reorganised away.`,
  }
}

/** Books a confirmed payment that belongs to nobody known, or to the operator, or takes that back. */
export function suspensePostings(
  asset: LedgerAsset,
  payment: Pick<Payment, 'id' | 'units'>,
  occurrence: number,
  direction: 'book' | 'reverse',
  kind: 'suspense' | 'float' = 'suspense',
): LedgerTransaction {
  const units = direction === 'book' ? payment.units : -payment.units
  return {
    entryType: direction === 'book' ? kind : `${kind}_reversal`,
    subject: payment.id,
    occurrence,
    postings: [
      { account: platform(asset, kind), units },
      { account: platform(asset, 'chain'), units: -units },
    ],
    reference: null,
    description: null,
  }
}

/**
 * Gives a merchant what was booked to suspense, or takes that back when the payment is reorganised away. `booking` counts how
 * often the payment was booked.
 */
export function suspenseReleasePostings(
  asset: LedgerAsset,
  payment: Pick<Payment, 'id' | 'units' | 'txHash'>,
  release: { readonly merchantId: string; readonly note: string },
  booking: number,
  direction: 'book' | 'reverse',
): LedgerTransaction {
  const isGiven = direction === 'book'
  const units = isGiven ? payment.units : -payment.units
  return {
    entryType: 'adjustment',
    subject: payment.id,
    occurrence: 2 * booking + (isGiven ? 0 : 1),
    postings: [
      { account: { ...asset, kind: 'available', merchantId: release.merchantId }, units },
      { account: platform(asset, 'suspense'), units: -units },
    ],
    reference: null,
    description: isGiven
      ? `Released from suspense, paid in ${payment.txHash}: ${release.note}`
      : `The payment in ${payment.txHash}, which was released from suspense, was reorganised away.`,
  }
}
