import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex, utf8 } from '@scure/base'

const addressPattern = /^0x([0-9a-fA-F]{40})$/
const hashedKeyTail = 12

// EIP-1352 reserves 0x0000 to 0xffff for precompiled contracts; P256VERIFY is already at 0x100 (EIP-7951). Funds sent
// there are lost, as are funds sent to the zero address.
const reservedPattern = /^0x0{36}/

/** The address of a compressed public key: the last 20 bytes of Keccak-256 of its point, in EIP-55 form. */
export function evmAddress(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  // The first byte only marks the point as uncompressed.
  return checksummed(hex.encode(keccak_256(point.subarray(1)).subarray(hashedKeyTail)))
}

/**
 * The address in EIP-55 form, or null when the text is not an address. All lower and all upper case carry no checksum and
 * are accepted; mixed case must have the correct checksum. Never throws.
 */
export function canonicalAddress(text: string): string | null {
  const digits = addressPattern.exec(text)?.[1]
  if (digits === undefined) return null
  const lower = digits.toLowerCase()
  const address = checksummed(lower)
  return digits === lower || digits === digits.toUpperCase() || text === address ? address : null
}

/** Whether no one can hold the address's key: the zero address, and those reserved for precompiled contracts. */
export function isReserved(address: string): boolean {
  return reservedPattern.test(address)
}

/** EIP-55: a letter is upper case where the hash of the lower-case digits has a nibble of 8 or more. */
function checksummed(lowerDigits: string): string {
  const hash = hex.encode(keccak_256(utf8.decode(lowerDigits)))
  const digits = [...lowerDigits].map((digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${digits.join('')}`
}
