import { type Filling, fillPool, type Keychain } from '../app/addresses/fill-pool.ts'
import type { App } from '../app/app.ts'
import type { Marks } from '../domain/address-demand.ts'
import { keychainOf } from '../domain/networks/network.ts'
import type { Stock } from '../store/addresses/deposit-addresses.ts'
import type { Wallet } from './wallet.ts'

/** Fills the pools of keychains whose addresses only the seed can derive. Returns how many addresses were added. */
export async function fillAddresses(
  app: Pick<App, 'store' | 'proofs'>,
  wallet: Wallet,
  marks: Marks | ((stock: Stock) => Marks),
  options: Filling = {},
): Promise<number> {
  return fillPool(app, seedOnlyKeychains(wallet), marks, options)
}

function seedOnlyKeychains(wallet: Wallet): Keychain[] {
  return Object.keys(wallet.publicKeys)
    .filter((id) => wallet.depositAddress(id, 0) !== null)
    .map((id) => ({
      id: keychainOf(wallet.network(id).network, wallet.environment),
      depositAddress: (index) => wallet.depositAddress(id, index),
    }))
}
