import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import type { Randomness } from './randomness.ts'

/**
 * Addresses outside this service, encoded from the standards (BIP-173, base58check, XRP's alphabet) and not with the
 * service's code: an encoder and a decoder by the same author would share the same mistake.
 */
export function strangerOn(random: Randomness, network: string): string {
  switch (network) {
    case 'bitcoin':
      return segwit('tb', random.bytes(20))
    case 'litecoin':
      return segwit('tltc', random.bytes(20))
    case 'solana':
      return base58(ed25519PublicKey(random.aside()), bitcoinAlphabet)
    case 'xrp': {
      const payload = Buffer.concat([Buffer.from([0]), random.bytes(20)])
      return base58(Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)]), rippleAlphabet)
    }
    default:
      return `0x${random.bytes(20).toString('hex')}`
  }
}

const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const bech32Generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const bitcoinAlphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const rippleAlphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
// PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410).
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A version 0 witness program (BIP-173). */
function segwit(prefix: string, program: Buffer): string {
  const words = [0]
  let waiting = 0
  let bits = 0
  for (const byte of program) {
    waiting = (waiting << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      words.push((waiting >> bits) & 31)
    }
    waiting &= (1 << bits) - 1
  }
  if (bits > 0) words.push((waiting << (5 - bits)) & 31)
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  const check = polymod([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  const all = [...words, ...[0, 1, 2, 3, 4, 5].map((at) => (check >>> (5 * (5 - at))) & 31)]
  return `${prefix}1${all.map((word) => bech32Alphabet[word]).join('')}`
}

function polymod(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [at, part] of bech32Generator.entries()) if ((top >>> at) & 1) sum ^= part
  }
  return sum >>> 0
}

function base58(bytes: Buffer, alphabet: string): string {
  let left = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (left > 0n) {
    text = alphabet[Number(left % 58n)] + text
    left /= 58n
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return (alphabet[0] as string).repeat(zeros === -1 ? bytes.length : zeros) + text
}

/** Real keys: only about half of all 32-byte strings are points of the curve. */
function ed25519PublicKey(secret: Buffer): Buffer {
  const key = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, secret]),
    format: 'der',
    type: 'pkcs8',
  })
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
