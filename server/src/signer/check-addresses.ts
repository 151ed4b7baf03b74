import { keychainOf } from '../domain/networks/network.ts'
import type { Store } from '../store/store.ts'
import type { Wallet } from './wallet.ts'

/** How many addresses of a keychain are derived again at once; each takes up to a millisecond. */
const newest = 25

/** Keychains of the wallet whose newest deposit addresses in the database include one that is not the wallet's. */
export async function foreignKeychains(
  { store }: { readonly store: Pick<Store, 'depositAddresses'> },
  wallet: Pick<Wallet, 'environment' | 'publicKeys' | 'network' | 'depositAddress'>,
): Promise<Map<string, string>> {
  const networks = new Map(
    Object.keys(wallet.publicKeys).map((id) => [
      keychainOf(wallet.network(id).network, wallet.environment),
      id,
    ]),
  )
  const foreign = new Map<string, string>()
  for (const [keychain, id] of networks) {
    const { family } = wallet.network(id)
    for (const { position, address, tag } of await store.depositAddresses.newest(keychain, newest)) {
      const ours = family.depositAddress(position) ?? wallet.depositAddress(id, position)
      if (ours?.address !== address || ours.tag !== tag) foreign.set(keychain, address)
    }
  }
  return foreign
}
