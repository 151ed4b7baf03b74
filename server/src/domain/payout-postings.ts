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

/** Sets aside what a new payout will cost: its amount, the fee and the estimate for the network, an entry each. */
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

/** Sets aside more for the network; `raise` counts how often that happened to this payout, from 1. */
export function raisePostings(payout: Paid, extraUnits: bigint, raise: number): LedgerTransaction {
  return moved(payout, 'network_fee', raise + 1, -extraUnits)
}

/** Gives back everything that a payout holds, because it was cancelled or can never happen. */
export function releasePostings(payout: Paid, reason: string): LedgerTransaction {
  return { ...moved(payout, 'release', 1, chargedUnits(payout)), description: reason }
}

/**
 * Books a payout that has happened: the amount has left the chain, the fee is the platform's, and what was set aside for
 * the network beyond `networkFeeUnits` goes back. The network is paid by the chain account itself in its own coin; for a
 * token the operator paid it from its float, and gets the token's worth.
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
  return excess === 0n
    ? [settlement]
    : [settlement, { ...released, description: 'The network took less than was reserved for it.' }]
}

/**
 * Takes back a settlement, since a reorganisation has taken the payout's transaction away for good: nothing has left after all.
 * Everything that the merchant was charged is available again.
 */
export function undoPostings(payout: Paid, networkWasPaidIn: 'this' | 'native'): LedgerTransaction[] {
  // Completion has given back what the network did not take: what the payout says now is what was booked.
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
      description: 'The payout was completed, and a reorganisation took its transaction away for good.',
    },
  ]
}

/** Books what the network took for moving coins of ours, or for a payout in a token: from the operator's float. */
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
 * Books the difference when the network has taken more, or less, for a transaction that a reorganisation put into another block:
 * the operator's, whoever bore the fee at first. The first booking is number 1; this is one of those after it.
 */
export function gasAgainPostings(
  own: LedgerAsset,
  spendId: string,
  moreUnits: bigint,
  corrections: number,
): LedgerTransaction {
  return { ...gasPostings(own, spendId, moreUnits), occurrence: corrections + 1 }
}

/** Books what left the hot wallet outside this service, as a person has stated it: from the operator's float. */
export function outsidePostings(
  asset: LedgerAsset,
  moveId: string,
  units: bigint,
  statedBy: string,
): LedgerTransaction {
  const description = `The hot wallet was used outside this service, as ${statedBy} has stated.`
  return fromFloat(asset, moveId, units, description)
}

/** Books what a transaction took that was mined although its spend had been given up as ruled out: from the operator's float. */
export function returnedPostings(
  asset: LedgerAsset,
  moveId: string,
  units: bigint,
  { spendId, hash }: { readonly spendId: string; readonly hash: string },
): LedgerTransaction {
  const description = `Transaction ${hash} was mined after a reorganisation, although spend ${spendId} had ended without it.`
  return fromFloat(asset, moveId, units, description)
}

/** Books what a transaction paid for payouts that were lost with a newer database: from the operator's float. */
export function lostPostings(
  asset: LedgerAsset,
  spendId: string,
  units: bigint,
  hash: string,
): LedgerTransaction {
  const description = `Transaction ${hash} has paid payouts that this database has lost.`
  return fromFloat(asset, spendId, units, description)
}

/** Takes that back: the transaction was reorganised away for good. */
export function lostUndonePostings(
  asset: LedgerAsset,
  spendId: string,
  units: bigint,
  hash: string,
): LedgerTransaction {
  const description = `Transaction ${hash}, which has paid payouts that this database has lost, was reorganised away for good.`
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
