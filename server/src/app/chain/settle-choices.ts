import type { Gate } from '../../gates/gate.ts'
import type { AddressOwner } from '../../store/addresses/address-owners.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { confirming } from '../invoices/create-invoice.ts'
import { placeName, type Sighting } from './sightings.ts'

type Owners = ReadonlyMap<string, AddressOwner>

/**
 * The payer of a deferred invoice may have picked several assets, and the first payment decides: if it arrives for an earlier
 * choice, the invoice goes back to that. The invoices stay locked until the transaction ends, so nothing else can be picked
 * meanwhile. Returns the owners as they are then.
 */
export async function settleChoices(
  app: Pick<App, 'now' | 'present'>,
  tx: Store,
  gate: Gate,
  sightings: readonly Sighting[],
  found: Owners,
): Promise<Owners> {
  const deferred = new Set(sightings.flatMap((sighting) => deferredOf(found, sighting)?.id ?? []))
  if (deferred.size === 0) return found
  const { invoices } = await tx.invoices.lockMany([...deferred])
  const owners = await tx.addressOwners.find(gate.keychain, sightings)
  const decided = new Set<string>()
  for (const sighting of sightings) {
    const invoice = deferredOf(owners, sighting)
    if (invoice === null || decided.has(invoice.id)) continue
    const { earlier } = invoice
    if (!isPaymentOf(gate, earlier ?? invoice, sighting)) continue
    decided.add(invoice.id)
    if (earlier === null || (await tx.payments.isSeen(invoice.id))) continue
    const choices = await tx.invoiceChoices.of(invoice.id)
    const choice = choices.find(
      ({ asset }) => asset.gateId === gate.id && asset.currency === earlier.currency,
    )
    const present = invoices.find(({ id }) => id === invoice.id)
    if (choice === undefined || present === undefined)
      throw new Error(`Invoice ${invoice.id} has lost the choice that was paid.`)
    await tx.invoiceChoices.keep(present)
    await tx.events.append(confirming(app, await tx.invoices.saveAsset(invoice.id, choice)))
  }
  return tx.addressOwners.find(gate.keychain, sightings)
}

function deferredOf(owners: Owners, sighting: Sighting): AddressOwner['invoice'] {
  const invoice = owners.get(placeName(sighting))?.invoice ?? null
  return invoice?.isDeferred === true ? invoice : null
}

/** Whether a transfer to the address of an asset pays it: dust and other currencies do not. */
function isPaymentOf(
  gate: Gate,
  asset: { readonly gateId: string; readonly currency: string },
  { currency, units }: Sighting,
): boolean {
  const own = gate.assets.find((each) => each.currency === currency)
  return (
    own !== undefined && asset.gateId === gate.id && asset.currency === currency && units >= own.dustUnits
  )
}
