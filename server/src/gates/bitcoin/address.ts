import { FpIsSquare } from '@noble/curves/abstract/modular.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m } from '@scure/base'
import type { ChainRules } from '../../domain/networks/bitcoin-rules.ts'
import { decodeBase58Check } from '../base58-check.ts'

/** BIP-173: no bech32 string is longer. Base58 addresses are much shorter. */
const maxAddressLength = 90

// Version 1 byte, hash 20, checksum 4: 25 bytes, at most 35 base58 characters.
const hashLength = 20
const payloadLength = 1 + hashLength
const maxBase58Length = 35

const p2wpkhLength = 20
const p2wshLength = 32
const taprootLength = 32

/** The P2WPKH address of a compressed public key (BIP-141, BIP-173). */
export function p2wpkhAddress(
  { bech32Prefix }: Pick<ChainRules, 'bech32Prefix'>,
  publicKey: Uint8Array,
): string {
  return bech32.encode(bech32Prefix, [0, ...bech32.toWords(ripemd160(sha256(publicKey)))])
}

/** The address in canonical form, or null when it is not an address of exactly this chain. Never throws. */
export function canonicalAddress(rules: ChainRules, text: string): string | null {
  if (text.length > maxAddressLength) return null
  if (isBase58Address(rules, text)) return text
  return isWitnessAddress(rules, text) ? text.toLowerCase() : null
}

function isBase58Address({ pubKeyHash, scriptHash }: ChainRules, text: string): boolean {
  const payload = decodeBase58Check(text, maxBase58Length)
  return payload?.length === payloadLength && (payload[0] === pubKeyHash || payload[0] === scriptHash)
}

/**
 * Version 0 is bech32 (BIP-173), version 1 bech32m (BIP-350). The decoder accepts all upper case, which QR codes use, and
 * refuses mixed case. BIP-350 asks senders to accept versions 2 to 16 too, for future soft forks. Until one defines such
 * outputs anyone can spend them, so we refuse payouts to them.
 */
function isWitnessAddress({ bech32Prefix }: ChainRules, text: string): boolean {
  const old = bech32.decodeUnsafe(text, maxAddressLength)
  const decoded = old ?? bech32m.decodeUnsafe(text, maxAddressLength)
  // Litecoin MWEB addresses (ltcmweb1…) are refused here: they have their own prefix and name no output of the main chain.
  if (!decoded || decoded.prefix !== bech32Prefix) return false
  const [version, ...words] = decoded.words
  // Also refuses padding that is not zero or is a whole character (BIP-173).
  const program = bech32.fromWordsUnsafe(words)
  if (!program) return false
  if (version === 0) return old !== undefined && [p2wpkhLength, p2wshLength].includes(program.length)
  if (version === 1) return old === undefined && program.length === taprootLength && isXOnlyKey(program)
  return false
}

/** BIP-341: an output can never be spent unless its 32 bytes are an x coordinate on the curve. About half of all values are. */
function isXOnlyKey(bytes: Uint8Array): boolean {
  const { Fp } = secp256k1.Point
  const x = bytesToNumberBE(bytes)
  const curveB = 7n
  return Fp.isValid(x) && FpIsSquare(Fp, Fp.add(Fp.mul(Fp.sqr(x), x), curveB))
}
