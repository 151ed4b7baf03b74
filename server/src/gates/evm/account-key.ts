import type { KeyPath } from '../../domain/spends.ts'
import { privateKeyBelow, writeAccountKey } from '../extended-key.ts'

const account = "m/44'/60'/0'"

/**
 * The extended public key of m/44'/60'/0' (BIP-44, SLIP-44), from the BIP-32 seed. For the holder of the seed (the
 * signer, or a command run beside it): what it returns is all that the rest of the service may see. One key serves
 * every EVM network, so a payment on the wrong one still arrives at an address of ours.
 */
export function evmAccountKey(seed: Uint8Array): string {
  return writeAccountKey(seed, account, 'xpub')
}

/** The private key of an address of ours, 32 bytes. For the holder of the seed only. */
export function evmKey(seed: Uint8Array, path: KeyPath): Uint8Array {
  return privateKeyBelow(seed, account, path)
}
