import { mnemonicToSeedSync } from '@scure/bip39'
import type { Network } from '../../src/domain/networks/network.ts'
import type { KeyPath } from '../../src/domain/spends.ts'
import { bitcoinKey } from '../../src/gates/bitcoin/account-key.ts'
import { evmKey } from '../../src/gates/evm/account-key.ts'
import { solanaKey } from '../../src/gates/solana/spend-key.ts'
import type { Wallet, WalletNetwork } from '../../src/signer/wallet.ts'

/** Beyond this many, what is known is found out again: attackers make up plans without end. */
const mostKnown = 5_000

/**
 * The same wallet, which derives each address and each key once, signs each plan once and reads each signature once. That
 * takes longer than everything else that a seed does, and seeds begin with the same plans over and over.
 */
export function quickWallet(wallet: Wallet, words: string): Wallet {
  const seed = mnemonicToSeedSync(words)
  const chain = wallet.environment === 'live' ? 'main' : 'test'

  function derive(network: Network, path: KeyPath): Uint8Array {
    if (network.family === 'bitcoin') return bitcoinKey(seed, network, chain, path)
    if (network.family === 'evm') return evmKey(seed, path)
    if (network.family === 'solana') return solanaKey(seed, path)
    throw new Error(`There is no key of ${network.id} in a siege.`)
  }

  const placed = ({ chain, index }: KeyPath) => `${chain} ${index}`
  const address = once((network: string, path: KeyPath) => wallet.addressAt(network, path), placed)
  const key = once((network: string, path: KeyPath) => derive(wallet.network(network).network, path), placed)
  const sign = once<Parameters<Wallet['sign']>[1], ReturnType<Wallet['sign']>>(
    (network, plan) => wallet.network(network).family.sign(plan, (path) => key(network, path)),
    (plan) => JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  )
  const read = once(
    (network: string, bytes: Uint8Array) => wallet.network(network).family.read(bytes),
    (bytes) => Buffer.from(bytes).toString('hex'),
  )
  const networks = new Map<string, WalletNetwork>()

  return {
    ...wallet,
    addressAt: address,
    sign,
    network(id) {
      const known = networks.get(id)
      if (known !== undefined) return known
      const found = wallet.network(id)
      const quick = { ...found, family: { ...found.family, read: (bytes: Uint8Array) => read(id, bytes) } }
      networks.set(id, quick)
      return quick
    },
  }
}

/** Finds something out once. What cannot be found out is tried again. */
function once<T, R>(find: (network: string, of: T) => R, nameOf: (of: T) => string) {
  const known = new Map<string, { readonly found: R }>()
  return (network: string, of: T): R => {
    const name = `${network} ${nameOf(of)}`
    const kept = known.get(name)
    if (kept !== undefined) return kept.found
    const found = find(network, of)
    if (known.size >= mostKnown) known.clear()
    known.set(name, { found })
    return found
  }
}
