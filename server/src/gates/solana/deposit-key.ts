import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { DepositAddress } from '../family.ts'
import { deriveEd25519 } from './slip10.ts'

// BIP-44 with Solana's number of SLIP-0044, counted at the account level and ended at the change level as
// Phantom does, so an operator who imports the seed there finds the same addresses.
const purpose = 44
const coinType = 501
const change = 0

/** The private key of deposit address number `index`, at m/44'/501'/index'/0'. For the seed's holder only. */
export function solanaDepositKey(seed: Uint8Array, index: number): Uint8Array {
  return deriveEd25519(seed, [purpose, coinType, index, change]).privateKey
}

/** Deposit address number `index`, from 0. For the holder of the seed only, who makes them ahead of need. */
export function solanaDepositAddress(seed: Uint8Array, index: number): DepositAddress {
  return { address: base58.encode(ed25519.getPublicKey(solanaDepositKey(seed, index))), tag: null }
}
