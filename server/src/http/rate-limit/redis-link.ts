import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export type RedisClient = {
  /** Dials once. Rejects if that fails. */
  connect(): Promise<void>
  /** Rejects at once without a connection, when it is lost, and when too many commands are unanswered. */
  sendCommand(command: readonly [name: string, ...args: string[]]): Promise<unknown>
  /** Cuts the connection; everything waiting on it is refused. Safe to call in any state. */
  destroy(): void
}

export type RedisLink = {
  /** The working connection, or null while Redis is known to be unusable. Reading it never waits. */
  readonly client: RedisClient | null
  /** Gives up a failed connection: everything waiting on it is rejected at once, and a new one is sought. */
  drop(client: RedisClient, cause: unknown): void
  /** Ends the connection and the search for one, in any state of Redis. */
  close(): void
}

export type RedisLinkOptions = {
  readonly redisUrl: string
  /** Resolves when the fresh connection can do what it is needed for. */
  readonly probe: (client: RedisClient) => Promise<unknown>
  readonly onDown: (why: string) => void
  readonly onUp: () => void
}

const CONNECT_TIMEOUT_MS = 2_000
const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 2_000
// A link that fails sooner than this was not really back: its retries continue where they were.
const STEADY_MS = 10_000
// With more unanswered commands than this, Redis does not keep up and counts as down.
const MAX_IN_FLIGHT = 10_000

/**
 * Tries Redis once, then keeps a proven connection as long as it lives, and seeks a new one in the background when it
 * fails. Each change is reported once. Rejects only when the URL itself is invalid.
 *
 * The client's own reconnecting is off: it keeps a connection whose peer hangs, and considers one ready that answers
 * PING but refuses writes (a demoted primary, a full disk).
 */
export async function openRedisLink({ redisUrl, probe, onDown, onUp }: RedisLinkOptions): Promise<RedisLink> {
  const closing = new AbortController()
  let client: RedisClient | null = null
  let retryMs = FIRST_RETRY_MS
  let upSince = 0

  async function connect(fresh: RedisClient): Promise<void> {
    const connected = fresh.connect()
    try {
      await within(
        CONNECT_TIMEOUT_MS,
        connected.then(() => probe(fresh)),
        closing.signal,
      )
      closing.signal.throwIfAborted()
      client = fresh
      upSince = performance.now()
    } catch (cause) {
      fresh.destroy()
      connected.then(() => fresh.destroy(), ignore) // a client destroyed while dialling may still connect
      throw cause
    }
  }

  async function seek(): Promise<void> {
    while (!closing.signal.aborted) {
      // Between half and all of it, so that many processes do not retry together.
      await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { ref: false, signal: closing.signal })
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
      const back = await connect(newClient(redisUrl, drop)).then(() => true, ignore)
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

  await connect(newClient(redisUrl, drop)).catch(lose)
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
 * Settles as `work` does, or rejects after `timeoutMs`. If this process was too busy to look, an answer that is already
 * in the socket still counts: it is read between the timer and the check after it.
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

/** A client that dials once when told to, and reports when its connection is lost. Throws when the URL is invalid. */
function newClient(url: string, onLost: RedisLink['drop']): RedisClient {
  // ioredis takes any other text for the name of a socket.
  const { protocol } = new URL(url)
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new TypeError(`A Redis URL must begin with redis:// or rediss://, not ${protocol}//.`)
  const redis = new Redis(url, {
    protocol: 2,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: null,
    reconnectOnError: null,
    enableOfflineQueue: false,
    // Our probe checks more than these do, and the Redis user may have only the permissions that we need.
    enableReadyCheck: false,
    disableClientInfo: true,
  })
  let inFlight = 0
  let lastError: unknown = null
  const client: RedisClient = {
    async connect() {
      // The rejection only says that there is no connection; the event before it says why.
      await redis.connect().catch((cause) => {
        throw lastError ?? cause
      })
      redis.stream.unref()
    },
    async sendCommand([name, ...args]) {
      if (inFlight >= MAX_IN_FLIGHT) throw new Error(`${MAX_IN_FLIGHT} commands are unanswered`)
      inFlight++
      try {
        return await redis.call(name, ...args)
      } finally {
        inFlight--
      }
    },
    destroy() {
      redis.disconnect()
      // Disconnecting only half-closes the socket, and a peer that hangs never answers that.
      redis.stream?.destroy()
    },
  }
  // Without a listener an 'error' event would end the process. 'end' follows it, or comes alone when the peer hangs up.
  redis.on('error', (cause) => {
    lastError = cause
  })
  redis.on('end', () => onLost(client, lastError ?? new Error('the connection was closed')))
  return client
}

function reason(cause: unknown): string {
  // A host with several addresses fails with an AggregateError, whose message is empty.
  if (cause instanceof AggregateError) return reason(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

function ignore(): void {}
