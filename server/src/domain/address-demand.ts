/** How many addresses a pool keeps ready at least and at most. */
export type PoolBounds = { readonly least: number; readonly most: number }

/** A pool with fewer addresses ready than `low` is filled up to `full`. */
export type Marks = { readonly low: number; readonly full: number }

// A rush that goes on at the highest rate seen finds addresses for this long, while more are derived.
const aheadSeconds = 60
// After a rush, the pool's target falls by half in this time: the next rush of a day may come soon.
const halfLifeMs = 600_000
// The most that are added between two looks at what is used.
const stepSize = 1_000
// Addresses are claimed in blocks: over less time, a single order would look like a rush.
const leastWindowMs = 10_000
const maxKeychains = 10_000

/** The marks of pools that keep `ready` addresses: half of them may be used before a pool is refilled. */
export function marksFor(ready: number): Marks {
  return { low: Math.ceil(ready / 2), full: ready }
}

/** Says how many addresses each pool should have, from how fast they are used. */
export type AddressDemand = {
  /** Notes how many addresses of a keychain were ever given out, at a time in monotonic milliseconds. */
  observe(keychain: string, given: number, atMs: number): void
  /** How many addresses the pool should have ready then: never fewer than the least nor more than the most. */
  target(keychain: string, atMs: number): number
}

/**
 * Keeps the highest rate of use that was seen of each keychain, which fades with time. An address that is derived ahead and not
 * used costs a row; one that is missing makes a payer wait.
 */
export function createAddressDemand({ least, most }: PoolBounds): AddressDemand {
  type Seen = { readonly given: number; readonly atMs: number; readonly perSecond: number }
  const seen = new Map<string, Seen>()

  function fadedAt({ perSecond, atMs }: Seen, nowMs: number): number {
    return perSecond * 0.5 ** (Math.max(nowMs - atMs, 0) / halfLifeMs)
  }

  return {
    observe(keychain, given, atMs) {
      const last = seen.get(keychain)
      if (last === undefined) {
        if (seen.size < maxKeychains) seen.set(keychain, { given, atMs, perSecond: 0 })
        return
      }
      const passedMs = atMs - last.atMs
      if (passedMs < leastWindowMs) return
      const rate = (Math.max(given - last.given, 0) * 1_000) / passedMs
      seen.set(keychain, { given, atMs, perSecond: Math.max(rate, fadedAt(last, atMs)) })
    },
    target(keychain, atMs) {
      const last = seen.get(keychain)
      const wanted = last === undefined ? 0 : Math.round(fadedAt(last, atMs) * aheadSeconds)
      return Math.min(Math.max(wanted, least), Math.max(most, least))
    },
  }
}

/** The marks of each pool from its demand, as seen by a process that looks at the pools again and again. */
export function marksByDemand(
  bounds: PoolBounds,
  now: () => number,
): (stock: { readonly keychain: string; readonly ready: number; readonly given: number }) => Marks {
  const demand = createAddressDemand(bounds)
  // Once a pool is refilled it is filled whole, over several looks.
  const refilling = new Set<string>()
  return ({ keychain, ready, given }) => {
    const atMs = now()
    demand.observe(keychain, given, atMs)
    const { low, full } = marksFor(demand.target(keychain, atMs))
    if (ready < low) refilling.add(keychain)
    else if (ready >= full) refilling.delete(keychain)
    return { low: refilling.has(keychain) ? full : low, full: Math.min(full, Math.max(ready, 0) + stepSize) }
  }
}
