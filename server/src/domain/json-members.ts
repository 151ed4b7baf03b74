/** Readers of parts of a stored plan, where anyone may have written it. Each throws a `TypeError` when it is anything else. */
import type { KeyPath } from './spends.ts'

// As many digits as the database keeps of an amount.
const integerPattern = /^(?:0|[1-9][0-9]{0,77})$/
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const wordPattern = /^[!-~]{1,128}$/
/** The highest index of a key. */
export const maxIndex = 2 ** 31 - 1

/** Which of our keys it is. */
export function keyPath(value: unknown): KeyPath {
  const { chain, index } = members(value, ['chain', 'index'])
  if (chain !== 'deposit' && chain !== 'own') throw new TypeError('not a chain of keys')
  return { chain, index: count(index, maxIndex) }
}

/** The members of an object that has all of the required ones and none but these. */
export function members(
  value: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('not an object')
  const names = Object.keys(value)
  const isKnown = (name: string) => required.includes(name) || optional.includes(name)
  if (!names.every(isKnown) || !required.every((name) => names.includes(name)))
    throw new TypeError('not these members')
  return value as Record<string, unknown>
}

/** A list with this number of entries. */
export function list(value: unknown, min: number, max: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length < min || value.length > max) throw new TypeError('not a list')
  return value
}

/** A text of this form. */
export function matching(pattern: RegExp, value: unknown): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError('not such a text')
  return value
}

/** An address, a tag, a currency or a contract: printable ASCII without spaces. */
export function word(value: unknown): string {
  return matching(wordPattern, value)
}

/** An id. */
export function uuid(value: unknown): string {
  return matching(uuidPattern, value)
}

/** A non-negative integer, written as decimal text. */
export function integer(value: unknown): bigint {
  return BigInt(matching(integerPattern, value))
}

/** A whole number from zero to `max`. */
export function count(value: unknown, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
    throw new TypeError('not such a number')
  return value
}

/** Null, or what `read` makes of it. */
export function orNull<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null ? null : read(value)
}
