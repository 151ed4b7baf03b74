import { hash } from 'node:crypto'
import type { Operations } from '@sluice/sdk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CursorPage, Page, PageRequest } from '../domain/page.ts'
import type { OperationId, OperationRequest } from './contract.ts'

/** The data of an operation's success. */
export type DataOf<Responses> = Responses[keyof Responses] extends { data: infer Data } ? Data : never

/** The same for an operation whose answers have their fields at the top level. */
export type FlatDataOf<Responses> = Omit<Responses[keyof Responses], 'meta'>

export const jsonType = 'application/json; charset=utf-8'

/** An answer that many callers share: serialised once, up to the request id. */
export class Prepared<T> {
  readonly #start: string
  #etag: string | undefined
  // Only for the type checker: the type of the serialised data.
  declare readonly of: T

  constructor(data: T) {
    this.#start = `{"data":${JSON.stringify(data)},"meta":{"request_id":"`
  }

  envelope(requestId: string): string {
    return `${this.#start}${requestId}"}}`
  }

  get etag(): string {
    this.#etag ??= etagOf(this.#start)
    return this.#etag
  }
}

/**
 * An answer that streams: its creator takes over the connection. An error thrown by `open` gets an ordinary error
 * answer.
 */
export class Streamed {
  readonly open: (request: FastifyRequest, reply: FastifyReply) => void

  constructor(open: (request: FastifyRequest, reply: FastifyReply) => void) {
    this.open = open
  }
}

export type Pagination = {
  total: number
  limit: number
  offset: number
  has_more: boolean
  /** Only of lists that can be read on from a row. */
  next_cursor?: string | null
}

/** A handler's answer; the envelope is added in one place. */
export type Reply<Data> = {
  readonly status: number
  readonly data: Data | Prepared<Data>
  readonly pagination?: Pagination
  /** In addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string | string[]>>
}

type SuccessOf<Id extends OperationId> = DataOf<Operations[Id]['responses']>

type AnswerOf<Id extends OperationId> = Operations[Id]['responses'] extends { 200: string }
  ? Streamed
  : Reply<SuccessOf<Id>>

export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
) => Promise<AnswerOf<Id>> | AnswerOf<Id>

/** One handler for every operation of the contract: the type checker finds missing and surplus ones. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

export function ok<Data>(data: Data | Prepared<Data>): Reply<Data> {
  return { status: 200, data }
}

export function created<Data>(data: Data): Reply<Data> {
  return { status: 201, data }
}

/** Marks the answer as a repetition: an earlier request with the same idempotency key created the resource. */
export function replayed<Data>(reply: Reply<Data>): Reply<Data> {
  return { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } }
}

export function okPage<Row, View>(
  page: Page<Row>,
  asked: PageRequest,
  view: (row: Row) => View,
): Reply<View[]> {
  const { limit, offset } = asked
  return {
    status: 200,
    data: page.rows.map(view),
    pagination: { total: page.total, limit, offset, has_more: offset + page.rows.length < page.total },
  }
}

/** The same of a list that can be read on from a row. */
export function okCursorPage<Row, View>(
  page: CursorPage<Row>,
  { limit, offset }: PageRequest,
  view: (row: Row) => View,
): Reply<View[]> {
  return {
    status: 200,
    data: page.rows.map(view),
    pagination: {
      total: page.total,
      limit,
      offset,
      has_more: page.next !== null,
      next_cursor: page.next,
    },
  }
}

/** The success envelope, serialised. */
export function envelope(reply: Reply<unknown>, requestId: string): string {
  return reply.data instanceof Prepared
    ? reply.data.envelope(requestId)
    : enclosed(contentOf(reply), requestId)
}

/** The same, and what names its content: an answer with the same content has the same ETag. */
export function taggedEnvelope(
  reply: Reply<unknown>,
  requestId: string,
): { readonly etag: string; readonly body: string } {
  if (reply.data instanceof Prepared) return { etag: reply.data.etag, body: envelope(reply, requestId) }
  const content = contentOf(reply)
  return { etag: etagOf(content.data + content.pagination), body: enclosed(content, requestId) }
}

type Content = { readonly data: string; readonly pagination: string }

function contentOf({ data, pagination }: Reply<unknown>): Content {
  return {
    data: JSON.stringify(data),
    pagination: pagination === undefined ? '' : `,"pagination":${JSON.stringify(pagination)}`,
  }
}

function enclosed({ data, pagination }: Content, requestId: string): string {
  return `{"data":${data},"meta":{"request_id":"${requestId}"${pagination}}}`
}

// Weak, because two answers with the same content differ in their request ids.
function etagOf(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`
}

/** Whether a header `If-None-Match` names this ETag. */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  // Our tags contain no comma, so a tag that does is cut into parts that match none of them.
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2))
}

/** The same for an operation whose answers have their fields at the top level. */
export function flatBody(reply: Reply<unknown>, requestId: string): string {
  return JSON.stringify({ ...(reply.data as object), meta: { request_id: requestId } })
}
