/**
 * An item in a transaction's RLP: a byte string, or the empty list in place of an access list. None of our transactions has
 * a non-empty list, so these are refused.
 */
export type RlpItem = Uint8Array | readonly []

// For a string or list shorter than 56 bytes the first byte holds the length, for a longer one the size of the length.
const stringAt = 0x80
const listAt = 0xc0
const shortMax = 55

/** Encodes a list in RLP (Ethereum yellow paper, appendix B). */
export function encodeRlp(items: readonly RlpItem[]): Uint8Array {
  const content = concat(items.map(encodeItem))
  return concat([headOf(listAt, content.length), content])
}

/** The items of a list; null when the bytes are not exactly one list in its canonical encoding. */
export function decodeRlp(bytes: Uint8Array): readonly RlpItem[] | null {
  const list = frameAt(bytes, 0)
  if (list === null || !list.isList || list.end !== bytes.length) return null
  const items: RlpItem[] = []
  let at = list.start
  while (at < list.end) {
    const frame = frameAt(bytes.subarray(0, list.end), at)
    if (frame === null || (frame.isList && frame.start < frame.end)) return null
    items.push(frame.isList ? [] : bytes.subarray(frame.start, frame.end))
    at = frame.end
  }
  return items
}

/** A number as Ethereum puts it into RLP: big-endian without leading zeros, so that zero is the empty string. */
export function numberBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError('A number in RLP must not be negative.')
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

/** The number in these bytes; null with leading zeros, and for a list. */
export function numberIn(item: RlpItem | undefined): bigint | null {
  if (!(item instanceof Uint8Array) || item[0] === 0) return null
  return item.length === 0 ? 0n : BigInt(`0x${Buffer.from(item).toString('hex')}`)
}

function encodeItem(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) return Uint8Array.of(listAt)
  if (isItself(item)) return item
  return concat([headOf(stringAt, item.length), item])
}

/** A byte below 0x80 stands for itself. */
function isItself(item: Uint8Array): boolean {
  return item.length === 1 && (item[0] ?? stringAt) < stringAt
}

function headOf(first: number, length: number): Uint8Array {
  if (length <= shortMax) return Uint8Array.of(first + length)
  const size = numberBytes(BigInt(length))
  return concat([Uint8Array.of(first + shortMax + size.length), size])
}

type Frame = { readonly isList: boolean; readonly start: number; readonly end: number }

/** The bounds of the content of the string or list at `at`; null when it is cut off or not in the shortest encoding. */
function frameAt(bytes: Uint8Array, at: number): Frame | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < stringAt) return { isList: false, start: at, end: at + 1 }
  const isList = first >= listAt
  const said = first - (isList ? listAt : stringAt)
  const start = at + 1 + Math.max(0, said - shortMax)
  const length = said <= shortMax ? said : lengthIn(bytes.subarray(at + 1, start))
  if (length === null || start + length > bytes.length) return null
  const end = start + length
  return !isList && isItself(bytes.subarray(start, end)) ? null : { isList, start, end }
}

function lengthIn(size: Uint8Array): number | null {
  const length = numberIn(size)
  // The caller checks that the length is within the bytes.
  return length === null || length <= BigInt(shortMax) ? null : Number(length)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
