import type { SuspensePayment } from '@sluice/sdk/contract'
import type { ValuedPayment } from '../../../app/suspense/value-held.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import { confirmationsOf } from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { suspenseStatus } from '../../../domain/suspense.ts'
import { baseValue } from '../values.ts'

function suspenseView(assets: AssetRegistry, payment: ValuedPayment): SuspensePayment {
  return {
    id: payment.id,
    environment: payment.environment,
    network: payment.network,
    currency: payment.currency,
    amount: formatDecimal(payment.units, payment.decimals),
    ...baseValue(payment),
    address: payment.address,
    address_tag: payment.tag,
    tx_hash: payment.txHash,
    explorer_url: explorerUrl(networkIn(assets, payment.network), payment.environment, payment.txHash),
    reason: payment.reason,
    status: suspenseStatus(payment),
    confirmations: Number(confirmationsOf(payment, payment.tip)),
    required_confirmations: payment.requiredConfirmations,
    invoice_id: payment.invoiceId,
    static_address_id: payment.staticAddressId,
    seen_at: payment.seenAt.toISOString(),
    released_at: payment.release?.at.toISOString() ?? null,
  }
}

/** The same for a merchant, without details of another merchant's address. */
export function suspenseViewFor(
  assets: AssetRegistry,
  merchantId: string,
  payment: ValuedPayment,
): SuspensePayment {
  const view = suspenseView(assets, payment)
  return payment.merchantId === merchantId ? view : { ...view, invoice_id: null, static_address_id: null }
}

/** The same for an operator, who may know whose it is. */
export function operatorSuspenseView(assets: AssetRegistry, payment: ValuedPayment) {
  const { merchantId, release } = payment
  return {
    payment: suspenseView(assets, payment),
    merchant_id: merchantId,
    released_to: release?.merchantId ?? null,
    released_by: release?.by ?? null,
    note: release?.note ?? null,
  }
}
