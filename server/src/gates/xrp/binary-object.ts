/** A field of an object as the ledger writes it: its type and number, its content, and the fields inside it. */
export type BinaryField = {
  readonly type: number
  readonly number: number
  readonly content: Uint8Array
  readonly inside: readonly BinaryField[]
}

/** These bytes are not such an object, or hold something newer than this reader. */
export class UnreadableObject extends Error {
  override readonly name = 'UnreadableObject'
}

// https://xrpl.org/docs/references/protocol/binary-format#type-list: the types of a fixed size, in bytes.
const sizes: ReadonlyMap<number, number> = new Map([
  [1, 2],
  [2, 4],
  [3, 8],
  [4, 16],
  [5, 32],
  [9, 12],
  [10, 4],
  [11, 8],
  [16, 1],
  [17, 20],
  [20, 12],
  [21, 24],
  [22, 48],
  [23, 64],
  [26, 20],
])
const amount = 6
const prefixed: ReadonlySet<number> = new Set([7, 8, 19])
const object = 14
const list = 15
const pathSet = 18
const issue = 24
const bridge = 25
// The end of an object and of a list: the first field of their types.
const endNumber = 1
const maxDepth = 10
const accountBytes = 20
const sequenceBytes = 4
// In place of an issuer: what follows names a multi-purpose token.
const noAccount = Uint8Array.from({ length: accountBytes }, (_, at) => Number(at === accountBytes - 1))

/** The fields of an object. Throws an `UnreadableObject`. */
export function readBinaryObject(bytes: Uint8Array): readonly BinaryField[] {
  const { fields, end } = readUntil(bytes, 0, null, 0)
  if (end !== bytes.length) throw new UnreadableObject('It does not end where its bytes do.')
  return fields
}

/** The field of this type and number; null where there is none. */
export function fieldOf(fields: readonly BinaryField[], type: number, number: number): BinaryField | null {
  return fields.find((each) => each.type === type && each.number === number) ?? null
}

function readUntil(
  bytes: Uint8Array,
  start: number,
  endType: number | null,
  depth: number,
): { readonly fields: readonly BinaryField[]; readonly end: number } {
  if (depth > maxDepth) throw new UnreadableObject('It is nested too deeply.')
  const fields: BinaryField[] = []
  let at = start
  while (at < bytes.length) {
    const { type, number, next } = readName(bytes, at)
    if (type === endType && number === endNumber) return { fields, end: next }
    const nested = type === object || type === list
    const inner = nested ? readUntil(bytes, next, type, depth + 1) : null
    const { from, end } = inner === null ? span(type, bytes, next) : { from: next, end: inner.end }
    if (end > bytes.length) throw new UnreadableObject('It is cut short.')
    fields.push({ type, number, content: bytes.subarray(from, end), inside: inner?.fields ?? [] })
    at = end
  }
  if (endType !== null) throw new UnreadableObject('It is cut short.')
  return { fields, end: at }
}

/** A field's type and number take half a byte each; from 16 on, a byte of its own after that. */
function readName(bytes: Uint8Array, at: number) {
  const first = byteAt(bytes, at)
  let next = at + 1
  const type = first >> 4 === 0 ? byteAt(bytes, next++) : first >> 4
  const number = (first & 15) === 0 ? byteAt(bytes, next++) : first & 15
  return { type, number, next }
}

/** Where the content of a field begins and ends. */
function span(type: number, bytes: Uint8Array, at: number): { readonly from: number; readonly end: number } {
  const size = sizes.get(type)
  if (size !== undefined) return { from: at, end: at + size }
  if (prefixed.has(type)) return lengthAt(bytes, at)
  if (type === amount) return { from: at, end: at + amountBytes(byteAt(bytes, at)) }
  if (type === pathSet) return { from: at, end: endOfPaths(bytes, at) }
  if (type === issue) return { from: at, end: at + issueBytes(bytes, at) }
  if (type === bridge) return { from: at, end: endOfDoor(bytes, endOfDoor(bytes, at)) }
  throw new UnreadableObject(`It has a field of the type ${type}.`)
}

/** XRP, a multi-purpose token, or an issued currency with its issuer. */
function amountBytes(first: number): number {
  if ((first & 0x80) !== 0) return 48
  return (first & 0x20) === 0 ? 8 : 33
}

function issueBytes(bytes: Uint8Array, at: number): number {
  if (bytes.subarray(at, at + accountBytes).every((each) => each === 0)) return accountBytes
  const issuer = bytes.subarray(at + accountBytes, at + 2 * accountBytes)
  const isToken = noAccount.every((each, place) => issuer[place] === each)
  return 2 * accountBytes + (isToken ? sequenceBytes : 0)
}

/** One side of a bridge between chains: an account with its length, and what it issues. */
function endOfDoor(bytes: Uint8Array, at: number): number {
  const { end } = lengthAt(bytes, at)
  return end + issueBytes(bytes, end)
}

function endOfPaths(bytes: Uint8Array, start: number): number {
  // An account, a currency and an issuer, of 20 bytes each, as far as they are named; the end is 0, and 255 begins another path.
  for (let at = start; ; ) {
    const kind = byteAt(bytes, at++)
    if (kind === 0) return at
    if (kind === 255) continue
    if ((kind & ~0x31) !== 0) throw new UnreadableObject('It has a path of another kind.')
    at += accountBytes * [0x01, 0x10, 0x20].filter((bit) => (kind & bit) !== 0).length
  }
}

/** https://xrpl.org/docs/references/protocol/binary-format#length-prefixing */
function lengthAt(bytes: Uint8Array, at: number): { readonly from: number; readonly end: number } {
  const first = byteAt(bytes, at)
  if (first <= 192) return { from: at + 1, end: at + 1 + first }
  const second = byteAt(bytes, at + 1)
  if (first <= 240) return { from: at + 2, end: at + 2 + 193 + (first - 193) * 256 + second }
  const third = byteAt(bytes, at + 2)
  return { from: at + 3, end: at + 3 + 12_481 + (first - 241) * 65_536 + second * 256 + third }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const found = bytes[at]
  if (found === undefined) throw new UnreadableObject('It is cut short.')
  return found
}
