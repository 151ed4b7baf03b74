import type { Actor } from '../../domain/audit-log.ts'
import type { MerchantSettings } from '../../domain/caller.ts'
import type { Merchant } from '../../store/merchants/merchants.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { noSuchMerchant } from './read-settings.ts'

export type Fees = Pick<MerchantSettings, 'feeBps' | 'payoutFeeBps' | 'refundFeeBps'>

/**
 * Changes the fees that the operator has agreed with a merchant, and records that in the operator's audit log. Existing
 * invoices and payouts keep their fees.
 */
export async function changeFees(
  app: App,
  by: Actor,
  merchantId: string,
  fees: Partial<Fees>,
): Promise<Merchant> {
  return app.transaction(async (tx) => {
    const before = await tx.merchants.lock(merchantId)
    if (before === null) throw noSuchMerchant(merchantId)
    await tx.merchants.update(merchantId, fees)
    const after: Merchant = { ...before, ...fees }
    await noteAct(tx, by, null, {
      environment: null,
      action: 'merchant.fees_changed',
      subject: merchantId,
      details: {
        name: before.name,
        fee_bps: after.feeBps,
        payout_fee_bps: after.payoutFeeBps,
        refund_fee_bps: after.refundFeeBps,
        fee_bps_before: before.feeBps,
        payout_fee_bps_before: before.payoutFeeBps,
        refund_fee_bps_before: before.refundFeeBps,
      },
    })
    return after
  })
}
