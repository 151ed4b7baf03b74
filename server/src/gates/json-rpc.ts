import { readFile } from 'node:fs/promises'
import { GateOutageError } from './gate.ts'
import { type HttpAnswer, nodeConnections } from './node-connections.ts'
import { requestPace } from './request-pace.ts'
import { shownText } from './shown-text.ts'

export type RpcCall = readonly [method: string, ...params: readonly unknown[]]

/** A node's answer to one call of a batch. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal }

export type NodeRpc = {
  /** The result. Throws an `RpcRefusal` when the node refuses the call, and a `GateOutageError` for any other failure. */
  call(...call: RpcCall): Promise<unknown>
  /** Sends all calls in one request, or in as few as the node allows. Answers are in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]>
  /** Closes the open connections. */
  close(): void
}

/** How the nodes of a family speak JSON-RPC. */
export type RpcDialect = {
  readonly version: '1.0' | '2.0'
  parse(text: string): unknown
  /** Error codes that are not refusals: the node cannot answer any call right now. */
  readonly unready: readonly number[]
  /** Whether an error means that a rate limit was reached. */
  isTooOften?(code: number, message: string): boolean
  /**
   * What an answer says, in the form of JSON-RPC, for nodes whose answers have another one and no id. A request is then
   * recognised by its connection alone, and none has several calls.
   */
  plain?(answer: unknown): unknown
}

export type NodeRpcOptions = {
  /** `http://user:password@host:port`; without a user where there is a cookie file, or the node needs no login. */
  readonly url: string
  /** The file in which the node writes a new password at every start. */
  readonly cookieFile?: string | null
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  /** How long a request may wait for its turn under the node's rate limit. */
  readonly maxWaitMs?: number
  /** Called for every request that is sent, with the number of calls in it. */
  readonly onRequest?: (calls: number) => void
  /** Called when the node says that it was asked too often. */
  readonly onTooOften?: () => void
}

/** The node understood the call and refused it. The meaning of the codes depends on the family. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal'
  readonly code: number
  /** What the node sends besides its message, if anything. */
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

// The conformance suite allows 15 seconds for an answer that never comes.
const defaultTimeoutMs = 10_000
// A full block with all its details takes up to 30 MB.
const defaultMaxAnswerBytes = 64 * 1024 * 1024
// How often a request is retried after a rate limit error, ever more slowly.
const maxTooOften = 4
// The statuses with which servers refuse requests that are too large or unsupported, such as batches.
const refusedStatuses = new Set([400, 405, 413, 415, 422, 501])
const maxShownText = 200

