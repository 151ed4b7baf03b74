import { setTimeout as delay } from 'node:timers/promises'

/**
 * Limits the rate of requests to a node. There is no limit until the node reports too many requests; then requests slow
 * down, and gradually speed up again. Waiting requests are sent in order.
 */
export type RequestPace = {
  /** Resolves when the next request may be sent; to false at once when the wait would exceed `maxWaitMs` or `mostMs`. */
  turn(mostMs?: number): Promise<boolean>
  /** The node reported too many requests, and perhaps how long to pause. */
  wasTooOften(retryAfterMs: number | null): void
  wentWell(): void
}

const firstGapMs = 200
const maxGapMs = 1_500
// For nodes that do not say how long to pause: short, so that we soon notice when requests are accepted again.
const maxRestMs = 1_500
/** After this many successful requests we speed up a little. */
const wellInARow = 30
const fasterNumerator = 3
const fasterDenominator = 4
const smallestGapMs = 50

export function requestPace(options: {
  /** How long a request may wait for its turn. */
  readonly maxWaitMs: number
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
}): RequestPace {
  const { maxWaitMs, now = () => performance.now(), sleep = (ms) => delay(ms) } = options
  let gapMs = 0
  let nextMs = Number.NEGATIVE_INFINITY
  let restMs = 0
  let slowedMs = Number.NEGATIVE_INFINITY
  let well = 0

  return {
    async turn(mostMs = maxWaitMs) {
      const startMs = now()
      const atMs = Math.max(startMs, nextMs)
      if (atMs - startMs > Math.min(mostMs, maxWaitMs)) return false
      nextMs = atMs + gapMs
      if (atMs > startMs) await sleep(atMs - startMs)
      return true
    },

    wasTooOften(retryAfterMs) {
      const nowMs = now()
      // Requests in flight at the same time are refused together, which counts as one refusal.
      if (nowMs - slowedMs >= gapMs || gapMs === 0) {
        slowedMs = nowMs
        gapMs = Math.min(maxGapMs, gapMs === 0 ? firstGapMs : gapMs * 2)
        restMs = Math.min(maxRestMs, restMs === 0 ? gapMs : restMs * 2)
      }
      well = 0
      nextMs = Math.max(nextMs, nowMs + (retryAfterMs ?? restMs))
    },

    wentWell() {
      restMs = 0
      if (gapMs === 0 || ++well < wellInARow) return
      well = 0
      gapMs = Math.floor((gapMs * fasterNumerator) / fasterDenominator)
      if (gapMs < smallestGapMs) gapMs = 0
    },
  }
}
