import { unbelievable } from '../unbelievable.ts'
import { decodeClassicAddress } from './address.ts'
import { maxDrops } from './binary-format.ts'
import { maxTag } from './tag.ts'

/** The members of an object; not trusted when it is none. */
export function readObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) unbelievable(what)
  return value as Record<string, unknown>
}

export function readList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : unbelievable(what)
}

const hashPattern = /^[0-9A-F]{64}$/

export function readHash(value: unknown): string {
  return typeof value === 'string' && hashPattern.test(value) ? value : unbelievable('a hash is malformed')
}

// Servers send the number of a ledger as a number or as text.
const numberPattern = /^(?:0|[1-9][0-9]{0,9})$/
const maxUint32 = 2 ** 32 - 1

export function readNumber(value: unknown, what: string): number {
  const text = typeof value === 'number' ? String(value) : value
  const read = typeof text === 'string' && numberPattern.test(text) ? Number(text) : maxUint32 + 1
  return read <= maxUint32 ? read : unbelievable(`${what} is not a number`)
}

// Drops are always text: a JSON number would lose digits.
const dropsPattern = /^(?:0|[1-9][0-9]{0,17})$/

export function readDrops(value: unknown, what: string): bigint {
  const drops = typeof value === 'string' && dropsPattern.test(value) ? BigInt(value) : maxDrops + 1n
  return drops <= maxDrops ? drops : unbelievable(`${what} is not an amount of XRP`)
}

export function readAddress(value: unknown, what: string): string {
  return typeof value === 'string' && decodeClassicAddress(value) !== null
    ? value
    : unbelievable(`${what} is not an address`)
}

/** A destination tag as text; null when there is none. */
export function readTag(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maxTag)
    return unbelievable('a destination tag is malformed')
  return String(value)
}
