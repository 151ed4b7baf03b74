import type { StaticAddress as StaticAddressView } from '@sluice/sdk/contract'
import type { App } from '../../../app/app.ts'
import { addressRefused } from '../../../app/gates/gate-book.ts'
import { formatDecimal } from '../../../domain/money.ts'
import type { StaticAddress } from '../../../store/invoices/static-addresses.ts'

export function staticAddressView(
  { assets, proofs }: Pick<App, 'assets' | 'proofs'>,
  address: StaticAddress,
): StaticAddressView {
  const asset = assets
    .find(({ code }) => code === address.currency)
    ?.assets.find(({ network }) => network.id === address.network)
  if (asset === undefined)
    throw new Error(`${address.currency} on ${address.network} is no longer in the registry.`)
  const { keychain, depositPosition: position, addressTag: tag, addressProof: proof } = address
  if (!proofs.isOurs({ keychain, position, address: address.address, tag, proof }))
    throw addressRefused(address.network)
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
    total_received: formatDecimal(address.totalReceivedUnits, asset.decimals),
    invoice_count: address.invoiceCount,
    created_at: address.createdAt.toISOString(),
  }
}
