import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** A private key and the chain code that its children come from. Secret, both of them. */
export type Ed25519Node = { readonly privateKey: Uint8Array; readonly chainCode: Uint8Array }

/** The highest number a step of a path may have: the upper half of the 32 bits marks a hardened step. */
export const maxHardenedIndex = 2 ** 31 - 1

// SLIP-0010 takes the seeds of BIP-39 (64 bytes); BIP-32 allows 128 bits and up, and its vectors use them.
const minSeedBytes = 16
const maxSeedBytes = 64
const keyBytes = 32
const masterKey = utf8ToBytes('ed25519 seed')
const privateKeyPadding = Uint8Array.of(0)

/**
 * The key at `path` below the seed, by SLIP-0010 for ed25519. Every step is hardened, as ed25519 knows no
 * other: `[44, 501, 0, 0]` is m/44'/501'/0'/0'. So no public key can derive addresses; whoever makes them
 * holds the seed.
 */
export function deriveEd25519(seed: Uint8Array, path: readonly number[]): Ed25519Node {
  if (seed.length < minSeedBytes || seed.length > maxSeedBytes)
    throw new RangeError(`A seed has ${minSeedBytes} to ${maxSeedBytes} bytes, not ${seed.length}.`)
  return path.reduce(child, split(hmac(sha512, masterKey, seed)))
}

function child(parent: Ed25519Node, index: number): Ed25519Node {
  if (!Number.isInteger(index) || index < 0 || index > maxHardenedIndex)
    throw new RangeError(`A step of a path is 0 to ${maxHardenedIndex}, not ${index}.`)
  const step = new Uint8Array(4)
  new DataView(step.buffer).setUint32(0, index + maxHardenedIndex + 1)
  return split(hmac(sha512, parent.chainCode, concatBytes(privateKeyPadding, parent.privateKey, step)))
}

// Every 256-bit number is a good ed25519 private key, so unlike BIP-32 there is no failure to handle.
function split(digest: Uint8Array): Ed25519Node {
  return { privateKey: digest.slice(0, keyBytes), chainCode: digest.slice(keyBytes) }
}
