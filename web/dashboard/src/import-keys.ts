import { randomKey } from './random-key.ts'

// The idempotency keys of imports that have not succeeded yet: the same for the same payouts of the same place, also after a
// reload or once the answer was lost. They are kept in this browser under a fingerprint, so that no payout is.
const kept = 'sluice.imports'
const mostKept = 20

/** The key that is kept, or another one each time. */
export function keyOfImport(place: string, payouts: readonly object[]): string {
  const name = fingerprint(place, payouts)
  return read().find(([each]) => each === name)?.[1] ?? randomKey()
}

/** The import is about to be asked for: from now on its key stays the same. */
export function keepImport(place: string, payouts: readonly object[]): void {
  const key = keyOfImport(place, payouts)
  const name = fingerprint(place, payouts)
  write([...read().filter(([each]) => each !== name), [name, key]])
}

/** It has succeeded, or its payouts are wanted once more: the next import of the same payouts is another one. */
export function forgetImport(place: string, payouts: readonly object[]): void {
  const name = fingerprint(place, payouts)
  write(read().filter(([each]) => each !== name))
}

type Kept = readonly (readonly [fingerprint: string, key: string])[]

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

// FNV-1a with 64 bits. Should two imports ever share one, the service refuses the second for its key.
function fingerprint(place: string, payouts: readonly object[]): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(`${place} ${JSON.stringify(payouts)}`))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16)
}
