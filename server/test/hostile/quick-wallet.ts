import { mnemonicToSeedSync } from '@scure/bip39'
import type { Network } from '../../src/domain/networks/network.ts'
import type { KeyPath } from '../../src/domain/spends.ts'
import { bitcoinKey } from '../../src/gates/bitcoin/account-key.ts'
import { evmKey } from '../../src/gates/evm/account-key.ts'
import type { Wallet } from '../../src/signer/wallet.ts'

/**
 * The same wallet, which derives each address and each key once. Deriving them takes longer than everything else that a
 * seed does, and a siege uses the same dozen over and over.
 */
export function quickWallet(wallet: Wallet, words: string): Wallet {
  const seed = mnemonicToSeedSync(words)
  const addresses = new Map<string, string | null>()
  const keys = new Map<string, Uint8Array>()
  const chain = wallet.environment === 'live' ? 'main' : 'test'

  function derive(network: Network, path: KeyPath): Uint8Array {
    if (network.family === 'bitcoin') return bitcoinKey(seed, network, chain, path)
    if (network.family === 'evm') return evmKey(seed, path)
    throw new Error(`There is no key of ${network.id} in a siege.`)
  }

  function once<T>(known: Map<string, T>, network: string, { chain, index }: KeyPath, make: () => T): T {
    const name = `${network} ${chain} ${index}`
    const found = known.get(name) ?? make()
    known.set(name, found)
    return found
  }

  return {
    ...wallet,
    addressAt: (network, path) => once(addresses, network, path, () => wallet.addressAt(network, path)),
    sign(id, plan) {
      const { network, family } = wallet.network(id)
      return family.sign(plan, (path) => once(keys, id, path, () => derive(network, path)))
    },
  }
}
