import { type LedgerAsset, type LedgerTransaction, platform } from './ledger.ts'
import type { AccountPlan, Spend } from './spends.ts'

/** A refill from a cold wallet that is an account. What it brings to the hot wallet is booked as any payment there. */
export function isAccountRefill({ kind, moved }: Pick<Spend, 'kind' | 'moved'>): boolean {
  return kind === 'refill' && moved !== null
}

/** The plan of a refill from an account, as it was prepared. */
export function refillPlanOf({ id, transactions }: Pick<Spend, 'id' | 'transactions'>): AccountPlan {
  const plan = transactions[0]?.plan
  if (plan?.kind !== 'account') throw new Error(`Spend ${id} is no refill from an account.`)
  return plan
}

/** An amount that has left the cold wallet. */
export type LeftCold = { readonly asset: LedgerAsset; readonly units: bigint }

/**
 * Books what a refill took out of the cold wallet: what it sent, and the fee. It has arrived, or was spent, as the operator's
 * float, so both leave the float as well. `booking` counts, from 1.
 */
export function accountRefillPostings(
  spendId: string,
  booking: number,
  left: readonly LeftCold[],
): LedgerTransaction {
  return {
    entryType: 'refill',
    subject: spendId,
    occurrence: booking,
    postings: summed(left).flatMap(({ asset, units }) => [
      { account: platform(asset, 'cold'), units },
      { account: platform(asset, 'float'), units: -units },
    ]),
    reference: null,
    description: null,
  }
}

/** Reverses that booking: after a reorganisation, the chain says otherwise. */
export function accountRefillReversal(
  spendId: string,
  booking: number,
  left: readonly LeftCold[],
): LedgerTransaction {
  const negated = left.map(({ asset, units }) => ({ asset, units: -units }))
  return {
    ...accountRefillPostings(spendId, booking, negated),
    entryType: 'refill_reversal',
    description: 'A reorganisation has changed what became of the transaction from the cold wallet.',
  }
}

/** One amount a currency, and none that is zero. */
function summed(left: readonly LeftCold[]): LeftCold[] {
  const sums = new Map<string, LeftCold>()
  for (const { asset, units } of left)
    sums.set(asset.currency, { asset, units: units + (sums.get(asset.currency)?.units ?? 0n) })
  return [...sums.values()].filter(({ units }) => units !== 0n)
}
