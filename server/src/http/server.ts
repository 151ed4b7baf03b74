import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import { accessLine } from './access-log.ts'
import { type ContractDocument, type Operation, readOperations } from './contract.ts'
import { answerFor, type ErrorAnswer, errorBody } from './errors.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { envelope, type Reply } from './reply.ts'
import { makeRequestId } from './request-id.ts'
import { parseStrictJson } from './strict-json.ts'

const maxBodyBytes = 64 * 1024
const maxPathParameterLength = 512
const maxHeaderBytes = 16 * 1024
// A client that dribbles its request is cut off; one that keeps its connection idle is let go.
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
const keepAliveTimeoutMs = 65_000
const timeoutCheckMs = 1_000

const json = 'application/json; charset=utf-8'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    operation: string
    observe: (status: number, seconds: number) => void
  }
}

export type ApiServerOptions = {
  readonly contract: ContractDocument
  /** By `operationId`; checked against the contract at start. */
  readonly handlers: Readonly<Record<string, (request: never) => Reply<unknown> | Promise<Reply<unknown>>>>
  readonly gatekeeper: Gatekeeper
  readonly log: Log
  /** Who is told of every answer of an operation. */
  readonly observer: (operation: string) => (status: number, seconds: number) => void
  /** Addresses or CIDRs of proxies whose forwarded address counts. */
  readonly trustedProxies: readonly string[]
}

/**
 * The API under `/api`, bound to the contract by `operationId`. Refuses to be made when an operation has no handler or
 * a handler no operation.
 */
export function createServer(options: ApiServerOptions): FastifyInstance {
  const { log } = options
  const operations = readOperations(options.contract)
  assertBound(operations, Object.keys(options.handlers))

  const server = fastify({
    logger: false,
    genReqId: makeRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    bodyLimit: maxBodyBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      maxHeaderSize: maxHeaderBytes,
      // Node would refuse a request without Host itself, without our envelope; we have no use for the header.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: maxPathParameterLength },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
  })

  server.decorateRequest('caller', null)
  server.decorateRequest('operation', 'other')
  server.decorateRequest('observe', options.observer('other'))
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    try {
      done(null, body.length === 0 ? undefined : parseStrictJson(body))
    } catch (error) {
      done(error as Error)
    }
  })
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    sendError(
      new ServiceError('not_found', 'There is nothing at this address. The reference is at /docs.'),
      request,
      reply,
    ),
  )
  server.addHook('onResponse', (request, reply, done) => {
    const elapsedMs = reply.elapsedTime
    request.observe(reply.statusCode, elapsedMs / 1000)
    log.line(accessLine(request, reply.statusCode, elapsedMs, new Date()))
    done()
  })

  for (const operation of operations) bind(operation)
  return server

  function bind(operation: Operation): void {
    const handle = options.handlers[operation.id] as (
      request: unknown,
    ) => Reply<unknown> | Promise<Reply<unknown>>
    const { permission, environment } = operation
    const observe = options.observer(operation.id)

    server.route({
      method: operation.method,
      url: `/api${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      onRequest: (request, reply, done) => {
        request.operation = operation.id
        request.observe = observe
        if (permission !== null) reply.header('Cache-Control', 'no-store')
        try {
          const admitted =
            permission === null
              ? options.gatekeeper.admitAnyone(request, reply)
              : options.gatekeeper.admitCaller(request, reply, { permission, environment })
          if (!(admitted instanceof Promise)) {
            request.caller = admitted ?? null
            done()
            return
          }
          admitted.then(
            (caller) => {
              request.caller = caller ?? null
              done()
            },
            (error: Error) => done(error),
          )
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request, reply) => {
        const { path, query, headers, body } = operation.readInput({
          path: request.params,
          query: request.query,
          headers: request.headers,
          body: request.body,
        })
        const answer = handle({ caller: request.caller, path, query, headers, body })
        if (!(answer instanceof Promise)) return send(answer, request, reply)
        return answer.then((late) => send(late, request, reply))
      },
    })
  }

  function send(answer: Reply<unknown>, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (answer.headers !== undefined) reply.headers(answer.headers)
    return reply
      .code(answer.status)
      .header('X-Request-Id', request.id)
      .header('Content-Type', json)
      .send(envelope(answer, request.id))
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const answer = answerFor(error)
    if (answer.bug !== undefined) report(answer, request.id)
    if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds)
    return reply
      .code(answer.status)
      .header('X-Request-Id', request.id)
      .header('Content-Type', json)
      .send(errorBody(answer, request.id))
  }

  function report(answer: ErrorAnswer, requestId: string): void {
    log[answer.status === 500 ? 'error' : 'warn'](
      { request_id: requestId, err: answer.bug },
      'request failed',
    )
  }
}

// What the HTTP parser itself refuses never becomes a request: too slow, too large a head, or no HTTP at all.
const unreadable: Record<string, { status: string; message: string; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive. Send it again.',
    detail: '/: must arrive in time',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The headers of the request are too large.',
    detail: `/: headers must be at most ${maxHeaderBytes / 1024} KiB`,
  },
}

function refuseUnreadable(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const { status, message, detail } = unreadable[error.code ?? ''] ?? {
    status: '400 Bad Request',
    message: 'This is not a request that can be read.',
    detail: '/: must be HTTP',
  }
  const id = makeRequestId()
  const body = errorBody({ status: 0, code: 'validation_error', message, details: [detail] }, id)
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${json}\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`)
}

function assertBound(operations: readonly Operation[], handlers: readonly string[]): void {
  const ids = operations.map(({ id }) => id)
  const missing = ids.filter((id) => !handlers.includes(id)).map((id) => `operation ${id} has no handler`)
  const surplus = handlers.filter((id) => !ids.includes(id)).map((id) => `handler ${id} has no operation`)
  const problems = [...missing, ...surplus]
  if (problems.length > 0) throw new Error(`The service does not match its contract: ${problems.join('; ')}.`)
}
