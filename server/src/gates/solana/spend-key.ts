import { base58 } from '@scure/base'
import { hotKey, type KeyPath } from '../../domain/spends.ts'
import { solanaDepositKey } from './deposit-key.ts'
import { deriveEd25519, ed25519PublicKey } from './slip10.ts'

// Deposit addresses have 0' at the change level (see solanaDepositKey). Our own have 1', so that the two never overlap.
const purpose = 44
const coinType = 501
const own = 1

/**
 * The private key of one of our addresses, 32 bytes: m/44'/501'/index'/0' for deposits, m/44'/501'/index'/1' for our own.
 * Only for the holder of the seed.
 */
export function solanaKey(seed: Uint8Array, { chain, index }: KeyPath): Uint8Array {
  return chain === 'deposit'
    ? solanaDepositKey(seed, index)
    : deriveEd25519(seed, [purpose, coinType, index, own]).privateKey
}

/** The address that payouts leave from. Only the holder of the seed can derive it; the result may be published. */
export function solanaHotAddress(seed: Uint8Array): string {
  return base58.encode(ed25519PublicKey(solanaKey(seed, hotKey)))
}
