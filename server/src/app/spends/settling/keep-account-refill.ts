import {
  accountRefillPostings,
  accountRefillReversal,
  type LeftCold,
} from '../../../domain/account-refills.ts'
import type { LedgerTransaction } from '../../../domain/ledger.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { SpendEnd } from '../../../store/spends/spends.ts'
import type { Store } from '../../../store/store.ts'
import { assetOn, ledgerAsset, nativeAsset } from '../hot-wallet/native-asset.ts'

/** The posting of what a refill from an account took out of the cold wallet; none if that is nothing. */
export async function keepAccountRefill(
  tx: Store,
  gate: Gate,
  spend: Spend,
  end: SpendEnd,
): Promise<LedgerTransaction[]> {
  if (end.status === 'dead') return []
  const sent = end.status === 'final' ? sentBy(gate, spend) : []
  const native = nativeAsset(gate).currency
  const held = await tx.accountRefills.coldUnits(gate.id, native)
  const sentNative = sent.reduce(
    (sum, { asset, units }) => (asset.currency === native ? sum + units : sum),
    0n,
  )
  // The operator may have put gas there, which is in no book.
  const coldFeeUnits = between(end.feeUnits, held - sentNative)
  const booking = await tx.accountRefills.book(spend.id, coldFeeUnits)
  return posted(accountRefillPostings(spend.id, booking, [...sent, feeOf(gate, coldFeeUnits)]))
}

/** The posting that reverses the newest booking of an ended refill. */
export async function takeBackAccountRefill(
  tx: Store,
  gate: Gate,
  spend: Spend,
): Promise<LedgerTransaction[]> {
  if (spend.status !== 'final' && spend.status !== 'reverted') return []
  const { booking, coldFeeUnits } = await tx.accountRefills.newestBooking(spend.id)
  const sent = spend.status === 'final' ? sentBy(gate, spend) : []
  return posted(accountRefillReversal(spend.id, booking, [...sent, feeOf(gate, coldFeeUnits)]))
}

function sentBy(gate: Gate, { id, moved }: Spend): LeftCold[] {
  if (moved === null) throw new Error(`Spend ${id} is no refill from an account.`)
  return [{ asset: ledgerAsset(gate, assetOn(gate, moved.currency)), units: moved.units }]
}

function feeOf(gate: Gate, units: bigint): LeftCold {
  return { asset: ledgerAsset(gate, nativeAsset(gate)), units }
}

function posted(transaction: LedgerTransaction): LedgerTransaction[] {
  return transaction.postings.length === 0 ? [] : [transaction]
}

/** At most `most`, and never negative. */
function between(units: bigint, most: bigint): bigint {
  if (most <= 0n) return 0n
  return units < most ? units : most
}
