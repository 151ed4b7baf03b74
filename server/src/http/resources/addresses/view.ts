import type { StaticAddress as StaticAddressView } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { addressRefused } from '../../../app/gates/gate-book.ts'
import type { ValuedAddress } from '../../../app/static-addresses/value-addresses.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { baseValue } from '../values.ts'

export function staticAddressView(
  { proofs }: Pick<App, 'proofs'>,
  address: ValuedAddress,
): StaticAddressView {
  const { keychain, depositPosition: position, addressTag: tag, addressProof: proof } = address
  if (!proofs.isOurs({ keychain, position, address: address.address, tag, proof }))
    throw addressRefused(address.network)
  const { amount_in_base_currency, base_currency } = baseValue(address)
  return {
    id: address.id,
    merchant_id: address.merchantId,
    currency: address.currency,
    network: address.network,
    environment: address.environment,
    gate_id: address.gateId,
    address: address.address,
    address_tag: address.addressTag,
    label: address.label,
    total_received: formatDecimal(address.totalReceivedUnits, address.decimals),
    total_received_in_base_currency: amount_in_base_currency,
    base_currency,
    invoice_count: address.invoiceCount,
    created_at: address.createdAt.toISOString(),
  }
}
