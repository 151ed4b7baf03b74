import { hash as digest } from 'node:crypto'

// Consensus: a block weighs at most 4,000,000 units. A byte of a witness weighs one, any other byte four (BIP-141).
const maxBytes = 4_000_000
export const maxPlainBytes = 1_000_000

// Version, or lock time.
const wordBytes = 4
// Transaction id, output index, the length of an empty script, sequence.
const leastInputBytes = 32 + 4 + 1 + 4
const outpointBytes = 32 + 4
const sequenceBytes = 4
const amountBytes = 8
// Amount, and the length of an empty script.
const leastOutputBytes = amountBytes + 1
// Marker and flags (BIP-144).
const extendedBytes = 2

/** An output, as bytes have it. */
export type RawOutput = { readonly units: bigint; readonly script: Uint8Array }

/**
 * The bytes of a transaction that its hash covers, which have no witnesses; null when these bytes are not the transaction
 * with this hash, or are larger than any block. Takes it with witnesses (BIP-144) or without. However they were
 * forged, reading takes no longer than their length allows.
 *
 * What stands between outputs and lock time is not read, because the hash does not cover it: witnesses, and on Litecoin the
 * mark of a transaction that pays out of its extension blocks (MWEB).
 */
export function plainTransaction(bytes: Uint8Array, txHash: string): Uint8Array | null {
  if (bytes.length > maxBytes || bytes.length < 2 * wordBytes + extendedBytes) return null
  // No transaction is without inputs, so a zero where their count would be is the marker.
  const isExtended = bytes[wordBytes] === 0
  const start = wordBytes + (isExtended ? extendedBytes : 0)
  const end = readBody(bytes, start)
  if (end === null || (isExtended ? end + wordBytes > bytes.length : end + wordBytes !== bytes.length))
    return null
  const plain = isExtended
    ? Buffer.concat([bytes.subarray(0, wordBytes), bytes.subarray(start, end), bytes.subarray(-wordBytes)])
    : bytes
  return plain.length <= maxPlainBytes && txHashOf(plain) === txHash ? plain : null
}

/** These outputs of a transaction without witnesses, by index; those that it does not have are left out. */
export function outputsOf(plain: Uint8Array, indexes: readonly number[]): Map<number, RawOutput> {
  const found = new Map<number, RawOutput>()
  const wanted = new Set(indexes)
  readBody(plain, wordBytes, (index, unitsAt, scriptAt, end) => {
    if (!wanted.has(index)) return
    const units = viewOf(plain).getBigUint64(unitsAt, true)
    found.set(index, { units, script: plain.slice(scriptAt, end) })
  })
  return found
}

/** The hash of a transaction without witnesses: double SHA-256, written as nodes do, the last byte first. */
export function txHashOf(plain: Uint8Array): string {
  return digest('sha256', digest('sha256', plain, 'buffer'), 'buffer')
    .reverse()
    .toString('hex')
}

type OnOutput = (index: number, unitsAt: number, scriptAt: number, end: number) => void

/** Where the inputs and outputs end that start here; null when none do. */
function readBody(bytes: Uint8Array, start: number, onOutput: OnOutput = () => {}): number | null {
  const view = viewOf(bytes)
  let at = start

  /** Reads a count or length; null when that many things of this size cannot follow. */
  function count(leastBytesOfEach: number): number | null {
    const size = readSize(view, at)
    if (size === null) return null
    at = size.end
    return size.value * leastBytesOfEach <= bytes.length - at ? size.value : null
  }

  const inputs = count(leastInputBytes)
  if (inputs === null || inputs === 0) return null
  for (let input = 0; input < inputs; input++) {
    at += outpointBytes
    const length = count(1)
    if (length === null) return null
    at += length + sequenceBytes
  }
  const outputs = count(leastOutputBytes)
  if (outputs === null) return null
  for (let index = 0; index < outputs; index++) {
    const unitsAt = at
    at += amountBytes
    const length = count(1)
    if (length === null) return null
    onOutput(index, unitsAt, at, at + length)
    at += length
  }
  return at
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A CompactSize in its shortest form, and where it ends; null for any other, and beyond the end of the bytes. */
function readSize(view: DataView, at: number): { value: number; end: number } | null {
  if (at >= view.byteLength) return null
  const first = view.getUint8(at)
  if (first < 0xfd) return { value: first, end: at + 1 }
  const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 8
  // Eight bytes are for numbers that no block can hold.
  if (width === 8 || at + 1 + width > view.byteLength) return null
  const value = width === 2 ? view.getUint16(at + 1, true) : view.getUint32(at + 1, true)
  return value > (width === 2 ? 0xfc : 0xffff) ? { value, end: at + 1 + width } : null
}
