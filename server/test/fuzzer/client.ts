import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './findings.ts'
import type { Measures } from './measures.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of the service are checked field by field
export type Row = any

export type Answer = {
  /** 0 if no answer came. */
  readonly status: number
  readonly data: Row
  readonly error: Row
  readonly code: string | undefined
  readonly page: Row
  readonly text: string
  readonly headers: Headers
}

/** Shared by all clients of a run. While the service is being killed, answers may fail to come. */
export type Line = {
  readonly base: string
  readonly findings: Findings
  readonly measures: Measures
  isCut: boolean
}

/** Sends requests on a merchant's behalf; the fuzzer's own tests use another implementation. */
export type Asker = {
  readonly name: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

const maxWaits = 100
const maxOutages = 20
const outageMs = 500
const maxPages = 2000
const pageSize = 100
const codes = new Set([
  'validation_error',
  'invalid_state',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'idempotency_key_mismatch',
  'rate_limited',
  'internal_error',
  'gate_offline',
  'service_unavailable',
  'rate_unavailable',
  'amount_too_small',
  'insufficient_balance',
  'invalid_destination',
  'refund_exceeds_credited',
])

/** Sends requests over HTTP, and checks every answer against the contract's rules for all answers. */
export class Client implements Asker {
  readonly name: string
  readonly #line: Line
  readonly #key: string | null

  constructor(line: Line, name: string, key: string | null) {
    this.#line = line
    this.name = name
    this.#key = key
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { findings, measures } = this.#line
    for (let waits = 0; ; waits++) {
      const startedAt = performance.now()
      const network = (body as Row)?.network
      if (network && /\/test\/(blocks|reorgs)/.test(path)) measures.minedAt.set(network, startedAt)
      measures.count('requests')
      const got = await this.#send(method, path, body, headers)
      if (got === null) return nothing
      const { status, text } = got
      if (status === 429 && waits < maxWaits) {
        measures.count('rate_limited')
        await sleep(1000 * Number(got.headers.get('retry-after') ?? 1))
        continue
      }
      measures.took(`${method} ${nameless(path)}`, performance.now() - startedAt)
      const json = parsed(text)
      // On a busy machine the database may be slow for a moment: a read is retried, as the answer asks.
      const isOutage = status === 503 && json?.error?.code === 'service_unavailable'
      if (isOutage && method === 'GET' && !this.#line.isCut && waits < maxOutages) {
        measures.count('unavailable')
        await sleep(outageMs)
        continue
      }
      const answer = status >= 400 ? json?.error : method === 'POST' ? json?.data : undefined
      findings.note({ who: this.name, method, path, body, status, answer })
      if (!this.#line.isCut || status < 500) this.#judge(`${method} ${path}`, got, json, body)
      return {
        status,
        text,
        headers: got.headers,
        data: json?.data,
        error: json?.error,
        code: json?.error?.code,
        page: json?.meta?.pagination,
      }
    }
  }

  /** Null if no answer came. */
  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string } | null> {
    const { base, findings } = this.#line
    try {
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(this.#key === null ? {} : { 'X-API-Key': this.#key }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (error) {
      const reason = error instanceof Error ? ((error.cause as Row)?.code ?? error.message) : error
      if (!this.#line.isCut) findings.report('no-answer', `${method} ${path}: ${reason}`)
      findings.note({ who: this.name, method, path, body, status: 0 })
      return null
    }
  }

  #judge(what: string, got: { status: number; headers: Headers; text: string }, json: Row, body: unknown) {
    const { findings, measures } = this.#line
    const { status, headers } = got
    const text = got.text.slice(0, 300)
    const id = json?.meta?.request_id
    findings.check(
      typeof id === 'string' && id === headers.get('x-request-id'),
      'envelope',
      `${what} ${status}: no envelope or request id`,
      text,
    )
    const code = json?.error?.code
    if (status >= 400) findings.check(codes.has(code), 'error-code', `${what} ${status}: code ${code}`, text)
    if ((status === 400 && code === 'validation_error') || status === 422)
      findings.check(
        Array.isArray(json?.error?.details) && json.error.details.length > 0,
        'no-details',
        `${what}: ${status} without details`,
        text,
      )
    if (code === 'service_unavailable') measures.count('unavailable')
    if (status === 500) findings.report('500', what, { body, text })
  }
}

export function get(asker: Asker, path: string): Promise<Answer> {
  return asker.call('GET', path)
}

export function post(
  asker: Asker,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer> {
  return asker.call('POST', path, body, headers)
}

/** Every row of a list and its stated total; null if it could not be read. */
export async function listAll(asker: Asker, path: string): Promise<{ rows: Row[]; total: number } | null> {
  const rows: Row[] = []
  for (let page = 0; page < maxPages; page++) {
    const answer = await get(asker, `${path}?limit=${pageSize}&offset=${page * pageSize}`)
    if (answer.status !== 200) return null
    rows.push(...answer.data)
    if (!answer.page.has_more) return { rows, total: answer.page.total }
  }
  return null
}

export function isReplay(answer: Answer): boolean {
  return answer.headers.get('idempotent-replayed') === 'true'
}

/** No answer, or one that leaves open whether the request took effect. */
export function isUnsure({ status }: Answer): boolean {
  return status === 0 || status >= 500
}

const nothing: Answer = {
  status: 0,
  data: undefined,
  error: undefined,
  code: undefined,
  page: undefined,
  text: '',
  headers: new Headers(),
}

function nameless(path: string): string {
  return (path.split('?')[0] ?? '').replace(/evt_[0-9a-f-]{36}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
}

function parsed(text: string): Row {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
