import { admitScript, admitScriptSha } from './admit-script.ts'
import { decide, MICROS_PER_MS, type RateDecision, type RateLimiter } from './rate-limiter.ts'
import { openRedisLink, type RedisClient, within } from './redis-link.ts'
import type { RollingLog } from './rolling-log.ts'

export type SharedLogOptions = {
  readonly redisUrl: string
  /** Separates kinds of subjects: `sluice:rate:key`, `sluice:rate:ip`. */
  readonly prefix: string
  readonly limit: number
  readonly windowMs: number
  /** Decides while Redis cannot; has the same limit and window. */
  readonly local: RollingLog
  readonly log: { warn(message: string): void; info(message: string): void }
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 250

/**
 * One exact rolling log for all processes that share a Redis, by Redis's clock. While Redis is down, hangs or refuses,
 * each process continues from what it admitted itself: decisions come at once, the change is logged once, and only
 * requests sent before it was noticed wait, for at most `timeoutMs`. A process also never admits more than `limit` in a
 * window because Redis came back without its data. Rejects only for an invalid URL.
 */
export async function createSharedLog(options: SharedLogOptions): Promise<RateLimiter> {
  const { redisUrl, prefix, limit, windowMs, local, log, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const scriptLimit = String(limit)
  const scriptWindow = String(windowMs * MICROS_PER_MS)

  // For one window after coming back, Redis does not know what this process admitted meanwhile, and after a restart nor
  // what was admitted before. Until then the local log has a say too.
  let waryUntilMs = Number.NEGATIVE_INFINITY
  const isWary = () => local.now() < waryUntilMs

  const link = await openRedisLink({
    redisUrl,
    // Limit 1 in a window of one microsecond always passes, so it always writes. Every subject's key has a colon, this
    // one none.
    probe: (client) => runScript(client, `${prefix}?probe`, '1', '1'),
    onDown: (why) => log.warn(`rate limits are per process until Redis answers again: ${why}`),
    onUp() {
      waryUntilMs = local.now() + windowMs
      log.info('rate limits are shared through Redis again')
    },
  })

  async function ask(client: RedisClient, subject: string): Promise<RateDecision> {
    let shared: RateDecision
    try {
      const reply = runScript(client, `${prefix}:${subject}`, scriptLimit, scriptWindow)
      shared = readReply(limit, await within(timeoutMs, reply))
    } catch (cause) {
      link.drop(client, cause) // Redis did not decide, so this process does.
      return local.admit(subject)
    }
    if (!shared.admitted) return shared
    const own = isWary() ? local.peek(subject) : shared
    if (!own.admitted) return own
    local.record(subject)
    return own.remaining < shared.remaining ? own : shared
  }

  return {
    admit(subject) {
      const { client } = link
      if (client === null) return local.admit(subject)
      if (!isWary()) return ask(client, subject)
      // Asking Redis first would make it count a request that is then refused.
      const own = local.peek(subject)
      return own.admitted ? ask(client, subject) : own
    },
    async close() {
      link.close()
    },
  }
}

/** Runs the script by its hash; a Redis that does not know it (restarted, flushed) gets its text and keeps it. */
async function runScript(client: RedisClient, key: string, limit: string, window: string): Promise<unknown> {
  try {
    return await client.sendCommand(['EVALSHA', admitScriptSha, '1', key, limit, window])
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.startsWith('NOSCRIPT'))) throw cause
    return client.sendCommand(['EVAL', admitScript, '1', key, limit, window])
  }
}

function readReply(limit: number, reply: unknown): RateDecision {
  if (!Array.isArray(reply) || reply.length !== 3 || !reply.every(Number.isSafeInteger)) {
    throw new Error('an unexpected answer')
  }
  return decide(reply[0] === 1, limit, reply[1], reply[2])
}
