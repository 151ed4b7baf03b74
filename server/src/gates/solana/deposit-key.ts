import { base58 } from '@scure/base'
import type { DepositAddress } from '../family.ts'
import { deriveEd25519, ed25519PublicKey } from './slip10.ts'

// BIP-44 with Solana's coin type from SLIP-0044. The account level counts up and the change level is last, as in Phantom,
// so an operator who imports the seed there finds the same addresses.
const purpose = 44
const coinType = 501
const change = 0

/** The private key of the deposit address at `index`: m/44'/501'/index'/0'. Only for the holder of the seed. */
export function solanaDepositKey(seed: Uint8Array, index: number): Uint8Array {
  return deriveEd25519(seed, [purpose, coinType, index, change]).privateKey
}

/** The deposit address at `index`, from 0. Only for the holder of the seed, who derives them in advance. */
export function solanaDepositAddress(seed: Uint8Array, index: number): DepositAddress {
  return { address: base58.encode(ed25519PublicKey(solanaDepositKey(seed, index))), tag: null }
}
