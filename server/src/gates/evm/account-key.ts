import type { KeyPath } from '../../domain/spends.ts'
import { privateKeyBelow, writeAccountKey } from '../extended-key.ts'

const account = "m/44'/60'/0'"

/**
 * The extended public key of m/44'/60'/0' (BIP-44, SLIP-44), from the BIP-32 seed. Only for the holder of the seed (the
 * signer, or a command run next to it). The rest of the service sees only this key. It serves every EVM network, so a
 * payment on the wrong network still arrives at an address of ours.
 */
export function evmAccountKey(seed: Uint8Array): string {
  return writeAccountKey(seed, account, 'xpub')
}

/** The private key of one of our addresses, 32 bytes. Only for the holder of the seed. */
export function evmKey(seed: Uint8Array, path: KeyPath): Uint8Array {
  return privateKeyBelow(seed, account, path)
}
