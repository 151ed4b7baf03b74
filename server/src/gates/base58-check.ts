import { sha256 } from '@noble/hashes/sha2.js'
import { base58, type base58xrp } from '@scure/base'

const checksumBytes = 4
// All alphabets have the same 58 characters, in different orders.
const characters = /^[1-9A-HJ-NP-Za-km-z]+$/

type Alphabet = typeof base58 | typeof base58xrp

/**
 * The payload of a Base58Check text, which ends with the first four bytes of the payload's double SHA-256. Null when the
 * text is invalid. `maxLength` is required because decoding takes quadratic time.
 */
export function decodeBase58Check(
  text: string,
  maxLength: number,
  alphabet: Alphabet = base58,
): Uint8Array | null {
  if (text.length > maxLength || !characters.test(text)) return null
  const bytes = alphabet.decode(text)
  if (bytes.length <= checksumBytes) return null
  const payload = bytes.slice(0, -checksumBytes)
  const checksum = base58Checksum(payload)
  return checksum.every((byte, at) => byte === bytes[payload.length + at]) ? payload : null
}

/** The four checksum bytes at the end of a Base58Check text. */
export function base58Checksum(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).slice(0, checksumBytes)
}
