import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { maxRetryAfterMs } from '../../domain/webhooks.ts'
import type { Agents, GuardedOptions } from './guarded-agents.ts'
import { addressOf, codeOf } from './guarded-connection.ts'
import type { Target } from './target.ts'

const maxAnswerBytes = 16 * 1024
const maxHeadBytes = 1024
const maxHeaderBytes = 16 * 1024
const maxInterimAnswers = 8

/** The receiver's answer, and the address it came from (null when unknown). */
export type Answer = {
  readonly status: number
  readonly head: string
  readonly retryAfterMs: number | null
  readonly gone: boolean
  readonly address: string | null
}

/** The receiver closed a kept-alive connection before it saw the request. Neither side is at fault. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

/** The receiver sent something that we do not read as an answer. */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer'
}

/** The connection ended before the answer did. */
class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
  readonly code = 'ECONNRESET'
}

/** Sends one request and reads the answer up to our limit. Redirects, cookies and encodings have no effect. */
export function exchange(
  target: Target,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  agents: Agents,
  giveUp: AbortSignal,
): Promise<Answer> {
  const bytes = Buffer.from(body)
  const options: GuardedOptions = {
    target,
    giveUp,
    signal: giveUp,
    method: 'POST',
    host: target.host,
    port: target.port,
    path: target.path,
    maxHeaderSize: maxHeaderBytes,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'sluice',
      ...headers,
      host: target.authority,
      // A compressed answer could be a decompression bomb. If one arrives anyway, we keep its bytes as they are.
      'accept-encoding': 'identity',
      'content-length': bytes.length,
    },
  }
  return new Promise((resolve, reject) => {
    const request = target.secure
      ? httpsRequest({ ...options, agent: agents.secure, servername: target.servername })
      : httpRequest({ ...options, agent: agents.plain })
    let address: string | null = null
    let interimAnswers = 0
    let answered = false
    request.once('socket', (socket) => {
      address = addressOf(socket)
    })
    request.once('response', (response) => {
      answered = true
      const { statusCode: status = 0 } = response
      readHead(request, response).then((head) => {
        const retryAfterMs = readRetryAfter(response.headers['retry-after'], Date.now())
        resolve({ status, head, retryAfterMs, gone: status === 410, address })
      }, reject)
    })
    request.on('information', () => {
      interimAnswers += 1
      if (interimAnswers > maxInterimAnswers) request.destroy(new BadAnswer('too many interim answers'))
    })
    // We never ask to switch protocols. The socket no longer belongs to the request, so we close it.
    request.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new BadAnswer('switched protocols'))
    })
    request.on('error', (error) => {
      const stale = request.reusedSocket && !answered && isHangUp(error)
      reject(stale ? new StaleConnection() : error)
    })
    // The caller stops waiting now, in every state of the request.
    giveUp.addEventListener('abort', () => reject(new Error('given up')), { once: true })
    request.end(bytes)
  })
}

/** The beginning of the answer as text, once the whole answer or more than our limit has arrived. */
function readHead(request: ClientRequest, response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const done = () => resolve(toText(Buffer.concat(chunks).subarray(0, maxHeadBytes)))
    response.on('data', (chunk: Buffer) => {
      if (length < maxHeadBytes) chunks.push(chunk)
      length += chunk.length
      if (length < maxAnswerBytes) return
      done()
      request.destroy()
    })
    response.once('end', done)
    response.on('error', reject)
    response.once('close', () => reject(new BrokenAnswer()))
  })
}

function isHangUp(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Untrusted text that a database can store: no NUL, and no partial character at the end. */
function toText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
}

/** RFC 9110 section 10.2.3: seconds, or an HTTP date. */
function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  // `Date.parse` accepts far too much as a date, `-5` for example.
  const date = /^[A-Z][a-z]+, .+ GMT$/.test(header) ? Date.parse(header) : Number.NaN
  const waitMs = /^[0-9]+$/.test(header) ? Number(header) * 1000 : date - nowMs
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxRetryAfterMs)
}
