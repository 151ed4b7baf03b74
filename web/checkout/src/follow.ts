import type { Checkout, CheckoutToken } from '@sluice/web/contract'
import { type CheckoutApi, RefusedError, UnreachableError } from './api.ts'
import { eventStreamReader, type StreamEvent } from './event-stream.ts'

/** The callbacks of following. */
export type FollowListener = {
  streamed(checkout: Checkout): void
  /** Called before the service is asked; the returned function gets the answer, however late it arrives. */
  asking(): (checkout: Checkout) => void
  /** False while neither the stream nor polling gets through. */
  connected(connected: boolean): void
  /** The token has expired, and the page can make no more calls. */
  tokenLost(): void
}

export type Follower = {
  /** Asks at once: the page became visible again, or the network is back. */
  refresh(): void
  stop(): void
}

export const followTiming = {
  /** The service sends a comment more often than this; a stream that is silent for this long is dead. */
  silenceMs: 60_000,
  pollMs: 5_000,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
}

/**
 * How long to wait after this number of failures in a row: doubled each time, with jitter so that pages do not retry together.
 */
export function retryDelayMs(failures: number, timing: typeof followTiming, random: number): number {
  const whole = Math.min(timing.longestRetryMs, timing.firstRetryMs * 2 ** Math.min(failures - 1, 16))
  return whole / 2 + (whole / 2) * random
}

/** Follows the invoice until stopped or until the service ends it: by stream, with polling behind it. */
export function follow(
  api: CheckoutApi,
  listener: FollowListener,
  timing: typeof followTiming = followTiming,
): Follower {
  const stopped = new AbortController()
  let streaming = false
  let heardAtMs = 0
  let current: AbortController | null = null
  let wake = () => {}

  const stop = () => {
    stopped.abort()
    current?.abort()
    wake()
  }
  const lose = () => {
    // Stream and poll may both be refused; report the loss once.
    if (stopped.signal.aborted) return
    stop()
    listener.tokenLost()
  }

  const take = ({ name, data }: StreamEvent): void => {
    if (name === 'checkout') listener.streamed(JSON.parse(data) as Checkout)
    else if (name === 'token') api.keep(JSON.parse(data) as CheckoutToken)
    else if (name === 'ended') stop()
  }

  /** One connection from start to end; returns how long the service asks us to wait. */
  const stream = async (): Promise<number> => {
    const attempt = new AbortController()
    current = attempt
    heardAtMs = Date.now()
    const watch = setInterval(() => {
      if (Date.now() - heardAtMs > timing.silenceMs) attempt.abort()
    }, timing.silenceMs / 4)
    try {
      const read = eventStreamReader()
      const text = (await api.stream(attempt.signal)).pipeThrough(
        new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>,
      )
      for await (const piece of pieces(text, attempt.signal)) {
        heardAtMs = Date.now()
        for (const event of read(piece)) {
          take(event)
          if (stopped.signal.aborted) return 0
          streaming = true
          listener.connected(true)
        }
      }
      return 0
    } catch (error) {
      // However a stream ends, the page continues polling and opens another one.
      if (error instanceof RefusedError && error.status === 401) lose()
      return error instanceof RefusedError ? error.retryAfterMs : 0
    } finally {
      clearInterval(watch)
      attempt.abort()
      streaming = false
    }
  }

  const keepStreaming = async () => {
    for (let failures = 1; !stopped.signal.aborted; failures++) {
      const startedAtMs = Date.now()
      const retryAfterMs = await stream()
      // A stream that lasted a while was healthy: its end is no reason to back off.
      if (Date.now() - startedAtMs > timing.longestRetryMs) failures = 1
      if (stopped.signal.aborted) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(
          resolve,
          Math.max(retryAfterMs, retryDelayMs(failures, timing, Math.random())),
        )
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  let asking = false
  const poll = async () => {
    if (asking || stopped.signal.aborted) return
    asking = true
    try {
      await api.renewIfOld()
      const answer = listener.asking()
      const checkout = await api.invoice()
      if (stopped.signal.aborted) return
      answer(checkout)
      listener.connected(true)
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401) lose()
      else if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error
      else if (!streaming) listener.connected(false)
    } finally {
      asking = false
    }
  }

  const behind = setInterval(() => {
    if (!streaming) void poll()
    // A stream delivers new tokens itself; this is for one that comes too late.
    else void api.renewIfOld().catch(() => {})
  }, timing.pollMs)
  stopped.signal.addEventListener('abort', () => clearInterval(behind))
  void keepStreaming()

  return {
    stop,
    refresh() {
      if (stopped.signal.aborted) return
      void poll()
      if (Date.now() - heardAtMs > timing.pollMs * 4) current?.abort()
      wake()
    },
  }
}

/** The chunks of a stream; ends when the signal aborts, even in the middle of a read. */
async function* pieces(stream: ReadableStream<string>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
