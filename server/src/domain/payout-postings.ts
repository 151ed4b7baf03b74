import {
  type Account,
  type EntryType,
  type LedgerAsset,
  type LedgerTransaction,
  type Posting,
  platform,
  type Reference,
} from './ledger.ts'
import { chargedUnits, type Payout } from './payouts.ts'
import { say } from './reasons/reasons.ts'

type Paid = Pick<
  Payout,
  | 'id'
  | 'merchantId'
  | 'environment'
  | 'network'
  | 'currency'
  | 'decimals'
  | 'amountUnits'
  | 'feeUnits'
  | 'networkFeeUnits'
  | 'refundId'
>

/** Reserves the cost of a new payout: its amount, the fee and the estimated network fee, in one entry each. */
export function reservePostings(payout: Paid): LedgerTransaction[] {
  const types: readonly EntryType[] =
    payout.refundId === null
      ? ['payout', 'payout_fee', 'network_fee']
      : ['refund', 'refund_fee', 'network_fee']
  const amounts = [payout.amountUnits, payout.feeUnits, payout.networkFeeUnits]
  return amounts.flatMap((units, at) =>
    units === 0n ? [] : [moved(payout, types[at] as EntryType, 1, -units)],
  )
}

/** Reserves more for the network fee. `raise` counts this payout's raises from 1. */
export function raisePostings(payout: Paid, extraUnits: bigint, raise: number): LedgerTransaction {
  return moved(payout, 'network_fee', raise + 1, -extraUnits)
}

/** Releases everything that a payout reserved, because it was cancelled or can never happen. */
export function releasePostings(payout: Paid, reason: string): LedgerTransaction {
  return { ...moved(payout, 'release', 1, chargedUnits(payout)), description: reason }
}

/**
 * Books a completed payout: the amount has left the chain account, the fee is the platform's, and what was reserved
 * for the network beyond `networkFeeUnits` is released. For the native currency the chain account itself pays the
 * network. For a token the operator's float paid it, and the operator gets the fee's worth in the token.
 */
export function settlePostings(
  payout: Paid,
  networkFeeUnits: bigint,
  networkIsPaidIn: 'this' | 'native',
): LedgerTransaction[] {
  const asset = assetOf(payout)
  const excess = payout.networkFeeUnits - networkFeeUnits
  const postings: Posting[] = [
    { account: owned(payout, 'reserved'), units: excess - chargedUnits(payout) },
    {
      account: platform(asset, 'chain'),
      units: payout.amountUnits + (networkIsPaidIn === 'this' ? networkFeeUnits : 0n),
    },
    { account: platform(asset, 'fees'), units: payout.feeUnits },
    {
      account: platform(asset, 'network_fees'),
      units: networkIsPaidIn === 'this' ? 0n : networkFeeUnits,
    },
  ]
  const settlement: LedgerTransaction = {
    entryType: 'settlement',
    subject: payout.id,
    occurrence: 1,
    postings: postings.filter(({ units }) => units !== 0n),
    reference: referenceOf(payout),
    description: null,
  }
  const released = moved(payout, 'release', 1, excess)
  return excess === 0n ? [settlement] : [settlement, { ...released, description: say('ledger_fee_lower') }]
}

/**
 * Reverses a settlement after a reorganisation removed the payout's transaction for good, so that nothing has left after
 * all. Everything the merchant was charged becomes available again.
 */
export function undoPostings(payout: Paid, networkWasPaidIn: 'this' | 'native'): LedgerTransaction[] {
  // Completion released the unused part of the reserve, so the payout's network fee is now the booked one.
  const [settlement] = settlePostings(payout, payout.networkFeeUnits, networkWasPaidIn)
  if (settlement === undefined) throw new Error(`Payout ${payout.id} was never settled.`)
  return [
    {
      ...settlement,
      entryType: 'settlement_undone',
      postings: settlement.postings.map(({ account, units }) => ({ account, units: -units })),
    },
    {
      ...moved(payout, 'release', 2, chargedUnits(payout)),
      description: say('ledger_payout_undone'),
    },
  ]
}

