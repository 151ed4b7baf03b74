import { setTimeout as delay } from 'node:timers/promises'

/**
 * How fast a node may be asked: as fast as we like until it says that it was too often; then slower, and bit by bit faster again.
 * Who has to wait takes a turn behind the others.
 */
export type RequestPace = {
  /** Returns when the next request may be sent; false, at once, when that would take longer than anybody waits, or than this. */
  turn(mostMs?: number): Promise<boolean>
  /** The node says that it was asked too often, and perhaps how long to leave it alone. */
  wasTooOften(retryAfterMs: number | null): void
  wentWell(): void
}

const firstGapMs = 200
const maxGapMs = 1_500
// Where the node does not say how long: so that we hear soon when we may ask again.
const maxRestMs = 1_500
/** After so many that went well we try to go a little faster. */
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
      // Several that were on their way together are refused together: that says one thing, not several.
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
