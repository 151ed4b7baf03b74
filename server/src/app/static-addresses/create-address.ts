import type { Caller } from '../../domain/caller.ts'
import { uuidv7 } from '../../domain/ids.ts'
import type { StaticAddress } from '../../store/invoices/static-addresses.ts'
import type { App } from '../app.ts'
import { noteActOf } from '../audit/note-act.ts'
import { assetOf } from '../choose-asset.ts'
import { gateOffline, noAddress, receivingGate } from '../gates/gate-book.ts'

/** Gives the caller a permanent deposit address for an asset; every deposit to it creates an invoice. */
export async function createAddress(
  app: App,
  caller: Caller,
  input: { readonly currency: string; readonly network: string | null; readonly label: string | null },
): Promise<StaticAddress> {
  const { currency, asset } = assetOf(app.assets, input)
  const gate = await receivingGate(app.gates, currency.code, asset.network.id, caller.environment)
  if (await app.store.gatesOffline.isOffline(caller, gate.id)) throw gateOffline(asset.network.id)
  const { keychain } = gate
  const [address] = (await app.addresses.take(keychain, 1)) ?? []
  if (address === undefined) throw noAddress(asset.network.id)
  const draft = {
    id: uuidv7(app.now()),
    merchantId: caller.merchantId,
    environment: caller.environment,
    currency: currency.code,
    network: asset.network.id,
    gateId: gate.id,
    keychain,
    depositPosition: BigInt(address.position),
    address: address.address,
    addressTag: address.tag,
    addressProof: address.proof,
    label: input.label,
  }
  if (caller.person === null) return app.store.staticAddresses.insert(draft)
  return app.transaction(async (tx) => {
    const made = await tx.staticAddresses.insert(draft)
    const details = { address: made.address, label: made.label }
    await noteActOf(tx, caller, { action: 'address.created', subject: made.id, details })
    return made
  })
}
