import { setTimeout as delay } from 'node:timers/promises'
import type { Event } from '@sluice/sdk/contract'
import type { EventStreamBlock } from './read-blocks.ts'

const firstWaitMs = 250
const longestWaitMs = 15_000
/** The window of the rate limit: no caller has to wait longer than that. */
const longestAskedMs = 60_000
/** The service says something every 15 seconds; a connection silent for longer is dead. */
const maxSilenceMs = 45_000

/** What happens while events are followed. */
export type Told =
  | { readonly kind: 'event'; readonly event: Event }
  /** Connected: for the first time, or again after so long. */
  | { readonly kind: 'connected'; readonly cutMs: number | null }
  /** Every event from before it connected was told: this many. */
  | { readonly kind: 'caught_up'; readonly count: number; readonly isFirst: boolean }
  | { readonly kind: 'cut'; readonly reason: string; readonly waitMs: number }

export type FollowOptions = {
  /** Null: from now on. */
  readonly after: string | null
  readonly events: readonly string[] | null
  readonly signal: AbortSignal
}

/** The comment with which the service says that a stream has caught up. */
const caughtUp = 'caught up'

/**
 * Follows events over any number of connections: after a cut it continues behind the last event that was taken, so that
 * none is missed and none comes twice. Fails if it cannot connect at first, and if it is refused for good.
 */
export async function* followEvents(
  api: {
    readonly open: (
      query: { events: readonly string[] | null; after: string | null },
      signal: AbortSignal,
    ) => Promise<AsyncGenerator<EventStreamBlock>>
    /** How long to wait at least; null if the same call never succeeds. */
    readonly waitMsAfter: (error: unknown) => number | null
  },
  options: FollowOptions,
): AsyncGenerator<Told, void, undefined> {
  const { events, signal } = options
  let { after } = options
  let waitMs = firstWaitMs
  let cutAt: number | null = null
  while (!signal.aborted) {
    const silence = silenceGuard(signal)
    let reason = 'the server ended the stream'
    let askedMs = 0
    try {
      const blocks = await api.open({ events, after }, silence.signal)
      const isFirst = cutAt === null
      yield { kind: 'connected', cutMs: cutAt === null ? null : performance.now() - cutAt }
      // From here on it has been connected once, and is not refused for a typing error.
      cutAt = performance.now()
      let count = 0
      for await (const block of blocks) {
        silence.reset()
        waitMs = firstWaitMs
        if (block.data !== null && !isBefore(block.id, after)) {
          count++
          yield { kind: 'event', event: JSON.parse(block.data) as Event }
        }
        if (block.id !== null && !isBefore(block.id, after)) after = block.id
        if (block.comment === caughtUp) yield { kind: 'caught_up', count, isFirst }
      }
    } catch (error) {
      if (signal.aborted) return
      const waitMsAfter = api.waitMsAfter(error)
      if (cutAt === null || waitMsAfter === null) throw error
      askedMs = Math.min(waitMsAfter, longestAskedMs)
      reason = silence.signal.aborted ? 'nothing came for too long' : reasonOf(error)
    } finally {
      silence.end()
    }
    if (signal.aborted) return
    cutAt = performance.now()
    // Half of it is random, so that those who were cut together do not return together.
    const pauseMs = Math.max(askedMs, waitMs * (0.5 + Math.random() / 2))
    yield { kind: 'cut', reason, waitMs: pauseMs }
    await delay(pauseMs, undefined, { signal }).catch(() => {})
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }
}

/** Whether an id is at or before the last one that was taken. */
function isBefore(id: string | null, last: string | null): boolean {
  return id !== null && last !== null && BigInt(id) <= BigInt(last)
}

function silenceGuard(outer: AbortSignal) {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), maxSilenceMs)
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    reset() {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), maxSilenceMs)
    },
    end: () => clearTimeout(timer),
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
