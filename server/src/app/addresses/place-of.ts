import type { InvoiceAsset } from '../../domain/invoices.ts'
import type { Place } from '../../store/addresses/deposit-addresses.ts'
import type { AddressProofs } from './address-proofs.ts'

/** Where an asset is paid; null if the database names an address that is not ours. */
export function placeOf(proofs: AddressProofs, asset: InvoiceAsset): Place | null {
  const place = { address: asset.depositAddress, tag: asset.depositAddressTag }
  const { keychain, depositPosition: position, depositAddressProof: proof } = asset
  return proofs.isOurs({ keychain, position, proof, ...place }) ? place : null
}
