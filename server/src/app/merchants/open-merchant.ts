import type { Actor } from '../../domain/audit-log.ts'
import type { MerchantSettings } from '../../domain/caller.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { invalid } from '../choose-asset.ts'
import { createMerchant } from './create-merchant.ts'

/** Creates a merchant on behalf of an actor, and records that in the operator's audit log. */
export async function openMerchant(
  app: App,
  by: Actor,
  input: { readonly name: string; readonly settings: Partial<MerchantSettings> },
): Promise<{ merchantId: string }> {
  const { baseCurrency, feeBps, payoutFeeBps, refundFeeBps, toleranceBps } = input.settings
  if (baseCurrency !== undefined && fiatMinorDigits(baseCurrency) === null)
    throw invalid('/base_currency: must be a fiat code such as USD or EUR')
  return app.transaction(async (tx) => {
    const made = await createMerchant({ ...app, store: tx }, input)
    await noteAct(tx, by, null, {
      environment: null,
      action: 'merchant.created',
      subject: made.merchantId,
      details: {
        name: input.name,
        ...(baseCurrency !== undefined && { base_currency: baseCurrency }),
        ...(feeBps !== undefined && { fee_bps: feeBps }),
        ...(payoutFeeBps !== undefined && { payout_fee_bps: payoutFeeBps }),
        ...(refundFeeBps !== undefined && { refund_fee_bps: refundFeeBps }),
        ...(toleranceBps !== undefined && { tolerance_bps: toleranceBps }),
      },
    })
    return made
  })
}
