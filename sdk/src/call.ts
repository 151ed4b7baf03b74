import type { Operations } from './contract.generated.ts'
import type { AbortSignal } from './web-types.ts'

export type OperationId = keyof Operations

/** Options of every call. */
export type CallOptions = {
  /** Aborts the call, also while it waits for a retry. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of one attempt in milliseconds, instead of the client's. */
  readonly timeoutMs?: number | undefined
  /** How often this call may be sent again, instead of the client's setting. */
  readonly maxRetries?: number | undefined
  /** More headers. None of them replaces the API key or the type of the body. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

/** Options of a call that the service recognises when it is sent again. */
export type IdempotentCallOptions = CallOptions & {
  /** The same key with the same content returns what was created first. A random one unless you choose it. */
  readonly idempotencyKey?: string | undefined
}

type FieldsOf<Request, Part extends 'headers' | 'body'> = Request extends { [Key in Part]?: infer Found }
  ? [NonNullable<Found>] extends [never]
    ? never
    : keyof NonNullable<Found>
  : never

type TakesKey<Request> =
  'Idempotency-Key' extends FieldsOf<Request, 'headers'>
    ? true
    : 'idempotency_key' extends FieldsOf<Request, 'body'>
      ? true
      : false

/** The options that an operation takes. */
export type OptionsOf<Id extends OperationId> =
  TakesKey<Operations[Id]['request']> extends true ? IdempotentCallOptions : CallOptions

/** Path, query and body of an operation, as the contract types them, and the options of the call. */
export type CallInput<Id extends OperationId> = Omit<Operations[Id]['request'], 'url' | 'headers'> &
  OptionsOf<Id>

/** The query of an operation, without `undefined`. */
export type QueryOf<Id extends OperationId> = NonNullable<Operations[Id]['request']['query']>

type Success<Id extends OperationId> = Operations[Id]['responses'][keyof Operations[Id]['responses']]

/** The data of an operation's success; undefined if it answers without a body. */
export type DataOf<Id extends OperationId> = Success<Id> extends { data: infer Data } ? Data : undefined

/** A success: its data, the request's id, and for paged operations the pagination. */
export type Answer<Id extends OperationId> = {
  readonly data: DataOf<Id>
  readonly requestId: string
} & (Success<Id> extends { meta: { pagination: infer Page } } ? { readonly pagination: Page } : unknown)

/** Calls one operation of the contract. The input may be left out if nothing in it is required. */
export type Call = <Id extends OperationId>(
  operationId: Id,
  ...input: Record<never, never> extends CallInput<Id> ? [input?: CallInput<Id>] : [input: CallInput<Id>]
) => Promise<Answer<Id>>

/** Rows of a list, page after page, each fetched when it is needed. */
export type Rows<Row> = AsyncGenerator<Row, void, undefined>
