import type { Network } from '../domain/networks/network.ts'

/** A wallet's published public keys by network: account keys, or the one address that payouts leave from. */
export type WalletKeys = Readonly<Record<string, string | null>>

/** The public key of a network. Throws when the wallet has none. */
export function keyOf(keys: WalletKeys, { id, family }: Network): string {
  // All EVM networks share one account, so a network added after the keys were published has its key already.
  const found = keys[id] ?? (family === 'evm' ? keys.ethereum : null)
  if (found == null) throw new Error(`The wallet has no public key for ${id}.`)
  return found
}
