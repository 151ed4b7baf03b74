import type { MerchantSettings as SettingsView } from '@sluice/web/contract'
import { defaultWindowSeconds } from '../../../app/invoices/create-invoice.ts'
import type { Settings } from '../../../app/merchants/read-settings.ts'
import { logoHash } from '../../../app/merchants/set-logo.ts'
import type { AssetRegistry } from '../../../domain/assets.ts'
import { inCheckoutOrder, usualOrder } from '../../../domain/checkout-order.ts'
import type { Merchant } from '../../../store/merchants/merchants.ts'
import { logoPath } from '../checkout/view.ts'

export function settingsView({ merchant, brand }: Settings, registry: AssetRegistry): SettingsView {
  const { logo } = brand
  return {
    merchant_id: merchant.id,
    name: merchant.name,
    base_currency: merchant.baseCurrency,
    tolerance_bps: merchant.toleranceBps,
    fees: feesView(merchant),
    default_window_seconds: defaultWindowSeconds,
    colour: brand.colour,
    logo:
      logo === null
        ? null
        : { media_type: logo.mediaType, bytes: logo.bytes.length, url: logoPath(logoHash(logo)) },
    embed_origins: [...brand.embedOrigins],
    currency_order: [...brand.order.currencies],
    network_order: [...brand.order.networks],
    currencies: inCheckoutOrder(registry, usualOrder).map(({ code, name }) => ({ code, name })),
    created_at: merchant.createdAt.toISOString(),
  }
}

export function feesView({ feeBps, payoutFeeBps, refundFeeBps }: Merchant): SettingsView['fees'] {
  return { fee_bps: feeBps, payout_fee_bps: payoutFeeBps, refund_fee_bps: refundFeeBps }
}
