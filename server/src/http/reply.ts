import type { Operations } from '@sluice/sdk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../domain/page.ts'
import type { OperationId, OperationRequest } from './contract.ts'

/** What a success of an operation with these types carries. */
export type DataOf<Responses> = Responses[keyof Responses] extends { data: infer Data } ? Data : never

export const jsonType = 'application/json; charset=utf-8'

/** An answer that many callers share: serialised once, up to where the request id stands. */
export class Prepared<T> {
  readonly #start: string
  // Only for the type checker: says what the text holds.
  declare readonly of: T

  constructor(data: T) {
    this.#start = `{"data":${JSON.stringify(data)},"meta":{"request_id":"`
  }

  envelope(requestId: string): string {
    return `${this.#start}${requestId}"}}`
  }
}

/** An answer that goes on: whoever made it takes the connection over. What `open` throws is refused as usual. */
export class Streamed {
  readonly open: (request: FastifyRequest, reply: FastifyReply) => void

  constructor(open: (request: FastifyRequest, reply: FastifyReply) => void) {
    this.open = open
  }
}

export type Pagination = { total: number; limit: number; offset: number; has_more: boolean }

/** What a handler answers; the envelope is put around it in one place. */
export type Reply<Data> = {
  readonly status: number
  readonly data: Data | Prepared<Data>
  readonly pagination?: Pagination
  /** Beyond those that every answer carries. */
  readonly headers?: Readonly<Record<string, string>>
}

type SuccessOf<Id extends OperationId> = DataOf<Operations[Id]['responses']>

export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
) => Promise<Reply<SuccessOf<Id>>> | Reply<SuccessOf<Id>>

/** One handler for every operation of the contract: the type checker finds a missing or a surplus one. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

export function ok<Data>(data: Data | Prepared<Data>): Reply<Data> {
  return { status: 200, data }
}

export function created<Data>(data: Data): Reply<Data> {
  return { status: 201, data }
}

/** Says that the answer repeats what an earlier request with the same idempotency key made. */
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

/** The success envelope, serialised. */
export function envelope(reply: Reply<unknown>, requestId: string): string {
  if (reply.data instanceof Prepared) return reply.data.envelope(requestId)
  const data = JSON.stringify(reply.data)
  const pagination = reply.pagination === undefined ? '' : `,"pagination":${JSON.stringify(reply.pagination)}`
  return `{"data":${data},"meta":{"request_id":"${requestId}"${pagination}}}`
}
