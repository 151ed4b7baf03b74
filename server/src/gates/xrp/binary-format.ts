import { concatBytes } from '@noble/hashes/utils.js'
import { decodeClassicAddress, encodeClassicAddress } from './address.ts'
import { type IssuedAmount, issuedAmountBytes, issuedFromBytes, issuedToBytes } from './issued-amount.ts'
import { isCode } from './issued-currency.ts'

/** Drops, or an amount of an issued currency. */
export type Amount = bigint | IssuedAmount

/**
 * The fields of a transaction, as far as ours have them. https://xrpl.org/docs/references/protocol/binary-format defines how they
 * are written: in the order of their types, and of their numbers within a type.
 */
export type TransactionFields = {
  readonly transactionType: number
  readonly flags?: number
  readonly sequence: number
  readonly destinationTag?: number
  readonly amount?: Amount
  readonly limitAmount?: Amount
  /** In drops. */
  readonly fee: bigint
  readonly signingPubKey: Uint8Array
  /** Left out of what is signed. */
  readonly txnSignature?: Uint8Array
  readonly account: string
  readonly destination?: string
}

type Name = keyof TransactionFields
type Kind = 'uint16' | 'uint32' | 'drops' | 'amount' | 'blob' | 'account'
type Field = { readonly name: Name; readonly id: number; readonly kind: Kind }

// A field's id is its type in the upper half of a byte and its number in the lower one; both are below 16 for all of these.
const fields: readonly Field[] = [
  { name: 'transactionType', id: 0x12, kind: 'uint16' },
  { name: 'flags', id: 0x22, kind: 'uint32' },
  { name: 'sequence', id: 0x24, kind: 'uint32' },
  { name: 'destinationTag', id: 0x2e, kind: 'uint32' },
  { name: 'amount', id: 0x61, kind: 'amount' },
  { name: 'limitAmount', id: 0x63, kind: 'amount' },
  { name: 'fee', id: 0x68, kind: 'drops' },
  { name: 'signingPubKey', id: 0x73, kind: 'blob' },
  { name: 'txnSignature', id: 0x74, kind: 'blob' },
  { name: 'account', id: 0x81, kind: 'account' },
  { name: 'destination', id: 0x83, kind: 'account' },
]
const required: readonly Name[] = ['transactionType', 'sequence', 'fee', 'signingPubKey', 'account']

const accountIdBytes = 20
// Longer content has a prefix of two bytes or three. No key and no signature is that long.
const maxBlobBytes = 192
const positive = 1n << 62n
/** All drops that there ever were. */
export const maxDrops = 10n ** 17n

/** Writes the fields in their canonical order. Throws a `RangeError` for a number that its field cannot hold. */
export function writeFields(values: TransactionFields): Uint8Array {
  return concatBytes(
    ...fields.flatMap(({ name, id, kind }) => {
      const value = values[name]
      return value === undefined ? [] : [Uint8Array.of(id), written(kind, value)]
    }),
  )
}

/**
 * Reads what `writeFields` writes, and nothing else: null where a field is unknown, missing, repeated, out of order or cut
 * short, a fee is not in XRP, or anything follows.
 */
export function readFields(bytes: Uint8Array): TransactionFields | null {
  const found: Partial<Record<Name, unknown>> = {}
  let at = 0
  for (const { name, id, kind } of fields) {
    if (bytes[at] !== id) continue
    const read = readValue(kind, bytes, at + 1)
    if (read === null) return null
    found[name] = read.value
    at = read.end
  }
  if (at !== bytes.length || required.some((name) => found[name] === undefined)) return null
  return found as TransactionFields
}

function written(kind: Kind, value: TransactionFields[Name]): Uint8Array {
  if (kind === 'uint16' && typeof value === 'number') return integer(value, 2)
  if (kind === 'uint32' && typeof value === 'number') return integer(value, 4)
  if ((kind === 'drops' || kind === 'amount') && typeof value === 'bigint') return drops(value)
  if (kind === 'blob' && value instanceof Uint8Array) return prefixed(value)
  if (kind === 'amount' && typeof value === 'object' && 'atoms' in value) return issuedToBytes(value)
  const accountId = kind === 'account' && typeof value === 'string' ? decodeClassicAddress(value) : null
  if (accountId === null) throw new TypeError(`A field of the kind ${kind} cannot hold ${value}.`)
  return prefixed(accountId)
}

function integer(value: number, size: 2 | 4): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** size)
    throw new RangeError(`${value} does not fit into ${size} bytes.`)
  return Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256)
}

function drops(units: bigint): Uint8Array {
  if (units < 0n || units > maxDrops) throw new RangeError(`There is no such amount as ${units} drops.`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, positive | units)
  return bytes
}

function prefixed(content: Uint8Array): Uint8Array {
  if (content.length > maxBlobBytes) throw new RangeError('The content of a field is too long.')
  return Uint8Array.of(content.length, ...content)
}

type Read = { readonly value: unknown; readonly end: number }

function readValue(kind: Kind, bytes: Uint8Array, at: number): Read | null {
  if (kind === 'blob' || kind === 'account') return readPrefixed(kind, bytes, at)
  // The top bit marks an issued currency.
  if (kind === 'amount' && ((bytes[at] ?? 0) & 0x80) !== 0) return readIssued(bytes, at)
  const end = at + { uint16: 2, uint32: 4, drops: 8, amount: 8 }[kind]
  if (end > bytes.length) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if (kind === 'uint16') return { value: view.getUint16(at), end }
  if (kind === 'uint32') return { value: view.getUint32(at), end }
  // An amount below zero lacks the second bit.
  const units = view.getBigUint64(at) - positive
  return units < 0n || units > maxDrops ? null : { value: units, end }
}

function readIssued(bytes: Uint8Array, at: number): Read | null {
  const end = at + issuedAmountBytes
  const value = issuedFromBytes(bytes.slice(at, end))
  const isWritten = value !== null && value.atoms >= 0n && isCode(value.currency)
  return isWritten ? { value, end } : null
}

function readPrefixed(kind: 'blob' | 'account', bytes: Uint8Array, at: number): Read | null {
  const length = bytes[at]
  const end = at + 1 + (length ?? 0)
  if (length === undefined || length > maxBlobBytes || end > bytes.length) return null
  const content = bytes.slice(at + 1, end)
  if (kind === 'blob') return { value: content, end }
  return length === accountIdBytes ? { value: encodeClassicAddress(content), end } : null
}
