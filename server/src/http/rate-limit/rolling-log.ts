import assert from 'node:assert/strict'
import { decide, MICROS_PER_MS, type RateDecision } from './rate-limiter.ts'

/** An exact rolling log in this process's memory: a `RateLimiter` that never has to wait. */
export type RollingLog = {
  admit(subject: string): RateDecision
  /** What `admit` would return, without recording anything. */
  peek(subject: string): RateDecision
  /** Counts a request unconditionally, even beyond the limit. */
  record(subject: string): void
  /** The log's own clock. */
  now(): number
  /** How many subjects are in memory. */
  readonly size: number
  close(): Promise<void>
}

export type RollingLogOptions = {
  readonly limit: number
  readonly windowMs: number
  readonly maxSubjects: number
  /** Monotonic milliseconds, fractional. */
  readonly now: () => number
}

/** A subject's newest requests, oldest at `head`, and its position in the list from most to least recently used. */
type Entry = { name: string; ring: number[]; head: number; count: number; newer: Entry; older: Entry }

// Most subjects are an IP address seen once: start with room for one request and double.
const FIRST_RING_SIZE = 1
// Each call adds at most one subject; dropping up to two keeps the cleanup ahead without a timer.
const SWEPT_PER_CALL = 2

/**
 * Keeps the exact log in process: constant time per request, memory bounded by `maxSubjects` (the least recently used
 * subject is dropped first), and subjects with nothing in the window dropped a few at a time as others ask.
 */
export function createRollingLog({ limit, windowMs, maxSubjects, now }: RollingLogOptions): RollingLog {
  assert(Number.isSafeInteger(limit) && limit > 0, 'limit is a positive integer')
  assert(Number.isSafeInteger(windowMs) && windowMs > 0, 'windowMs is a positive integer')
  assert(Number.isSafeInteger(maxSubjects) && maxSubjects > 0, 'maxSubjects is a positive integer')
  const window = windowMs * MICROS_PER_MS
  const entries = new Map<string, Entry>()
  // Subjects form a circle through `edge`: `edge.older` is the most recently used, `edge.newer` the least. Moving
  // one is six assignments, where deleting and setting it again in the Map would hash it twice.
  const edge = createEdge()

  /** The subject's entry without its expired requests, now the most recently used; undefined if there is none. */
  function find(subject: string, at: number): Entry | undefined {
    const entry = entries.get(subject)
    if (entry === undefined) return undefined
    if (edge.older !== entry) {
      unlink(entry)
      makeNewest(edge, entry)
    }
    expire(entry, at - window)
    return entry
  }

  function add(subject: string): Entry {
    if (entries.size >= maxSubjects) forget(edge.newer)
    const ring = createRing(FIRST_RING_SIZE)
    const entry: Entry = { name: subject, ring, head: 0, count: 0, newer: edge, older: edge }
    entries.set(subject, entry)
    makeNewest(edge, entry)
    return entry
  }

  function forget(entry: Entry): void {
    entries.delete(entry.name)
    unlink(entry)
  }

  function sweep(at: number): void {
    for (let swept = 0; swept < SWEPT_PER_CALL; swept++) {
      const stalest = edge.newer
      if (stalest === edge || newest(stalest) > at - window) return
      forget(stalest)
    }
  }

  function append(entry: Entry, at: number): void {
    // The newest `limit` requests decide everything, so one recorded beyond them replaces the oldest.
    if (entry.count === limit) dropOldest(entry)
    else if (entry.count === entry.ring.length) grow(entry, limit)
    entry.ring[slot(entry, entry.count)] = at
    entry.count++
  }

  return {
    now,
    get size() {
      return entries.size
    },
    admit(subject) {
      const at = toMicros(now())
      const entry = find(subject, at) ?? add(subject)
      const admitted = entry.count < limit
      if (admitted) append(entry, at)
      sweep(at)
      return decide(admitted, limit, entry.count, oldest(entry) + window - at)
    },
    peek(subject) {
      const at = toMicros(now())
      const entry = find(subject, at)
      if (entry === undefined || entry.count === 0) return decide(true, limit, 1, window)
      const admitted = entry.count < limit
      return decide(admitted, limit, entry.count + (admitted ? 1 : 0), oldest(entry) + window - at)
    },
    record(subject) {
      const at = toMicros(now())
      append(find(subject, at) ?? add(subject), at)
      sweep(at)
    },
    async close() {},
  }
}

/** To whole microseconds, so that a request exactly one window later is exactly that, at any fraction. */
function toMicros(ms: number): number {
  return Math.round(ms * MICROS_PER_MS)
}

function createEdge(): Entry {
  const entry = { name: '', ring: [], head: 0, count: 0 } as unknown as Entry
  entry.newer = entry
  entry.older = entry
  return entry
}

function makeNewest(edge: Entry, entry: Entry): void {
  entry.newer = edge
  entry.older = edge.older
  edge.older.newer = entry
  edge.older = entry
}

function unlink(entry: Entry): void {
  entry.newer.older = entry.older
  entry.older.newer = entry.newer
}

// Filled with a fraction, so that V8 stores unboxed doubles from the start and every ring has the same shape.
function createRing(size: number): number[] {
  return new Array<number>(size).fill(-0.5)
}

function slot(entry: Entry, offset: number): number {
  const index = entry.head + offset
  return index < entry.ring.length ? index : index - entry.ring.length
}

function oldest(entry: Entry): number {
  return entry.ring[entry.head] as number
}

function newest(entry: Entry): number {
  return entry.count === 0 ? Number.NEGATIVE_INFINITY : (entry.ring[slot(entry, entry.count - 1)] as number)
}

function dropOldest(entry: Entry): void {
  entry.head = slot(entry, 1)
  entry.count--
}

/** Drops requests at `edge` or before: a request exactly one window old no longer counts. */
function expire(entry: Entry, edge: number): void {
  while (entry.count > 0 && oldest(entry) <= edge) dropOldest(entry)
}

function grow(entry: Entry, limit: number): void {
  const ring = createRing(Math.min(entry.ring.length * 2, limit))
  for (let offset = 0; offset < entry.count; offset++)
    ring[offset] = entry.ring[slot(entry, offset)] as number
  entry.ring = ring
  entry.head = 0
}
