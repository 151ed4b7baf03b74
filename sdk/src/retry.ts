import { SluiceConnectionError, SluiceError } from './errors.ts'
import type { AbortSignal } from './web-types.ts'

export const defaultRetries = 2
export const mostRetries = 10
const firstBackoffMs = 500
const longestBackoffMs = 8_000

/**
 * All waits of one call together stay within this. It is the length of the rate limit's window, so a client refused for
 * sending too much can always get through.
 */
export const longestWaitMs = 60_000

/** Time and randomness, passed in so that tests control them. */
export type Timing = {
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly now: () => number
}

export const realTiming: Timing = {
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    }),
  random: () => Math.random(),
  now: () => Date.now(),
}

/** Whether the same request may succeed later: 429, 5xx, or no complete answer. */
export function isPassing(error: unknown): error is SluiceError | SluiceConnectionError {
  if (error instanceof SluiceConnectionError) return true
  return error instanceof SluiceError && (error.status === 429 || error.status >= 500)
}

/** How long to wait before retry number `retry` (from 0). Never shorter than the service asked for. */
export function waitMsBefore(
  retry: number,
  error: SluiceError | SluiceConnectionError,
  random: number,
): number {
  const ceilingMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry)
  // Half of it is random, so that clients which failed together do not retry together.
  const backoffMs = ceilingMs * (0.5 + random / 2)
  const askedMs = error instanceof SluiceError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(backoffMs, askedMs)
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or the date that some proxies send. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  const dateMs = Date.parse(header)
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000))
}
