import { networkIn } from '../../domain/assets.ts'
import { type Backing, backingObjection } from '../../domain/payout-backing.ts'
import type { Payout, PayoutStatus } from '../../domain/payouts.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

type Credit = NonNullable<Backing['credit']> & { readonly invoiceId: string }

// The statuses in which another refund of the same invoice counts: once approved, or once on its way.
const approvedOnes: readonly PayoutStatus[] = ['approved', 'processing', 'completed']
const goneOnes: readonly PayoutStatus[] = ['processing', 'completed']

/**
 * Why the balance or the invoice's credit does not cover a payout that is pending approval; null when they do. Locks its
 * invoice and the merchant's ledger until the caller's transaction ends.
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

/** The same without locks, for display. */
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

/** Thrown to roll back a transaction: a balance has turned negative since it was read. */
export class TurnedNegative extends Error {
  constructor(payoutId: string) {
    super(`The balance behind payout ${payoutId} has turned negative since it was read.`)
  }
}

/** Decides which payouts may leave, within one transaction that has locked them. */
export type Till = {
  /** Why this payout may not leave; null when it may, and then it counts against the refunds after it. */
  objectionTo(payout: Payout): string | null
  /**
   * The final check, which locks the ledgers until the transaction ends. The reversal of a deposit has either committed
   * before, and is seen here, or commits after these payouts have left. Throws if the transaction must not commit.
   */
  close(): Promise<void>
}

/**
 * Begins releasing payouts that the caller has locked. Locks the invoices of refunds. `close` locks the ledgers last, after
 * everything else the caller locks: all code takes locks in that order.
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

/** By refund payout: its invoice's credit, and the total of other refunds in the `counted` statuses. Locks the invoices. */
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
