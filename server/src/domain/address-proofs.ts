import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Environment } from './environment.ts'

const proofBytes = 16

/** A deposit address at its position in a keychain. */
export type PlacedAddress = {
  readonly keychain: string
  readonly position: number | bigint
  readonly address: string
  readonly tag: string | null
}

/** The public key of one network, as a signer publishes it. */
export type PublishedKey = {
  readonly environment: Environment
  readonly wallet: string
  readonly network: string
  readonly publicKey: string | null
}

/**
 * Proves what this service derived from its own wallet, to processes that read it back from a database that they need not
 * trust: HMAC-SHA-256 (RFC 2104) of every field, with a key derived from the service's secret key (RFC 5869).
 */
export type Prover = {
  ofAddress(address: PlacedAddress): string
  ofKey(key: PublishedKey): string
}

export function createProver(secretKey: Buffer): Prover {
  // From bytes Node would make a key object for each proof, which takes four times as long as all the rest of it.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'sluice address proofs', 32)))
  const proof = (fields: readonly (string | null)[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify(fields))
      .digest()
      .subarray(0, proofBytes)
      .toString('base64url')
  return {
    ofAddress: ({ keychain, position, address, tag }) =>
      proof(['deposit address', keychain, position.toString(), address, tag]),
    ofKey: ({ environment, wallet, network, publicKey }) =>
      proof(['public key', environment, wallet, network, publicKey]),
  }
}

/** Compares two proofs in constant time. */
export function isSameProof(stored: string | null, made: string): boolean {
  if (stored === null) return false
  const [left, right] = [Buffer.from(stored), Buffer.from(made)]
  return left.length === right.length && timingSafeEqual(left, right)
}
