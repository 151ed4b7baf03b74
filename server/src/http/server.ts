import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Arrival } from '../app/people/arrival.ts'
import type { Caller } from '../domain/caller.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Person } from '../domain/people.ts'
import type { Log } from '../log.ts'
import type { Visit } from '../store/invoices/visits.ts'
import type { Span, Tracer } from '../tracing/span.ts'
import { noTracing } from '../tracing/tracer.ts'
import { accessLine } from './access-log.ts'
import { answerFor, type ErrorAnswer, errorBody } from './errors.ts'
import type { Observer } from './metrics.ts'
import { jsonType } from './reply.ts'
import { makeRequestId } from './request-id.ts'
import { endRequestSpan } from './request-span.ts'
import { parseStrictJson } from './strict-json.ts'

const maxBodyBytes = 64 * 1024
const maxHeaderBytes = 16 * 1024
// No path is longer than the request's headers, so the router lets every identifier through. A malformed one is refused where
// unknown ones are, after the caller's key was checked.
const maxPathParameterLength = maxHeaderBytes
// A client that sends its request too slowly is cut off; an idle connection is closed.
const headersTimeoutMs = 10_000
const requestTimeoutMs = 20_000
const keepAliveTimeoutMs = 65_000
const timeoutCheckMs = 1_000
const unusedGraceMs = 1_000

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller with an API key; null everywhere else. */
    caller: Caller | null
    /** The visit that a payment page's token opened; null everywhere else. */
    visit: Visit | null
    /** The user signed in to the dashboard; null everywhere else. */
    person: Person | null
    /** Where a request of the dashboard comes from; null everywhere else. */
    from: Arrival | null
    /** Requires a second factor unless the body brings an assertion; null if none is required, or it was shown. */
    demandProof: ((body: unknown) => void) | null
    operation: string
    /** Whether the operation's answers have their fields at the top level, and its errors their message. */
    isFlat: boolean
    observe: (status: number, seconds: number) => void
    /** Null unless requests are traced. */
    span: Span | null
  }
  interface FastifyInstance {
    /** Counts and logs an answer. Called automatically, except when a handler has taken over the connection. */
    noteAnswer(request: FastifyRequest, reply: FastifyReply): void
    readonly tracer: Tracer
  }
}

export type ServerOptions = {
  readonly log: Log
  /** Observes every answer of an operation. */
  readonly observer: Observer
  /** Addresses or CIDRs of proxies whose forwarded address is trusted. */
  readonly trustedProxies: readonly string[]
  /** Whether the service is about to stop: callers are told to open no more requests on their connection. */
  readonly isEnding?: () => boolean
  readonly tracer?: Tracer
}

/**
 * The HTTP server with nothing bound to it yet: bounded requests, strict JSON, every refusal in the error envelope, and
 * a log line for every answer.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log } = options
  const server = fastify({
    logger: false,
    genReqId: makeRequestId,
    requestIdHeader: false,
    // HEAD is handled like GET, with the same admission, status and headers; only the body is not sent.
    exposeHeadRoutes: true,
    bodyLimit: maxBodyBytes,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the server closes is served like any other.
    return503OnClosing: false,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      maxHeaderSize: maxHeaderBytes,
      // Node itself would refuse a request without Host, without our envelope; we do not need the header.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: maxPathParameterLength },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply as FastifyReply),
  })

  server.decorateRequest('caller', null)
  server.decorateRequest('visit', null)
  server.decorateRequest('person', null)
  server.decorateRequest('demandProof', null)
  server.decorateRequest('from', null)
  server.decorateRequest('operation', 'other')
  server.decorateRequest('isFlat', false)
  server.decorateRequest('span', null)
  server.decorate('tracer', options.tracer ?? noTracing)
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
      new ServiceError('not_found', 'There is nothing at this URL. The API reference is at /docs.'),
      request,
      reply,
    ),
  )
  server.decorate('noteAnswer', noteAnswer)
  server.addHook('onRequest', (_request, reply, done) => {
    if (options.isEnding?.() === true) reply.header('Connection', 'close')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    noteAnswer(request, reply)
    done()
  })

  closeUnused(server)
  return server

  function noteAnswer(request: FastifyRequest, reply: FastifyReply): void {
    const elapsedMs = reply.elapsedTime
    request.observe(reply.statusCode, elapsedMs / 1000)
    if (request.span !== null) endRequestSpan(request.span, request, reply.statusCode)
    log.line(accessLine(request, reply.statusCode, elapsedMs, new Date()))
  }

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const answer = answerFor(error)
    if (answer.bug !== undefined) report(answer, request)
    if (answer.retryAfterSeconds !== undefined) reply.header('Retry-After', answer.retryAfterSeconds)
    return reply
      .code(answer.status)
      .header('X-Request-Id', request.id)
      .header('Content-Type', jsonType)
      .send(
        errorBody(answer, request.id, {
          isFlat: request.isFlat,
          isForPeople: request.url.startsWith('/dashboard-api/'),
        }),
      )
  }

  function report(answer: ErrorAnswer, { id, span }: FastifyRequest): void {
    log[answer.status === 500 ? 'error' : 'warn'](
      { request_id: id, ...(span !== null && { trace_id: span.context.traceId }), err: answer.bug },
      'request failed',
    )
  }
}

/**
 * Closes connections on which nothing was ever sent, a moment after the server began to close. Clients open such connections
 * in advance, and Node does not take them for idle: the server would wait for them until they are too slow.
 */
function closeUnused(server: FastifyInstance): void {
  const open = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('preClose', (done) => {
    const close = () => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }
    // A request may be on its way on one that was opened just now.
    setTimeout(close, unusedGraceMs).unref()
    done()
  })
}

// Requests that the HTTP parser itself refuses: too slow, headers too large, or not HTTP at all.
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

function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const { status, message, detail } = unreadable[error.code ?? ''] ?? {
    status: '400 Bad Request',
    message: 'This is not a valid HTTP request.',
    detail: '/: must be HTTP',
  }
  const id = makeRequestId()
  const body = errorBody({ status: 0, code: 'validation_error', message, details: [detail] }, id)
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${jsonType}\r\nContent-Length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`)
}
