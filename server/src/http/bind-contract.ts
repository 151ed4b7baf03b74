import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { within } from '../tracing/span.ts'
import type { Access, Operation } from './contract.ts'
import type { Observer } from './metrics.ts'
import { envelope, flatBody, isNamed, jsonType, type Reply, Streamed, taggedEnvelope } from './reply.ts'
import { startRequestSpan } from './request-span.ts'

/**
 * Admits a request and records the caller on it, or throws the refusal. Synchronous when nothing has to be looked up.
 */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>

type Answer = Reply<unknown> | Streamed

export type Binding = {
  readonly operations: readonly Operation[]
  /** Prepended to the contract's paths. */
  readonly prefix: string
  /** By `operationId`; checked against the contract. */
  readonly handlers: Readonly<Record<string, (request: never) => Answer | Promise<Answer>>>
  /** How a caller gets admitted to an operation of this access; throws when this contract does not support it. */
  readonly admissionTo: (access: Access) => Admission
  readonly observer: Observer
}

/**
 * Binds the operations of a contract to their handlers by `operationId`. Throws when an operation has no handler or a
 * handler has no operation.
 */
export function bindContract(server: FastifyInstance, binding: Binding): void {
  const { operations } = binding
  assertBound(operations, Object.keys(binding.handlers))
  for (const operation of operations) bind(operation)

  function bind(operation: Operation): void {
    const handle = binding.handlers[operation.id] as (request: unknown) => Answer | Promise<Answer>
    const admit = binding.admissionTo(operation.access)
    const observe = binding.observer(operation.id)
    const route = `${binding.prefix}${operation.path}`
    const sendAnswer = operation.hasEtag ? sendTagged : send
    const caching = cachingOf(operation)

    server.route({
      method: operation.method,
      url: `${binding.prefix}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ...(operation.maxBodyBytes !== null && { bodyLimit: operation.maxBodyBytes }),
      onRequest: (request, reply, done) => {
        request.operation = operation.id
        request.observe = observe
        request.isFlat = operation.isFlat
        if (server.tracer.isOn) request.span = startRequestSpan(server.tracer, request, route)
        if (caching !== null) reply.headers(caching)
        try {
          const admitted = within(request.span, () => admit(request, reply))
          if (admitted instanceof Promise) admitted.then(() => done(), done)
          else done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request, reply) => within(request.span, () => handleIn(request, reply)),
    })

    function handleIn(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
      request.demandProof?.(request.body)
      const { path, query, headers, body } = operation.readInput({
        path: request.params,
        query: request.query,
        headers: request.headers,
        body: request.body,
      })
      const { caller, visit, person, from } = request
      const answer = handle({ caller, visit, person, from, path, query, headers, body })
      if (!(answer instanceof Promise)) return sendAnswer(answer, request, reply)
      return answer.then((late) => sendAnswer(late, request, reply))
    }
  }
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answer instanceof Streamed) {
    answer.open(request, reply.header('X-Request-Id', request.id))
    // It counts as answered when it begins: how long a page stays open is not the duration of an answer.
    request.server.noteAnswer(request, reply)
    return reply
  }
  if (answer.headers !== undefined) reply.headers(answer.headers)
  return reply
    .code(answer.status)
    .header('X-Request-Id', request.id)
    .header('Content-Type', jsonType)
    .send(request.isFlat ? flatBody(answer, request.id) : envelope(answer, request.id))
}

const notStored = { 'Cache-Control': 'no-store' }
// A caller with a key may keep a copy, and use it again only once its ETag was confirmed. A browser keeps none.
const revalidated = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key' }

// What anyone may read says nothing about anyone. What anyone may send can be answered with secrets, such as a new key.
function cachingOf({ access, method, hasEtag }: Operation): Record<string, string> | null {
  if (access.kind === 'anyone' && method === 'GET') return null
  return hasEtag && access.kind === 'key' ? revalidated : notStored
}

/** As `send`, but a caller who has this answer already is only told so. */
function sendTagged(answer: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answer instanceof Streamed || answer.status !== 200) return send(answer, request, reply)
  const { etag, body } = taggedEnvelope(answer, request.id)
  reply.header('X-Request-Id', request.id).header('ETag', etag)
  if (isNamed(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (answer.headers !== undefined) reply.headers(answer.headers)
  return reply.code(200).header('Content-Type', jsonType).send(body)
}

function assertBound(operations: readonly Operation[], handlers: readonly string[]): void {
  const ids = operations.map(({ id }) => id)
  const missing = ids.filter((id) => !handlers.includes(id)).map((id) => `operation ${id} has no handler`)
  const surplus = handlers.filter((id) => !ids.includes(id)).map((id) => `handler ${id} has no operation`)
  const problems = [...missing, ...surplus]
  if (problems.length > 0) throw new Error(`The service does not match its contract: ${problems.join('; ')}.`)
}
