import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import type { EnvelopeScheme } from '../account-envelope.ts'

/** How Solana accounts sign: Ed25519 (RFC 8032). A transaction is identified by its signature. */
export const solanaEnvelopes: EnvelopeScheme = {
  network: 'solana',
  publicKeyOf: (privateKey) => ed25519.getPublicKey(privateKey),
  addressOf: (publicKey) => base58.encode(publicKey),
  sign: (message, privateKey) => ed25519.sign(message, privateKey),
  // Strict RFC 8032: a point has only one encoding, so that no one can give a transaction a second identity.
  verify: (signature, message, publicKey) =>
    signature.length === ed25519.lengths.signature &&
    publicKey.length === ed25519.lengths.publicKey &&
    ed25519.verify(signature, message, publicKey, { zip215: false }),
  hashOf: (_, signature) => base58.encode(signature),
}