/** Speaks JSON-RPC to a node over keep-alive connections. Every request is bounded in time and size. */
export function jsonRpc(
  dialect: RpcDialect,
  {
    url: given,
    cookieFile = null,
    timeoutMs = defaultTimeoutMs,
    maxAnswerBytes = defaultMaxAnswerBytes,
    maxWaitMs = timeoutMs,
    onRequest = () => {},
    onTooOften = () => {},
  }: NodeRpcOptions,
): NodeRpc {
  const url = new URL(given)
  const named = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  // Only the host is ever shown: the rest of the URL may contain a password or API key.
  const place = url.host
  let login: string | null = url.username === '' ? null : named
  let nextId = 1
  const pace = requestPace({ maxWaitMs })
  /** How many calls the node accepts in one request; lowered when it refuses a batch. */
  let maxBatch = Number.POSITIVE_INFINITY

  function outage(what: string, cause?: unknown): GateOutageError {
    return new GateOutageError(`The node at ${place} ${what}`, { cause })
  }
  const connections = nodeConnections(url, { timeoutMs, maxAnswerBytes, outage })

  async function readLogin(): Promise<string> {
    if (cookieFile === null) return ''
    try {
      return (await readFile(cookieFile, 'utf8')).trim()
    } catch (error) {
      throw outage(`cannot be used: its cookie file ${cookieFile} cannot be read.`, error)
    }
  }

  async function send(body: string): Promise<HttpAnswer> {
    login ??= await readLogin()
    let answer = await connections.post(body, login)
    // The node writes a new cookie at every start.
    if (answer.status === 401 && cookieFile !== null) {
      login = await readLogin()
      answer = await connections.post(body, login)
    }
    return answer
  }

  /** The node's answer, after waiting for our turn under its rate limit. */
  async function ask(body: object, calls: number): Promise<{ status: number; json: unknown }> {
    const sent = JSON.stringify(body)
    const endMs = performance.now() + maxWaitMs
    for (let left = maxTooOften; ; left--) {
      if (!(await pace.turn(endMs - performance.now()))) throw tooOften()
      onRequest(calls)
      const { status, text, retryAfter } = await send(sent)
      if (status === 401 || status === 403)
        throw outage('refused access: check the user, the password and the addresses that it allows.')
      const json = status === 429 ? null : parsed(text, status, calls)
      if (status !== 429 && !saysTooOften(json)) {
        pace.wentWell()
        return { status, json }
      }
      onTooOften()
      pace.wasTooOften(retryAfterIn(retryAfter))
      if (left === 0) throw tooOften()
    }
  }

  function tooOften(): GateOutageError {
    return outage(
      'has reached its rate limit. Requests are paused for a while and then sent more slowly. If this persists, ' +
        'raise the limit at your provider, or set a larger "poll_seconds".',
    )
  }

  function saysTooOften(json: unknown): boolean {
    return [json].flat().some((answer) => {
      const { code, message } =
        (answer as { error?: { code?: unknown; message?: unknown } } | null)?.error ?? {}
      return typeof code === 'number' && (dialect.isTooOften?.(code, shownText(message)) ?? false)
    })
  }

  function parsed(text: string, status: number, calls: number): unknown {
    try {
      const json = dialect.parse(text)
      return dialect.plain === undefined ? json : dialect.plain(json)
    } catch (error) {
      if (calls > 1 && refusedStatuses.has(status)) return null
      const shown = text.slice(0, maxShownText).trim()
      throw outage(`answered with status ${status} and no JSON${shown === '' ? '' : `: ${shown}`}.`, error)
    }
  }

  function answerIn(answer: unknown, id: number | undefined): RpcAnswer {
    if (typeof answer !== 'object' || answer === null || (id !== undefined && !('id' in answer)))
      throw outage('sent something that is not a JSON-RPC answer.')
    if (id !== undefined && (answer as { id?: unknown }).id !== id)
      throw outage(`answered call ${id} with the answer to another call.`)
    const { result, error } = answer as { result?: unknown; error?: unknown }
    if (error === null || error === undefined) {
      if (result === undefined) throw outage('answered with neither a result nor an error.')
      return { result }
    }
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    if (typeof code !== 'number') throw outage('answered with an error that has no code.')
    if (dialect.unready.includes(code)) throw outage(`is not ready yet: ${shownText(message)}`)
    return { refusal: new RpcRefusal(code, shownText(message), data) }
  }

  async function askOne([method, ...params]: RpcCall): Promise<RpcAnswer> {
    if (dialect.plain !== undefined) return answerIn((await ask({ method, params }, 1)).json, undefined)
    const id = nextId++
    const { json } = await ask({ jsonrpc: dialect.version, id, method, params }, 1)
    return answerIn(json, id)
  }

  /** Sends all calls in one request; null when the node does not accept that many at once. */
  async function askTogether(calls: readonly RpcCall[]): Promise<RpcAnswer[] | null> {
    const asked = calls.map(([method, ...params]) => ({
      jsonrpc: dialect.version,
      id: nextId++,
      method,
      params,
    }))
    const { status, json } = await ask(asked, calls.length)
    if (!Array.isArray(json)) {
      const isRefused = refusedStatuses.has(status) || (json as { error?: unknown } | null)?.error != null
      if (isRefused) return null
    }
    if (!Array.isArray(json) || json.length !== asked.length)
      throw outage(`did not send exactly one answer to each of ${asked.length} calls.`)
    const byId = new Map(json.map((answer) => [answer?.id, answer]))
    return asked.map(({ id }) => {
      if (!byId.has(id)) throw outage(`left call ${id} without an answer.`)
      return answerIn(byId.get(id), id)
    })
  }

  return {
    async call(...call) {
      const answer = await askOne(call)
      if ('refusal' in answer) throw answer.refusal
      return answer.result
    },

    async batch(calls) {
      const answers: RpcAnswer[] = []
      if (dialect.plain !== undefined) maxBatch = 1
      while (answers.length < calls.length) {
        const some = calls.slice(answers.length, answers.length + Math.min(calls.length, maxBatch))
        const [only] = some
        const answered =
          some.length === 1 && only !== undefined ? [await askOne(only)] : await askTogether(some)
        if (answered !== null) answers.push(...answered)
        // Some providers accept smaller batches, some none. After a refusal the batch size is halved for good.
        else maxBatch = Math.floor(some.length / 2)
      }
      return answers
    },

    close: () => connections.close(),
  }
}

/** Reads a Retry-After header (RFC 9110): seconds, or a date. */
function retryAfterIn(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

/** The result of one call of a batch. Throws an outage when the node refused it. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new GateOutageError('The node’s answer is not trusted: it is missing.')
  if ('refusal' in answer)
    throw new GateOutageError(`The node refuses to answer: ${answer.refusal.message}`, {
      cause: answer.refusal,
    })
  return answer.result
}
