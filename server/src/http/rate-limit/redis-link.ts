import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'

export type RedisClient = ReturnType<typeof newClient>

export type RedisLink = {
  /** The working connection, or null while Redis is known to be unusable. Reading it never waits. */
  readonly client: RedisClient | null
  /** Gives up a connection that failed; everything waiting on it is refused at once, a new one is sought. */
  drop(client: RedisClient, cause: unknown): void
  /** Ends the connection and the search for one, whatever state Redis is in. */
  close(): void
}

export type RedisLinkOptions = {
  readonly redisUrl: string
  /** Resolves when the fresh connection does what it is needed for. */
  readonly probe: (client: RedisClient) => Promise<unknown>
  readonly onDown: (why: string) => void
  readonly onUp: () => void
}

const CONNECT_TIMEOUT_MS = 2_000
const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 2_000
// A link that fails sooner than this was not really back: its retries go on from where they were.
const STEADY_MS = 10_000
// More unanswered commands than this means Redis does not keep up, which is as good as down.
const MAX_IN_FLIGHT = 10_000

/**
 * Tries Redis once, then keeps a proven connection for as long as it lives and seeks a new one in the background
 * when it fails. Each change is reported once. Rejects only when the URL itself makes no sense.
 *
 * The client's own reconnecting is off: it keeps a connection whose peer hangs, and calls one ready that answers
 * PING but refuses writes (a demoted primary, a full disk).
 */
export async function openRedisLink({ redisUrl, probe, onDown, onUp }: RedisLinkOptions): Promise<RedisLink> {
  const closing = new AbortController()
  let client: RedisClient | null = null
  let retryMs = FIRST_RETRY_MS
  let upSince = 0

  async function connect(fresh: RedisClient): Promise<void> {
    // Without a listener an 'error' event would end the process; with one it also tells of a death while idle.
    fresh.on('error', (cause) => drop(fresh, cause))
    const connected = fresh.connect()
    try {
      await within(CONNECT_TIMEOUT_MS, connected.then(probe), closing.signal)
      closing.signal.throwIfAborted()
      client = fresh
      upSince = performance.now()
    } catch (cause) {
      fresh.destroy()
      connected.then(() => fresh.destroy(), ignore) // one destroyed while it dialled may still come through
      throw cause
    }
  }

  async function seek(): Promise<void> {
    while (!closing.signal.aborted) {
      // Between half and all of it, so that many processes do not knock together.
      await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { ref: false, signal: closing.signal })
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
      const back = await connect(newClient(redisUrl)).then(() => true, ignore)
      if (back) return onUp()
    }
  }

  function lose(cause: unknown): void {
    if (closing.signal.aborted) return
    onDown(reason(cause))
    seek().catch(ignore) // only closing ends it early
  }

  function drop(failed: RedisClient, cause: unknown): void {
    if (client !== failed) return
    client = null
    failed.destroy()
    if (performance.now() - upSince > STEADY_MS) retryMs = FIRST_RETRY_MS
    lose(cause)
  }

  await connect(newClient(redisUrl)).catch(lose)
  return {
    get client() {
      return client
    },
    drop,
    close() {
      closing.abort(new Error('closed'))
      client?.destroy()
      client = null
    },
  }
}

/**
 * Settles as `work` does, or rejects after `timeoutMs`. When the process itself was too busy to look, an answer that
 * already lies in the socket still counts: it is read between the timer and the check after it.
 */
export function within<T>(timeoutMs: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(
    () => setImmediate(reject, new Error(`no answer within ${timeoutMs} ms`)),
    timeoutMs,
  )
  const abort = () => reject(signal?.reason)
  signal?.addEventListener('abort', abort)
  work.then(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
}

function newClient(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_IN_FLIGHT,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
  })
  client.unref()
  return client
}

function reason(cause: unknown): string {
  // A host with several addresses fails with an AggregateError, whose message is empty.
  if (cause instanceof AggregateError) return reason(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

function ignore(): void {}
