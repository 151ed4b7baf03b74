import type { Environment } from './environment.ts'
import type { Payment } from './invoices.ts'
import { say } from './reasons/reasons.ts'
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
 * Bookings that no merchant sees in its ledger: deposits without a known owner, funds that the operator paid in, money
 * that has left (or whose departure was undone), network fees that the operator bore, funds that the operator moved
 * outside Sluice, and funds that went to the cold wallet or came back from it (or whose move was undone).
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
  | 'cold'
  | 'cold_reversal'
  | 'refill'
  | 'refill_reversal'

/** The accounts that a merchant owns. All others belong to the platform, one of each kind per asset. */
const merchantAccounts = ['available', 'reserved'] as const
export type AccountKind =
  | (typeof merchantAccounts)[number]
  | 'fees'
  | 'network_fees'
  | 'chain'
  | 'cold'
  | 'float'
  | 'suspense'

/** A currency on a network in an environment: the unit of an account's postings. */
export type LedgerAsset = {
  readonly environment: Environment
  readonly network: string
  readonly currency: string
  readonly decimals: number
}

export type Account = LedgerAsset & { readonly kind: AccountKind; readonly merchantId: string | null }

/**
 * A positive amount is owed to the account's owner. `chain` mirrors what the gates hold and `cold` what the operator's cold
 * wallet holds for the owners, so their balances are negative.
 */
export type Posting = { readonly account: Account; readonly units: bigint }

export type Reference = { readonly type: 'invoice' | 'payout' | 'refund'; readonly id: string }

/**
 * A movement of money. Type, subject and occurrence identify it, and the database refuses a second one with the same
 * three. Its postings sum to zero. A suspense booking belongs to no merchant and has no reference.
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

/** Credits a confirmed payment, and deducts the platform's fee in a separate entry. */
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

/** Reverses the credit of a vanished payment: the merchant loses the net amount, the platform its fee. */
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
    description: say('ledger_payment_removed', { hash: payment.txHash }),
  }
}

/** Books a confirmed payment that has no known owner or belongs to the operator, or reverses that booking. */
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
 * Releases a suspense payment to a merchant, or reverses the release when a reorganisation removes the payment. `booking`
 * counts how often the payment was booked.
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
      ? say('ledger_released', { hash: payment.txHash, note: release.note })
      : say('ledger_release_removed', { hash: payment.txHash }),
  }
}
