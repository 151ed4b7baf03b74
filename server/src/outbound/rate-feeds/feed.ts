import type { CurrencyFacts } from '../../domain/currencies.ts'
import { OutageError } from '../../domain/errors.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import type { Quote } from '../../domain/quote.ts'

/** The time limit for one whole `fetchQuotes`, and the largest answer it reads (after decompression). */
const feedTimeoutMs = 10_000
export const maxAnswerBytes = 4 * 1024 * 1024

/** The longest wait that we honour. Binance bans for up to three days; we try again every hour. */
export const maxRetryAfterMs = 60 * 60 * 1000

const maxErrorBytes = 1024
const maxExcerptLength = 200
const pleaseWaitStatuses: readonly number[] = [418, 429, 503]

/** A currency and its name at each source. */
export type QuotedCurrency = Pick<CurrencyFacts, 'code' | 'sourceNames'>

export type QuoteRequest = {
  readonly currencies: readonly QuotedCurrency[]
  readonly fiatCurrencies: readonly string[]
  readonly now: Date
  readonly signal?: AbortSignal
}

/**
 * One public source of prices. `fetchQuotes` returns quotes for the pairs that the source has and whose price is a
 * plausible number. It throws `FeedOutageError` when the source gives no usable answer. It never retries.
 */
export type RateFeed = {
  readonly name: string
  fetchQuotes(request: QuoteRequest): Promise<Quote[]>
}

export type FeedOptions = {
  readonly baseUrl?: string
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
}

/** A feed gave no usable answer. `retryAfterMs` is the wait it asked for, at most `maxRetryAfterMs`, or null. */
export class FeedOutageError extends OutageError {
  readonly feed: string
  readonly retryAfterMs: number | null

  constructor(feed: string, what: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(`Rate feed ${feed} ${what}`, { cause: options.cause })
    this.feed = feed
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** JSON with every number kept as its source text: a price that never was a float cannot lose digits. */
export type Json = string | boolean | null | Json[] | { [key: string]: Json }

export type JsonFetcher = (path: string) => Promise<Json>

/** Fetches JSON answers of one feed, with one deadline for all of its calls. Redirects are refused. */
export function jsonFetcher(
  feed: string,
  defaultUrl: string,
  options: FeedOptions,
  request: QuoteRequest,
): JsonFetcher {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? feedTimeoutMs)
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal])
  const limit = options.maxAnswerBytes ?? maxAnswerBytes
  const baseUrl = (options.baseUrl ?? defaultUrl).replace(/\/$/, '')
  return async (path) => {
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        redirect: 'error',
        signal,
        headers: { accept: 'application/json', 'user-agent': 'sluice' },
      })
      if (!response.ok) throw await refusal(feed, response, request.now)
      return parseJson(feed, await readAnswer(feed, response, limit))
    } catch (error) {
      // If the caller aborted the call, the feed is not at fault.
      if (request.signal?.aborted) throw request.signal.reason
      if (error instanceof FeedOutageError) throw error
      if (deadline.aborted) throw new FeedOutageError(feed, 'did not answer in time.', { cause: error })
      throw new FeedOutageError(feed, `could not be read: ${reasonOf(error)}.`, { cause: error })
    }
  }
}

/** A JSON object's own member, or undefined if the value is not an object or has no such member. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** The first element of a JSON array, or undefined. */
export function first(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : undefined
}

/** Keeps only the real fiat currencies: exchanges mix cryptocurrencies into the same lists. */
export function onlyFiat(codes: readonly string[]): string[] {
  return codes.filter((code) => fiatMinorDigits(code) !== null)
}

/** Untrusted text, made fit for one line of a log. */
export function excerpt(text: string): string {
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, maxExcerptLength)
}

async function refusal(feed: string, response: Response, now: Date): Promise<FeedOutageError> {
  // The body only explains: the status and the wait count even if the body is cut off.
  const body = await readUpTo(response, maxErrorBytes).catch(() => Buffer.alloc(0))
  const said = excerpt(body.toString('utf8'))
  const asksToWait = pleaseWaitStatuses.includes(response.status)
  return new FeedOutageError(feed, `answered HTTP ${response.status}${said === '' ? '' : `: ${said}`}.`, {
    retryAfterMs: asksToWait ? parseRetryAfter(response.headers.get('retry-after'), now) : null,
  })
}

/** RFC 9110 section 10.2.3: seconds, or an HTTP date. */
function parseRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null
  const waitMs = /^[0-9]{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxRetryAfterMs)
}

async function readAnswer(feed: string, response: Response, limit: number): Promise<string> {
  const bytes = await readUpTo(response, limit + 1)
  if (bytes.length > limit) throw new FeedOutageError(feed, `answered with more than ${limit} bytes.`)
  return bytes.toString('utf8')
}

/** The first `limit` bytes of the body. The rest is never received. */
async function readUpTo(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream, which closes the connection.
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown

function parseJson(feed: string, text: string): Json {
  const numbersAsText: SourceReviver = (_key, value, context) =>
    typeof value === 'number' ? context.source : value
  let answer: Json
  try {
    // TypeScript's lib does not declare the reviver's third argument yet.
    answer = JSON.parse(text, numbersAsText as (key: string, value: unknown) => unknown) as Json
  } catch (error) {
    throw new FeedOutageError(feed, 'did not answer with JSON.', { cause: error })
  }
  if (typeof answer !== 'object' || answer === null)
    throw new FeedOutageError(feed, 'answered with a bare value.')
  return answer
}

function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const root = cause instanceof Error ? cause : error
  return excerpt(root instanceof Error ? root.message : String(root))
}