/** Books the network fee of moving our own funds, or of a token payout. The operator's float pays it. */
export function gasPostings(own: LedgerAsset, spendId: string, feeUnits: bigint): LedgerTransaction {
  return {
    entryType: 'gas',
    subject: spendId,
    occurrence: 1,
    postings: [
      { account: platform(own, 'chain'), units: feeUnits },
      { account: platform(own, 'float'), units: -feeUnits },
    ],
    reference: null,
    description: null,
  }
}

/**
 * Books the difference when a reorganisation moved a transaction to another block and its network fee changed. The
 * operator bears it, even where a merchant bore the original fee. The original booking is occurrence 1; corrections follow
 * from 2.
 */
export function gasAgainPostings(
  own: LedgerAsset,
  spendId: string,
  moreUnits: bigint,
  corrections: number,
): LedgerTransaction {
  return { ...gasPostings(own, spendId, moreUnits), occurrence: corrections + 1 }
}

/** Books what left the hot wallet outside Sluice, as a person has stated. The operator's float bears it. */
export function outsidePostings(
  asset: LedgerAsset,
  moveId: string,
  units: bigint,
  statedBy: string,
): LedgerTransaction {
  const description = `The hot wallet was used outside Sluice, as ${statedBy} has stated.`
  return fromFloat(asset, moveId, units, description)
}

/** Books a transaction that was mined although its spend had ended as ruled out. The operator's float bears it. */
export function returnedPostings(
  asset: LedgerAsset,
  moveId: string,
  units: bigint,
  { spendId, hash }: { readonly spendId: string; readonly hash: string },
): LedgerTransaction {
  const description = `Transaction ${hash} was mined after a reorganisation, although spend ${spendId} had ended without it.`
  return fromFloat(asset, moveId, units, description)
}

/** Books a transaction that paid payouts which a restored database has lost. The operator's float bears it. */
export function lostPostings(
  asset: LedgerAsset,
  spendId: string,
  units: bigint,
  hash: string,
): LedgerTransaction {
  const description = `Transaction ${hash} paid payouts that this database has lost.`
  return fromFloat(asset, spendId, units, description)
}

/** Reverses the booking of lost payouts: a reorganisation removed their transaction for good. */
export function lostUndonePostings(
  asset: LedgerAsset,
  spendId: string,
  units: bigint,
  hash: string,
): LedgerTransaction {
  const description = `A reorganisation removed for good transaction ${hash}, which paid payouts that this database has lost.`
  return { ...fromFloat(asset, spendId, -units, description), occurrence: 2 }
}

function fromFloat(
  asset: LedgerAsset,
  moveId: string,
  units: bigint,
  description: string,
): LedgerTransaction {
  return {
    entryType: 'outside',
    subject: moveId,
    occurrence: 1,
    postings: [
      { account: platform(asset, 'chain'), units },
      { account: platform(asset, 'float'), units: -units },
    ],
    reference: null,
    description,
  }
}

function moved(
  payout: Paid,
  entryType: EntryType,
  occurrence: number,
  availableUnits: bigint,
): LedgerTransaction {
  return {
    entryType,
    subject: payout.id,
    occurrence,
    postings: [
      { account: owned(payout, 'available'), units: availableUnits },
      { account: owned(payout, 'reserved'), units: -availableUnits },
    ],
    reference: referenceOf(payout),
    description: null,
  }
}

function referenceOf({ id, refundId }: Paid): Reference {
  return refundId === null ? { type: 'payout', id } : { type: 'refund', id: refundId }
}

function assetOf({ environment, network, currency, decimals }: Paid): LedgerAsset {
  return { environment, network, currency, decimals }
}

function owned(payout: Paid, kind: 'available' | 'reserved'): Account {
  return { ...assetOf(payout), kind, merchantId: payout.merchantId }
}
