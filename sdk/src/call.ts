import type { Operations } from './contract.generated.ts'

export type OperationId = keyof Operations

/** Options of every call. */
export type CallOptions = { readonly signal?: AbortSignal | undefined }

/** Path, query, headers and body of an operation, as the contract types them. */
export type CallInput<Id extends OperationId> = Omit<Operations[Id]['request'], 'url'> & CallOptions

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
