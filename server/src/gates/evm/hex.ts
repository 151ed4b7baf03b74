import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex } from '@scure/base'

/** Bytes as Ethereum writes them. */
export function hexOf(bytes: Uint8Array): `0x${string}` {
  return `0x${hex.encode(bytes)}`
}

export function bytesOf(text: `0x${string}`): Uint8Array {
  return hex.decode(text.slice('0x'.length))
}

/** Keccak-256, by which a transaction is known. */
export function hashOf(bytes: Uint8Array): `0x${string}` {
  return hexOf(keccak_256(bytes))
}
