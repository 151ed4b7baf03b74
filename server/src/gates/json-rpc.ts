import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { GateOutageError } from './gate.ts'

export type RpcCall = readonly [method: string, ...params: readonly unknown[]]

/** What a node answers to one call of several. */
export type RpcAnswer = { readonly result: unknown } | { readonly refusal: RpcRefusal }

export type NodeRpc = {
  /** The answer; an `RpcRefusal` when the node refuses this call, a `GateOutageError` for everything else. */
  call(...call: RpcCall): Promise<unknown>
  /** All in one request, answered in their order. */
  batch(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]>
  /** Ends the connections that are kept. */
  close(): void
}

/** How the nodes of a family speak JSON-RPC. */
export type RpcDialect = {
  readonly version: '1.0' | '2.0'
  parse(text: string): unknown
  /** Codes of errors that are no refusal: the node cannot answer now, whatever it is asked. */
  readonly unready: readonly number[]
}

export type NodeRpcOptions = {
  /** `http://user:password@host:port`, or without a user where there is a cookie file or nobody is asked for one. */
  readonly url: string
  /** Where the node writes its password at every start. */
  readonly cookieFile?: string | null
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
}

/** The node understood the call and says no; what the codes mean is its family's. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal'
  readonly code: number
  /** What the node adds to its words, if anything. */
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

// The conformance suite allows 15 seconds for an answer that never comes.
const defaultTimeoutMs = 10_000
// A full block with all that is said about it takes up to 30 MB.
const defaultMaxAnswerBytes = 64 * 1024 * 1024
const maxConnections = 8
const maxShownText = 200

/** Speaks JSON-RPC to a node, over connections that are kept. Everything about it is bounded in time and size. */
export function jsonRpc(
  dialect: RpcDialect,
  {
    url: given,
    cookieFile = null,
    timeoutMs = defaultTimeoutMs,
    maxAnswerBytes = defaultMaxAnswerBytes,
  }: NodeRpcOptions,
): NodeRpc {
  const url = new URL(given)
  const isTls = url.protocol === 'https:'
  const agent = new (isTls ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: maxConnections })
  const named = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  // Only the host is ever shown: the rest is a password.
  const place = url.host
  let login: string | null = url.username === '' ? null : named
  let nextId = 1

  function outage(what: string, cause?: unknown): GateOutageError {
    return new GateOutageError(`The node at ${place} ${what}`, { cause })
  }

  async function readLogin(): Promise<string> {
    if (cookieFile === null) return ''
    try {
      return (await readFile(cookieFile, 'utf8')).trim()
    } catch (error) {
      throw outage(`cannot be asked: its cookie file ${cookieFile} cannot be read.`, error)
    }
  }

  function post(body: string, auth: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const fail = (what: string, cause?: unknown) => {
        reject(outage(what, cause))
        request.destroy()
      }
      const request = (isTls ? httpsRequest : httpRequest)(
        {
          ...{
            agent,
            protocol: url.protocol,
            hostname: url.hostname.replace(/^\[|\]$/g, ''),
            port: url.port,
          },
          ...{ method: 'POST', path: `${url.pathname}${url.search}` },
          ...(auth !== '' && { auth }),
          headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
        },
        (response) => read(response),
      )
      const timer = setTimeout(() => fail(`did not answer within ${timeoutMs} ms.`), timeoutMs)
      request.once('close', () => clearTimeout(timer))
      request.once('error', (error: NodeJS.ErrnoException) => {
        // A connection that was kept and that the node has closed meanwhile: nothing of this was read.
        if (request.reusedSocket && error.code === 'ECONNRESET') reject(new StaleConnection())
        else reject(outage(`cannot be reached (${error.code ?? error.message}).`, error))
      })
      request.end(body)

      function read(response: IncomingMessage): void {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) fail(`answered with more than ${maxAnswerBytes} bytes.`)
          else chunks.push(chunk)
        })
        response.once('error', (error) => fail('broke its answer off.', error))
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
      }
    })
  }

  async function send(body: string): Promise<{ status: number; text: string }> {
    login ??= await readLogin()
    let answer = await postAgain(body, login)
    // The node writes another cookie at every start.
    if (answer.status === 401 && cookieFile !== null) {
      login = await readLogin()
      answer = await postAgain(body, login)
    }
    return answer
  }

  async function postAgain(body: string, auth: string): Promise<{ status: number; text: string }> {
    for (let left = maxConnections; ; left--) {
      try {
        return await post(body, auth)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
        if (left === 0) throw outage('closes every connection.')
      }
    }
  }

  async function ask(body: object): Promise<unknown> {
    const { status, text } = await send(JSON.stringify(body))
    if (status === 401 || status === 403)
      throw outage('refuses us: user, password or address is not one that it lets in.')
    if (status === 429) throw outage('lets us ask no more for now: it was asked too often.')
    try {
      return dialect.parse(text)
    } catch (error) {
      const shown = text.slice(0, maxShownText).trim()
      throw outage(`answered with status ${status} and no JSON${shown === '' ? '' : `: ${shown}`}.`, error)
    }
  }

  function answerIn(answer: unknown, id: number): RpcAnswer {
    if (typeof answer !== 'object' || answer === null || !('id' in answer))
      throw outage('answered with something that is no answer.')
    if (answer.id !== id) throw outage(`answered call ${id} with the answer to another.`)
    const { result, error } = answer as { result?: unknown; error?: unknown }
    if (error === null || error === undefined) {
      if (result === undefined) throw outage('answered with neither a result nor an error.')
      return { result }
    }
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    if (typeof code !== 'number') throw outage('answered with an error that says nothing.')
    if (dialect.unready.includes(code)) throw outage(`is not ready yet: ${message}`)
    return { refusal: new RpcRefusal(code, String(message), data) }
  }

  return {
    async call(method, ...params) {
      const id = nextId++
      const answer = answerIn(await ask({ jsonrpc: dialect.version, id, method, params }), id)
      if ('refusal' in answer) throw answer.refusal
      return answer.result
    },

    async batch(calls) {
      if (calls.length === 0) return []
      const asked = calls.map(([method, ...params]) => ({
        jsonrpc: dialect.version,
        id: nextId++,
        method,
        params,
      }))
      const answers = await ask(asked)
      if (!Array.isArray(answers) || answers.length !== asked.length)
        throw outage(`answered ${asked.length} calls with something else than as many answers.`)
      const byId = new Map(answers.map((answer) => [answer?.id, answer]))
      return asked.map(({ id }) => {
        if (!byId.has(id)) throw outage(`left call ${id} without an answer.`)
        return answerIn(byId.get(id), id)
      })
    },

    close: () => agent.destroy(),
  }
}

/** A kept connection was closed before it was used again. */
class StaleConnection extends Error {}

/** The result of one call of several; an outage when the node refuses it. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new GateOutageError('The node’s answer cannot be believed: it is missing.')
  if ('refusal' in answer)
    throw new GateOutageError(`The node refuses to answer: ${answer.refusal.message}`, {
      cause: answer.refusal,
    })
  return answer.result
}
