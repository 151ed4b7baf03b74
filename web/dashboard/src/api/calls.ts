import type { mirroredUnder } from '@sluice/web/operations'
import type { Data, Filling, GetId, Operation, OperationId, RequestOf } from '@sluice/web/ui/operation.ts'

export type RowOf<Id extends OperationId> = Data<Id> extends readonly (infer Row)[] ? Row : never

/** Lists that are paged. */
export type PagedId = {
  [Id in GetId]: RequestOf<Id> extends { query?: infer Query }
    ? [Query] extends [never]
      ? never
      : Required<Query> extends { limit: number; offset: number }
        ? Id
        : never
    : never
}[GetId]

/** The merchant and environment of a call. They come from the page's URL, so callers need not pass them. */
export type Whose = { readonly merchantID: string; readonly environment: string }
type AtMerchant = typeof mirroredUnder extends `${infer Path}/{environment}` ? Path : never
type OwnPath<Id extends OperationId> =
  RequestOf<Id> extends { path: infer Path; url: infer Url }
    ? Url extends `${AtMerchant}${string}`
      ? Omit<Path, keyof Whose>
      : Path
    : unknown
type WithPath<Path> = keyof Path extends never ? { readonly path?: never } : { readonly path: Readonly<Path> }

type Loose<Query> = {
  readonly [Name in keyof Query]: Record<never, never> extends Pick<Query, Name>
    ? Query[Name] | null | undefined
    : Query[Name]
}
// A filter that is null, undefined or empty is left out.
type Parts<Request> = {
  readonly [Part in keyof Request]: Part extends 'query' ? Loose<Request[Part]> : Request[Part]
}

/** The input of a call: its own path parameters, query and body, and the idempotency key if it takes one. */
export type Asked<Id extends OperationId> = Parts<Pick<RequestOf<Id>, 'query' | 'body'>> &
  WithPath<OwnPath<Id>> & { readonly signal?: AbortSignal } & ('headers' extends keyof RequestOf<Id>
    ? { readonly idempotencyKey?: string }
    : unknown)

/** The argument is optional if nothing is required. */
export type Given<Wanted> = Record<never, never> extends Wanted ? [asked?: Wanted] : [asked: Wanted]

/** The same after type checking. */
type AnyAsked = Filling & {
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
}

/** A call that has not been made yet. */
export type Call<Id extends OperationId = OperationId> = {
  readonly operation: Operation<Id>
  readonly asked: AnyAsked
  /** A refusal of it leads nowhere else: the page itself did not ask. */
  readonly isAside?: boolean
}

export function callTo<Id extends OperationId>(
  operation: Operation<Id>,
  ...[asked]: Given<Asked<Id>>
): Call<Id> {
  return { operation, asked: (asked ?? {}) as AnyAsked }
}

/** A call about another place than the page's own. */
export function callAt<Id extends OperationId>(whose: Whose, call: Call<Id>): Call<Id> {
  return { ...call, asked: { ...call.asked, path: { ...call.asked.path, ...whose } }, isAside: true }
}
