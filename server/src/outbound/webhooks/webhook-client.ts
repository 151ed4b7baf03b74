import { isForbidden } from './address-guard.ts'
import { type AllowList, isAllowed } from './allow-list.ts'
import { type Answer, BadAnswer, exchange, StaleConnection } from './exchange.ts'
import { guardedAgents } from './guarded-agents.ts'
import {
  ConnectFailure,
  type ConnectFailureReason,
  type ConnectionRules,
  codeOf,
} from './guarded-connection.ts'
import { createLookup, type Lookup } from './lookup.ts'
import { createSlots } from './slots.ts'
import { readTarget, type Target } from './target.ts'

/** The time limit from the start of an exchange to the answer's last byte. */
const exchangeTimeoutMs = 15_000

/** The longest wait for a free slot before an exchange starts. */
const maxWaitMs = 5_000

/** Concurrent exchanges, in total and per host, and how many more may wait for a slot. */
const maxExchanges = 256
const maxExchangesPerHost = 16
const maxWaiting = 10_000

/** How long a connection stays open for the next webhook. */
const keptMs = 10_000

export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal?: AbortSignal
}

/**
 * Why there is no answer, in plain words. `busy`: we had no free slot and never contacted the receiver. `bad answer`:
 * the answer is not HTTP, or its headers are too large.
 */
export type FailureReason = ConnectFailureReason | 'busy' | 'bad address' | 'bad answer'

export type Outcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly durationMs: number
      /** The beginning of the answer, at most 1 KiB. Empty if only the operator's allow list opens that host. */
      readonly head: string
      /** The wait that the receiver asks for, at most one day, or null. */
      readonly retryAfterMs: number | null
      /** 410: the receiver wants no more webhooks. */
      readonly gone: boolean
    }
  | {
      readonly kind: 'failed'
      readonly reason: FailureReason
      /** The system's code for it (`ECONNREFUSED`, `CERT_HAS_EXPIRED`, `HPE_HEADER_OVERFLOW`), if there is one. */
      readonly code: string | null
      readonly durationMs: number
    }

export type WebhookClient = {
  /**
   * Posts once, follows no redirect, and settles within `maxWaitMs` + `exchangeTimeoutMs`. Rejects only with the reason
   * of the caller's own signal, or when a header cannot be sent.
   */
  post(request: WebhookRequest): Promise<Outcome>
  /** Closes all connections, including those in use. Connections still being opened are stopped by their signal. */
  close(): void
}

export type WebhookClientOptions = {
  readonly allow: AllowList
  readonly lookup?: Lookup
  readonly timeoutMs?: number
  readonly waitMs?: number
  readonly perHost?: number
  readonly inAll?: number
  readonly idleMs?: number
  readonly ca?: ConnectionRules['ca']
  readonly connect?: ConnectionRules['connect']
}

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allow, lookup = createLookup(allow), timeoutMs = exchangeTimeoutMs, waitMs = maxWaitMs } = options
  const rules: ConnectionRules = { allow, lookup, ca: options.ca, connect: options.connect }
  const slots = createSlots({
    inAll: options.inAll ?? maxExchanges,
    perKey: options.perHost ?? maxExchangesPerHost,
    waiting: maxWaiting,
  })
  const reusing = guardedAgents(rules, options.idleMs ?? keptMs)
  const fresh = guardedAgents(rules, null)

  async function ask(target: Target, request: WebhookRequest, giveUp: AbortSignal): Promise<Answer> {
    try {
      return await exchange(target, request, reusing, giveUp)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      return exchange(target, request, fresh, giveUp)
    }
  }

  async function post(request: WebhookRequest): Promise<Outcome> {
    const { signal } = request
    const target = readTarget(request.url)
    if (target === null) return { kind: 'failed', reason: 'bad address', code: null, durationMs: 0 }
    const free = await slots.take(`${target.host}:${target.port}`, waitMs, signal)
    if (free === null) return { kind: 'failed', reason: 'busy', code: null, durationMs: 0 }
    const started = performance.now()
    const durationMs = () => Math.round(performance.now() - started)
    const controller = new AbortController()
    const giveUp = () => controller.abort()
    const deadline = setTimeout(giveUp, timeoutMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      signal?.throwIfAborted()
      const { address, head, ...answer } = await ask(target, request, controller.signal)
      const shown = address !== null && !isForbidden(address) && !isAllowed(allow, target.host, address)
      return { kind: 'answered', ...answer, head: shown ? head : '', durationMs: durationMs() }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const reason = controller.signal.aborted ? 'timed out' : reasonOf(error)
      if (reason === null) throw error
      const code = controller.signal.aborted ? null : codeOf(error)
      return { kind: 'failed', reason, code, durationMs: durationMs() }
    } finally {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', giveUp)
      free()
    }
  }

  return {
    post,
    close() {
      reusing.destroy()
      fresh.destroy()
    },
  }
}

function reasonOf(error: unknown): FailureReason | null {
  if (error instanceof ConnectFailure) return error.reason
  if (error instanceof BadAnswer) return 'bad answer'
  const code = codeOf(error)
  // A header that cannot be sent is our own bug, not the receiver's failure.
  if (code === null || error instanceof TypeError) return null
  return code.startsWith('HPE_') ? 'bad answer' : 'connection broken'
}
