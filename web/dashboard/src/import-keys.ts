import type { NewPayout } from '@sluice/web/contract'
import { randomKey } from './random-key.ts'

// The idempotency keys of payouts that a file asked for, one a row. A user who reloads the page, opens it twice, mends another row
// or takes the same file again gets the same keys, and nothing is paid twice. This browser keeps them under fingerprints, so
// that it keeps no payout.
const kept = 'sluice.imports'
const mostKept = 2_000

/** A key for each payout: its own, the one that is kept, or another one each time. */
export function keysOfPayouts(place: string, payouts: readonly NewPayout[]): string[] {
  const keys = new Map(read())
  const names = namesOf(place, payouts)
  return payouts.map(({ idempotency_key: own }, at) => own ?? keys.get(names[at] ?? '') ?? randomKey())
}

/** The payouts are about to be asked for: from now on their keys stay the same. */
export function keepKeys(place: string, payouts: readonly NewPayout[]): void {
  const keys = keysOfPayouts(place, payouts)
  const names = namesOf(place, payouts)
  write([...without(names), ...names.map((name, at) => [name, keys[at] ?? ''] as const)])
}

/** The payouts are wanted once more. */
export function forgetKeys(
  place: string,
  payouts: readonly NewPayout[],
  isForgotten: (at: number) => boolean,
): void {
  write(without(namesOf(place, payouts).filter((_, at) => isForgotten(at))))
}

type Kept = readonly (readonly [name: string, key: string])[]

function without(names: readonly string[]): Kept {
  const gone = new Set(names)
  return read().filter(([name]) => !gone.has(name))
}

function read(): Kept {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]')
    return Array.isArray(keys) ? keys : []
  } catch {
    return []
  }
}

function write(keys: Kept): void {
  localStorage.setItem(kept, JSON.stringify(keys.slice(-mostKept)))
}

/**
 * A name for each payout, by its amount and destination: of those that pay the same, the first, the second and so on. Not by what is
 * written about it: one whose note was changed after its answer was lost would be paid again. The service refuses it for its key.
 */
function namesOf(place: string, payouts: readonly NewPayout[]): string[] {
  const seen = new Map<string, number>()
  return payouts.map(({ currency, network, amount, destination, destination_tag: tag }) => {
    const paid = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
    const text = JSON.stringify([currency.toUpperCase(), network?.toLowerCase(), paid, destination, tag])
    const nth = (seen.get(text) ?? 0) + 1
    seen.set(text, nth)
    return fingerprint(`${place} ${nth} ${text}`)
  })
}

// FNV-1a with 64 bits. Should two payouts ever share one, the service refuses the second for its key.
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16)
}
