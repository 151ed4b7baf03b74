/**
 * What a transaction's RLP holds: strings of bytes, and the empty list where an access list could be. Lists with something
 * in them are in no transaction of ours, and are not read.
 */
export type RlpItem = Uint8Array | readonly []

// A string or list shorter than 56 bytes has its length in its first byte; of a longer one that says how long the length is.
const stringAt = 0x80
const listAt = 0xc0
const shortMax = 55

/** A list in RLP, as the Ethereum yellow paper has it in appendix B. */
export function encodeRlp(items: readonly RlpItem[]): Uint8Array {
  const content = concat(items.map(encodeItem))
  return concat([headOf(listAt, content.length), content])
}

/** The items of a list; null when the bytes are none, or are more than one. There is one way to write a list, and no other is read. */
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

/** A number as RLP's callers write it: big-endian and without zeros in front, so that zero is no byte at all. */
export function numberBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError('A number in RLP is not negative.')
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

/** The number that the bytes are; null with a zero in front, and for a list. */
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

/** Where the string or list that begins there has its content; null when it is cut off or could be written shorter. */
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
  // What is beyond the bytes is seen by the caller, however long it says that it is.
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
