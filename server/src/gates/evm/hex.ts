import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex } from '@scure/base'

/** Bytes in Ethereum's hexadecimal form. */
export function hexOf(bytes: Uint8Array): `0x${string}` {
  return `0x${hex.encode(bytes)}`
}

export function bytesOf(text: `0x${string}`): Uint8Array {
  return hex.decode(text.slice('0x'.length))
}

/** Keccak-256, the hash that identifies a transaction. */
export function hashOf(bytes: Uint8Array): `0x${string}` {
  return hexOf(keccak_256(bytes))
}
