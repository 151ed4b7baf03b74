import { type RawAnswer, type Received, readAnswer } from './answer.ts'
import { reasonOf, SluiceConnectionError } from './errors.ts'
import { defaultRetries, isPassing, longestWaitMs, mostRetries, type Timing, waitMsBefore } from './retry.ts'
import { addressOf, isRepeatable, type Route, type RouteInput, readBaseUrl } from './route.ts'
import type { AbortSignal, FetchInit, FetchResponse } from './web-types.ts'

const defaultTimeoutMs = 30_000
const longestTimeoutMs = 600_000

export type SluiceOptions = {
  /** Origin and `/api`, such as `https://pay.example.com/api`. */
  readonly baseUrl: string
  /** Not needed for public data. Sent only with operations that need it. */
  readonly apiKey?: string | undefined
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: ((url: string, init: FetchInit) => Promise<FetchResponse>) | undefined
  /** The time limit of one attempt, from connecting to the last byte of the answer, in milliseconds. Default 30 000. */
  readonly timeoutMs?: number | undefined
  /** How often a request that is safe to repeat is sent again. 0 to 10, default 2. */
  readonly maxRetries?: number | undefined
}

/** How one call is sent, where that differs from the client's options. */
export type SendOptions = {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

export type Send = (route: Route, input: RouteInput & SendOptions) => Promise<RawAnswer>

/** Sends calls, and repeats them when that is safe and may help. Throws a `TypeError` at once for invalid options. */
export function createTransport(options: SluiceOptions, timing: Timing): Send {
  const baseUrl = readBaseUrl(options.baseUrl)
  const apiKey = readKey(options.apiKey)
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const timeoutOf = (ms: number) => within('timeoutMs', ms, 1, longestTimeoutMs)
  const retriesOf = (count: number) => within('maxRetries', count, 0, mostRetries)
  const usualTimeoutMs = timeoutOf(options.timeoutMs ?? defaultTimeoutMs)
  const usualRetries = retriesOf(options.maxRetries ?? defaultRetries)
  const clean = (text: string) => (apiKey === undefined ? text : text.replaceAll(apiKey, '[API key]'))

  async function attempt(
    url: string,
    init: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Received> {
    signal?.throwIfAborted()
    const limit = new AbortController()
    const cancel = () => limit.abort(signal?.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      limit.abort()
    }, timeoutMs)
    try {
      const response = await fetch(url, { ...init, signal: limit.signal })
      return { response, text: await response.text() }
    } catch (error) {
      signal?.throwIfAborted()
      const reason = timedOut ? `no complete answer within ${timeoutMs} ms` : reasonOf(error)
      throw new SluiceConnectionError(clean(`No answer from ${baseUrl}: ${reason}`), timedOut)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }

  return async (route, input) => {
    if (route.needsKey && apiKey === undefined) {
      throw new TypeError(`${route.method} ${route.path} needs an API key. Pass apiKey to createSluice.`)
    }
    const timeoutMs = timeoutOf(input.timeoutMs ?? usualTimeoutMs)
    const maxRetries = retriesOf(input.maxRetries ?? usualRetries)
    const url = addressOf(baseUrl, route, input)
    // Created once: a repeated request must be identical to the byte, or its idempotency key is refused.
    const init = requestInit(route, input, apiKey)
    const retries = isRepeatable(route, input) ? maxRetries : 0
    let waitLeftMs = longestWaitMs
    for (let retry = 0; ; retry += 1) {
      try {
        return readAnswer(await attempt(url, init, timeoutMs, input.signal), timing.now(), clean)
      } catch (error) {
        if (retry >= retries || !isPassing(error)) throw error
        const waitMs = waitMsBefore(retry, error, timing.random())
        // Retrying earlier than the service asks would only be refused again.
        if (waitMs > waitLeftMs) throw error
        waitLeftMs -= waitMs
        await timing.sleep(waitMs, input.signal)
      }
    }
  }
}

function requestInit(route: Route, input: RouteInput, apiKey: string | undefined): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined && value !== null) headers.set(name, String(value))
  }
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  // Operations that need no key do not get it. Set last, so that no other header replaces it.
  if (route.needsKey && apiKey !== undefined) headers.set('x-api-key', apiKey)
  return {
    method: route.method,
    headers,
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    // Following redirects would send the key along, even to other hosts: fetch drops only `Authorization`.
    redirect: 'manual',
    // In a browser only the key authenticates the caller, never a cookie. Runtimes without cookies may refuse to be told.
    ...(knowsCredentials() ? { credentials: 'omit' } : {}),
  }
}

/** Cloudflare's workers do not, and in older ones `fetch` throws if it is given any. */
function knowsCredentials(): boolean {
  return typeof globalThis.Request === 'function' && 'credentials' in globalThis.Request.prototype
}

function readKey(apiKey: string | undefined): string | undefined {
  // fetch would refuse a stray line break too, but with a message that shows the key.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      'apiKey is empty or contains characters that no key has, such as a space or a line break.',
    )
  }
  return apiKey
}

function within(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new TypeError(`${name} must be an integer from ${least} to ${most}.`)
}
