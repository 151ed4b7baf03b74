/** A limiter's verdict on one request, in the terms of the `RateLimit-*` and `Retry-After` headers. */
export type RateDecision = {
  readonly admitted: boolean
  readonly limit: number
  /** How many more would pass right now, after this request. */
  readonly remaining: number
  /** Whole seconds, rounded up, until the oldest counted request leaves the window. */
  readonly resetSeconds: number
  /** 0 when admitted; otherwise whole seconds, at least 1, until the next request would pass. */
  readonly retryAfterSeconds: number
}

/**
 * Admits a request of a subject (a key's id, an IP) only if fewer than `limit` requests of that subject were admitted
 * in the window that ends with it. A refused request is not counted. Never throws and never rejects.
 */
export type RateLimiter = {
  /** Synchronous in process, a promise when Redis has to be asked. */
  admit(subject: string): RateDecision | Promise<RateDecision>
  close(): Promise<void>
}

/** Integer microseconds everywhere: Redis's `TIME` gives them, and sums and differences of them are exact. */
export const MICROS_PER_MS = 1000
const MICROS_PER_SECOND = 1_000_000

/**
 * A decision from a log that keeps at most its `limit` newest requests. The oldest of those frees the next slot, so
 * when the log is full the two waits are the same number.
 */
export function decide(
  admitted: boolean,
  limit: number,
  counted: number,
  leavesInMicros: number,
): RateDecision {
  const seconds = Math.ceil(leavesInMicros / MICROS_PER_SECOND)
  return {
    admitted,
    limit,
    remaining: limit - counted,
    resetSeconds: seconds,
    retryAfterSeconds: admitted ? 0 : seconds,
  }
}
