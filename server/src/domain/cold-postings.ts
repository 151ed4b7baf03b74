import { type LedgerAsset, type LedgerTransaction, platform } from './ledger.ts'

/** Books funds that have arrived at the cold wallet. What merchants are owed stays the same. */
export function coldPostings(asset: LedgerAsset, spendId: string, units: bigint): LedgerTransaction {
  return {
    entryType: 'cold',
    subject: spendId,
    occurrence: 1,
    postings: [
      { account: platform(asset, 'chain'), units },
      { account: platform(asset, 'cold'), units: -units },
    ],
    reference: null,
    description: null,
  }
}

/** Reverses that booking: a reorganisation removed the transaction for good, so the funds never left. */
export function coldReversalPostings(asset: LedgerAsset, spendId: string, units: bigint): LedgerTransaction {
  const { postings } = coldPostings(asset, spendId, -units)
  return {
    entryType: 'cold_reversal',
    subject: spendId,
    occurrence: 1,
    postings,
    reference: null,
    description: 'A reorganisation removed the transaction to the cold wallet for good.',
  }
}

/** Books what a refill took out of the cold wallet, with its fee. The fee then leaves as any other does. */
export function refillPostings(asset: LedgerAsset, spendId: string, units: bigint): LedgerTransaction {
  const { postings } = coldPostings(asset, spendId, -units)
  return {
    entryType: 'refill',
    subject: spendId,
    occurrence: 1,
    postings,
    reference: null,
    description: null,
  }
}

/** Reverses that booking: a reorganisation removed the transaction for good, so the funds are cold as before. */
export function refillReversalPostings(
  asset: LedgerAsset,
  spendId: string,
  units: bigint,
): LedgerTransaction {
  const { postings } = coldPostings(asset, spendId, units)
  return {
    entryType: 'refill_reversal',
    subject: spendId,
    occurrence: 1,
    postings,
    reference: null,
    description: 'A reorganisation removed the transaction from the cold wallet for good.',
  }
}
