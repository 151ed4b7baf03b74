import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base58xrp } from '@scure/base'
import type { Environment } from '../../domain/environment.ts'
import { base58Checksum, decodeBase58Check } from '../base58-check.ts'

/** The content of an X-address: the account, the tag if any, and the environment. */
export type XAddress = {
  readonly accountId: Uint8Array
  readonly tag: number | null
  readonly environment: Environment
}

const accountIdBytes = 20
const classicPrefix = Uint8Array.of(0)
// XLS-5: two prefix bytes, the account, one flag byte, eight tag bytes; the upper half of the tag is reserved.
const xPrefixes = { live: Uint8Array.of(0x05, 0x44), test: Uint8Array.of(0x04, 0x93) } as const
const xPrefixBytes = 2
const xTagAt = xPrefixBytes + accountIdBytes + 1
const xReservedAt = xTagAt + 4
const xBytes = xReservedAt + 4
const untagged = 0
const tagged = 1

// A classic address has 25 to 35 characters, an X-address 47.
const maxLength = 47

/** The classic address of the account of this public key (33 bytes). */
export function classicAddressOf(publicKey: Uint8Array): string {
  return encodeClassicAddress(ripemd160(sha256(publicKey)))
}

/** The `r…` form of a 20-byte account id: base58check in the XRP Ledger's own alphabet. */
export function encodeClassicAddress(accountId: Uint8Array): string {
  if (accountId.length !== accountIdBytes)
    throw new RangeError(`An account id must have ${accountIdBytes} bytes, not ${accountId.length}.`)
  const payload = concatBytes(classicPrefix, accountId)
  return base58xrp.encode(concatBytes(payload, base58Checksum(payload)))
}

/** The account id of a classic address, which is the same on live and test networks; null when the text is not one. */
export function decodeClassicAddress(text: string): Uint8Array | null {
  const payload = decodeBase58Check(text, maxLength, base58xrp)
  if (payload?.length !== classicPrefix.length + accountIdBytes || !startsWith(payload, classicPrefix))
    return null
  return payload.slice(classicPrefix.length)
}

/** The content of an X-address (`X…` live, `T…` test; XLS-5); null when the text is not one or uses reserved bits. */
export function decodeXAddress(text: string): XAddress | null {
  const payload = decodeBase58Check(text, maxLength, base58xrp)
  if (payload?.length !== xBytes) return null
  const environment = startsWith(payload, xPrefixes.live)
    ? 'live'
    : startsWith(payload, xPrefixes.test)
      ? 'test'
      : null
  if (environment === null) return null

  const view = new DataView(payload.buffer, payload.byteOffset)
  const flag = view.getUint8(xTagAt - 1)
  const tag = view.getUint32(xTagAt, true)
  if (view.getUint32(xReservedAt, true) !== 0) return null
  if (flag !== tagged && (flag !== untagged || tag !== 0)) return null
  const accountId = payload.slice(xPrefixBytes, xPrefixBytes + accountIdBytes)
  return { accountId, tag: flag === tagged ? tag : null, environment }
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, at) => bytes[at] === byte)
}
