import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto'

/** A private key and the chain code for its children. Both are secret. */
export type Ed25519Node = { readonly privateKey: Uint8Array; readonly chainCode: Uint8Array }

/** The highest index in a path: the upper half of the 32-bit range marks hardened steps. */
export const maxHardenedIndex = 2 ** 31 - 1

// SLIP-0010 uses BIP-39 seeds (64 bytes). BIP-32 allows 128 bits and more, and its test vectors use such seeds.
const minSeedBytes = 16
const maxSeedBytes = 64
const keyBytes = 32
const masterKey = 'ed25519 seed'
const privateKeyPadding = Uint8Array.of(0)

/**
 * The key at `path` below the seed, by SLIP-0010 for ed25519. Every step is hardened, since ed25519 has no others:
 * `[44, 501, 0, 0]` is m/44'/501'/0'/0'. A public key therefore cannot derive addresses; only the holder of the seed can.
 */
export function deriveEd25519(seed: Uint8Array, path: readonly number[]): Ed25519Node {
  if (seed.length < minSeedBytes || seed.length > maxSeedBytes)
    throw new RangeError(`A seed must have ${minSeedBytes} to ${maxSeedBytes} bytes, not ${seed.length}.`)
  return path.reduce(child, split(createHmac('sha512', masterKey).update(seed).digest()))
}

function child(parent: Ed25519Node, index: number): Ed25519Node {
  if (!Number.isInteger(index) || index < 0 || index > maxHardenedIndex)
    throw new RangeError(`A path index must be 0 to ${maxHardenedIndex}, not ${index}.`)
  const step = new Uint8Array(4)
  new DataView(step.buffer).setUint32(0, index + maxHardenedIndex + 1)
  return split(
    createHmac('sha512', parent.chainCode)
      .update(privateKeyPadding)
      .update(parent.privateKey)
      .update(step)
      .digest(),
  )
}

// Every 256-bit number is a valid ed25519 private key, so unlike BIP-32 there is no failure to handle.
function split(digest: Uint8Array): Ed25519Node {
  return {
    privateKey: Uint8Array.from(digest.subarray(0, keyBytes)),
    chainCode: Uint8Array.from(digest.subarray(keyBytes)),
  }
}

// What comes before a private key in PKCS #8 (RFC 8410).
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The public key of a private key, 32 bytes. By OpenSSL: a new pool needs hundreds, and JavaScript takes several times as long. */
export function ed25519PublicKey(privateKey: Uint8Array): Uint8Array {
  if (privateKey.length !== keyBytes) throw new RangeError(`A private key has ${keyBytes} bytes.`)
  const der = Buffer.concat([privateKeyHeader, privateKey])
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  // Exporting this way is the fastest.
  const { x = '' } = key.export({ format: 'jwk' })
  return Uint8Array.from(Buffer.from(x, 'base64url'))
}
