import type { FastifyReply } from 'fastify'
import type { Caller } from '../../domain/caller.ts'
import { RateLimitedError, ServiceError } from '../../domain/errors.ts'
import { type EventPosition, formatEventPosition } from '../../domain/event-position.ts'
import type { FeedPage } from '../../store/webhooks/event-feed.ts'
import type { Event } from '../../store/webhooks/events.ts'
import { EventStream } from '../event-stream.ts'

/** How many streams may be open at once on this process: in all, of one merchant, and of one key. */
export const feedLimits = { process: 2_000, merchant: 50, key: 10 } as const
const retryAfterSeconds = 5

const pageSize = 50
/** The most streams that read at once; the others wait, so that requests find a connection to the database. */
const maxReading = 3
// Events that an open transaction may precede are looked for again, at first soon.
const firstPauseMs = 20
const longestPauseMs = 1_000
const retryMs = 1_000
// Each stream gets one heartbeat per round, and reads without having been notified.
const roundTicks = 15
const usualTickMs = 1_000

/** One reader. */
export type FeedRequest = {
  readonly caller: Caller
  readonly after: EventPosition
  /** The names of the events it wants; null: all. */
  readonly events: readonly string[] | null
  /** Whether its key is still accepted. */
  isAllowed(): boolean | Promise<boolean>
}

/** The event streams that this process serves. */
export type EventFeeds = {
  /** Sends every event after a position, and each later one. Refuses when there are too many streams. */
  open(feed: FeedRequest, reply: FastifyReply): void
  /** These merchants may have new events. */
  appended(merchantIds: readonly string[]): void
  /** Anything may have been appended unnoticed. */
  wakeAll(): void
  /** Keys may have been revoked: ends the streams of those that were. */
  checkKeys(): void
  readonly size: number
  /** Ends every stream and accepts no more. */
  close(): void
}

type Feed = FeedRequest & {
  readonly stream: EventStream
  /** Which tick of a round is its own. */
  readonly place: number
  position: EventPosition
  isOpen: boolean
  /** Whether something may have been appended since it last began to read. */
  isWoken: boolean
  wake: () => void
}

export function createEventFeeds(options: {
  read: (
    caller: Caller,
    wanted: { after: EventPosition; events: readonly string[] | null; limit: number },
  ) => Promise<FeedPage>
  view: (event: Event) => object
  /** Told once an outage, not once a stream and attempt. */
  onReadFailed: (error: unknown) => void
  /** How long a fifteenth of a round takes: one second, or less in tests. */
  tickMs?: number
}): EventFeeds {
  const feeds = new Set<Feed>()
  const inTurn = turns(maxReading)
  let tick = 0
  let closed = false
  let isFailing = false
  const ticking = setInterval(onTick, options.tickMs ?? usualTickMs)

  return {
    open,
    appended(merchantIds) {
      for (const feed of feeds) if (merchantIds.includes(feed.caller.merchantId)) feed.wake()
    },
    wakeAll,
    checkKeys() {
      for (const feed of feeds) void check(feed)
    },
    get size() {
      return feeds.size
    },
    close() {
      closed = true
      clearInterval(ticking)
      for (const feed of feeds) feed.stream.end()
    },
  }

  function open(request: FeedRequest, reply: FastifyReply): void {
    if (closed) throw new ServiceError('service_unavailable', 'The service is shutting down. Try again.')
    refuseTooMany(request.caller)
    const feed: Feed = {
      ...request,
      stream: new EventStream(reply),
      place: feeds.size % roundTicks,
      position: request.after,
      isOpen: true,
      isWoken: false,
      wake() {
        feed.isWoken = true
      },
    }
    feeds.add(feed)
    feed.stream.onClose(() => {
      feeds.delete(feed)
      feed.isOpen = false
      feed.wake()
    })
    feed.stream.mark(formatEventPosition(feed.position))
    run(feed).catch((error: unknown) => {
      options.onReadFailed(error)
      feed.stream.end()
    })
  }

  function refuseTooMany({ actor, merchantId }: Caller): void {
    const all = [...feeds]
    const problem =
      feeds.size >= feedLimits.process
        ? 'Too many event streams are open here.'
        : all.filter(({ caller }) => caller.actor === actor).length >= feedLimits.key
          ? `This key has ${feedLimits.key} open event streams, which is the most. Close one.`
          : all.filter(({ caller }) => caller.merchantId === merchantId).length >= feedLimits.merchant
            ? `Your keys have ${feedLimits.merchant} open event streams together, which is the most. Close one.`
            : null
    if (problem !== null) throw new RateLimitedError(retryAfterSeconds, problem)
  }

  /** Reads on and sends, until the reader is gone. */
  async function run(feed: Feed): Promise<void> {
    let pauseMs = firstPauseMs
    let isCaughtUp = false
    while (feed.isOpen) {
      feed.isWoken = false
      const { caller, events, position: after } = feed
      let page: FeedPage
      try {
        page = await inTurn(() => options.read(caller, { after, events, limit: pageSize }))
        isFailing = false
      } catch (error) {
        failed(error)
        await wakened(feed, retryMs)
        continue
      }
      for (const event of page.events) {
        const id = formatEventPosition(event.position)
        if (!(await feed.stream.deliver(id, event.event, JSON.stringify(options.view(event))))) return
      }
      feed.position = page.position
      if (page.hasMore) continue
      if (!isCaughtUp) isCaughtUp = feed.stream.mark(formatEventPosition(feed.position), 'caught up')
      if (!page.isHeldBack) {
        pauseMs = firstPauseMs
        await wakened(feed, null)
        continue
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  /** Reports the first failure of an outage: every stream meets each one, every second. */
  function failed(error: unknown): void {
    if (!isFailing) options.onReadFailed(error)
    isFailing = true
  }

  function wakeAll(): void {
    for (const feed of feeds) feed.wake()
  }

  async function check(feed: Feed): Promise<void> {
    try {
      if (!(await feed.isAllowed())) feed.stream.end()
    } catch (error) {
      // It is asked again at the next tick; meanwhile nothing can be read from that database either.
      failed(error)
    }
  }

  function onTick(): void {
    tick++
    for (const feed of feeds) {
      // A revoked key must stop working within 5 seconds, even if the notification is lost. The keyring refreshes its copy only
      // for the next to ask, so asking every other second would end a stream after 6.
      void check(feed)
      if ((tick + feed.place) % roundTicks !== 0) continue
      feed.stream.mark(formatEventPosition(feed.position))
      feed.wake()
    }
  }
}

/** Resolves when the reader has something to look for, or after so long. */
function wakened(feed: Feed, waitMs: number | null): Promise<void> {
  if (feed.isWoken) return Promise.resolve()
  return new Promise((resolve) => {
    const { wake } = feed
    const timer = waitMs === null ? null : setTimeout(() => feed.wake(), waitMs)
    feed.wake = () => {
      if (timer !== null) clearTimeout(timer)
      feed.wake = wake
      feed.isWoken = true
      resolve()
    }
  })
}

/** Limits how many run at once; the others wait in order. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
