import { networkIn } from '../../domain/assets.ts'
import { type Backing, backingObjection } from '../../domain/payout-backing.ts'
import type { Payout, PayoutStatus } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

type Credit = NonNullable<Backing['credit']> & { readonly invoiceId: string }

// What another refund of the same invoice takes, once it is approved or once it is on its way.
const approvedOnes: readonly PayoutStatus[] = ['approved', 'processing', 'completed']
const goneOnes: readonly PayoutStatus[] = ['processing', 'completed']

/**
 * Why a payout that waits for approval would not be let go for want of what stands behind it; null when it would. Its invoice
 * and the merchant's ledger are held until the caller's transaction ends.
 */
export async function objectionOfBacking(
  { assets }: Pick<App, 'assets'>,
  tx: Store,
  payout: Payout,
): Promise<string | null> {
  const credit = (await holdCredits(tx, [payout], approvedOnes)).get(payout.id) ?? null
  const available = await tx.ledger.holdAvailable([payout])
  return backingObjection(payout, networkIn(assets, payout.network), {
    availableUnits: available(payout),
    credit,
  })
}

/** The same for whoever only looks: nothing is held. */
export async function readBacking(
  { store, assets }: Pick<App, 'store' | 'assets'>,
  payout: Payout,
): Promise<string | null> {
  const [refund] = payout.refundId === null ? [] : await store.refunds.ofPayouts([payout.id])
  const invoice = refund === undefined ? null : await store.invoices.find(payout, refund.invoiceId)
  const others = await store.refunds.taken(invoice === null ? [] : [invoice.id], approvedOnes, [payout.id])
  const credit =
    invoice === null
      ? null
      : {
          creditedUnits: invoice.paidUnits - invoice.feeUnits,
          refundedUnits: others.get(invoice.id) ?? 0n,
        }
  return backingObjection(payout, networkIn(assets, payout.network), {
    availableUnits: await store.balances.available(payout),
    credit,
  })
}

/** Thrown inside a transaction that must not commit: a balance has turned negative since it was read. */
export class TurnedNegative extends Error {
  constructor(payoutId: string) {
    super(`The balance behind payout ${payoutId} has turned negative meanwhile.`)
  }
}

/** Decides about payouts that are about to leave, all within one transaction that holds them. */
export type Till = {
  /** Why this one is not let go; null when it is, and then it counts against the refunds after it. */
  objectionTo(payout: Payout): string | null
  /**
   * The last look, for which the ledgers are held until the transaction ends: whoever takes a deposit back has either done so
   * before, which is seen here, or does so after these payouts were let go. Throws where the transaction must not commit.
   */
  close(): Promise<void>
}

/**
 * Begins to let payouts go that the caller holds. Holds the invoices of those that are refunds. Ledgers come last, after whatever
 * else the caller locks: others take them so, too.
 */
export async function openTill(
  { assets }: Pick<App, 'assets'>,
  tx: Store,
  payouts: readonly Payout[],
): Promise<Till> {
  const credits = await holdCredits(tx, payouts, goneOnes)
  const available = await tx.ledger.readAvailable(payouts)
  const refunded = new Map<string, bigint>()
  const passed: Payout[] = []
  return {
    objectionTo(payout) {
      const credit = credits.get(payout.id) ?? null
      const taken = credit === null ? 0n : (refunded.get(credit.invoiceId) ?? 0n)
      const objection = backingObjection(payout, networkIn(assets, payout.network), {
        availableUnits: available(payout),
        credit: credit === null ? null : { ...credit, refundedUnits: credit.refundedUnits + taken },
      })
      if (objection !== null) return objection
      if (credit !== null) refunded.set(credit.invoiceId, taken + payout.amountUnits)
      passed.push(payout)
      return null
    },
    async close() {
      if (passed.length === 0) return
      const now = await tx.ledger.holdAvailable(passed)
      const unbacked = passed.find((payout) => now(payout) < 0n)
      if (unbacked !== undefined) throw new TurnedNegative(unbacked.id)
    },
  }
}

/** By payout that is a refund: what its invoice is credited with, and what others of these statuses have taken. Invoices are held. */
async function holdCredits(
  tx: Store,
  payouts: readonly Payout[],
  counted: readonly PayoutStatus[],
): Promise<ReadonlyMap<string, Credit>> {
  const ids = payouts.filter(({ refundId }) => refundId !== null).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const refunds = await tx.refunds.ofPayouts(ids)
  const { invoices } = await tx.invoices.lockMany(refunds.map(({ invoiceId }) => invoiceId))
  const taken = await tx.refunds.taken(
    invoices.map(({ id }) => id),
    counted,
    ids,
  )
  const credited = new Map(invoices.map((invoice) => [invoice.id, invoice.paidUnits - invoice.feeUnits]))
  return new Map(
    refunds.map(({ invoiceId, payout }) => [
      payout.id,
      {
        invoiceId,
        creditedUnits: credited.get(invoiceId) ?? 0n,
        refundedUnits: taken.get(invoiceId) ?? 0n,
      },
    ]),
  )
}
