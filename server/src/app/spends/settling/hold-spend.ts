import type { Payout, Refund } from '../../../domain/payouts.ts'
import type { Spend } from '../../../domain/spends.ts'
import type { Store } from '../../../store/store.ts'

/** A spend with everything that its end changes. */
export type HeldSpend = {
  readonly spend: Spend
  readonly payouts: readonly Payout[]
  /** By payout. */
  readonly refunds: ReadonlyMap<string, Refund>
}

/** Locks all of it until the transaction ends, in the order that all code keeps: invoices of refunds, payouts, the spend. */
export async function holdSpend(tx: Store, spendId: string): Promise<HeldSpend> {
  const refunds = new Map((await tx.refunds.ofSpend(spendId)).map((refund) => [refund.payout.id, refund]))
  await tx.invoices.lockMany([...refunds.values()].map(({ invoiceId }) => invoiceId))
  const payouts = await tx.payouts.lockOfSpend(spendId)
  return { refunds, payouts, spend: await tx.spends.lock(spendId) }
}
