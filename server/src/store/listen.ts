import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const firstRetryMs = 100
const longestRetryMs = 5_000
const connectTimeoutMs = 5_000
// A query detects a connection that died silently, well within the lifetime of the caches that rely on it.
const heartbeatMs = 2_000

export type Listener = { close(): Promise<void> }

/**
 * Listens on PostgreSQL channels over its own connection, and reconnects by itself. Notifications sent while it is
 * disconnected are lost, so `onConnected` runs after every (re)connection: drop everything there that may have changed
 * unnoticed.
 */
export function listen(
  url: string,
  channels: readonly string[],
  handlers: {
    onNotification: (channel: string, payload: string) => void
    onConnected: () => void
    onLost: (error: unknown) => void
  },
): Listener {
  const closing = new AbortController()
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }

  async function run(): Promise<void> {
    let retryMs = firstRetryMs
    while (!closing.signal.aborted) {
      try {
        await listenOnce(() => {
          retryMs = firstRetryMs
          handlers.onConnected()
        })
      } catch (error) {
        handlers.onLost(error)
      }
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => {})
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    }
  }

  /** Returns when closing; throws when the connection is lost. */
  async function listenOnce(connected: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'sluice listen',
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: connectTimeoutMs,
      keepAlive: true,
    })
    let lost: ((error: unknown) => void) | undefined
    const ended = new Promise<never>((_, reject) => {
      lost = reject
    })
    ended.catch(() => {}) // awaited below; a failure before that must not count as unhandled
    client.on('error', (error) => lost?.(error))
    client.on('end', () => lost?.(new Error('the connection ended')))
    client.on('notification', (message) => handlers.onNotification(message.channel, message.payload ?? ''))
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      connected()
      while (!closing.signal.aborted) {
        await Promise.race([delay(heartbeatMs, undefined, { signal: closing.signal }).catch(() => {}), ended])
        if (!closing.signal.aborted) await Promise.race([client.query('select 1'), ended])
      }
    } finally {
      await client.end().catch(() => {})
    }
  }
}
