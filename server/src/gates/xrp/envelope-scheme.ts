import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { hex, utf8 } from '@scure/base'
import type { EnvelopeScheme } from '../account-envelope.ts'
import { classicAddressOf } from './address.ts'

// The ledger hashes with the first half of SHA-512, after a four-byte prefix for what is hashed.
const halfBytes = 32
const toSign = utf8.decode('STX\0')
const toName = utf8.decode('TXN\0')

/** How the account signs: ECDSA on secp256k1 (RFC 6979, low S). A transaction is identified by the hash of its bytes. */
export const xrpEnvelopes: EnvelopeScheme = {
  network: 'xrp',
  publicKeyOf: (privateKey) => secp256k1.getPublicKey(privateKey),
  addressOf: classicAddressOf,
  sign: (message, privateKey) => secp256k1.sign(half(toSign, message), privateKey, { prehash: false }),
  verify: (signature, message, publicKey) =>
    signature.length === secp256k1.lengths.signature &&
    publicKey.length === secp256k1.lengths.publicKey &&
    secp256k1.verify(signature, half(toSign, message), publicKey, { prehash: false }),
  hashOf: (bytes) => hex.encode(half(toName, bytes)).toUpperCase(),
}

function half(prefix: Uint8Array, bytes: Uint8Array): Uint8Array {
  return sha512(concatBytes(prefix, bytes)).slice(0, halfBytes)
}
