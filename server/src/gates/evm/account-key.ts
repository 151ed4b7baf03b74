import { writeAccountKey } from '../extended-key.ts'

/**
 * The extended public key of m/44'/60'/0' (BIP-44, SLIP-44), from the BIP-32 seed. For the holder of the seed (the
 * signer, or a command run beside it): what it returns is all that the rest of the service may see. One key serves
 * every EVM network, so a payment on the wrong one still arrives at an address of ours.
 */
export function evmAccountKey(seed: Uint8Array): string {
  return writeAccountKey(seed, "m/44'/60'/0'", 'xpub')
}
