import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'

const publicKeyBytes = 32
// 32 bytes in base58: 32 characters when all are zero, 44 at most. Checked first, because decoding is quadratic.
const addressPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** The 32 bytes of an address or hash; null if it is not one. Base58 has exactly one encoding per byte string. */
export function decodePublicKey(address: string): Uint8Array | null {
  if (!addressPattern.test(address)) return null
  const key = base58.decode(address)
  return key.length === publicKeyBytes ? key : null
}

/**
 * Whether a private key for it can exist. A program derived address, such as an associated token account, is off the curve
 * by construction: no one can sign for it, and funds or a token account given to it may be lost. There is no key either for
 * a point of small order, such as the system program's 32 zero bytes, or for a point outside the group that keys generate.
 * The check also stands in for the missing checksum: only about one in sixteen mistyped addresses passes.
 */
export function hasPrivateKey(key: Uint8Array): boolean {
  if (!ed25519.utils.isValidPublicKey(key, false)) return false
  const point = ed25519.Point.fromBytes(key, false)
  return !point.isSmallOrder() && point.isTorsionFree()
}
