import type { Operations } from '@sluice/web/contract'

export type OperationId = keyof Operations

declare const id: unique symbol

/**
 * An operation of the contract: its method and its path, with `{name}` for each path parameter. All of them are in
 * `@sluice/web/operations`; no other string has this type.
 */
export type Operation<Id extends OperationId> = string & { readonly [id]: Id }

export type RequestOf<Id extends OperationId> = Operations[Id]['request']

/** The body of a call as function arguments; none if the operation takes none. */
export type BodyOf<Id extends OperationId> = RequestOf<Id> extends { body: infer Body } ? [body: Body] : []

type Answer<Id extends OperationId> = Operations[Id]['responses'][keyof Operations[Id]['responses']]

/** The data of the service's answer; never if it is not JSON. */
export type Data<Id extends OperationId> = Answer<Id> extends { data: infer Given } ? Given : never

export type GetId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[OperationId]

export type Filling = {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined
}

/** The method of an operation, and its URL with every parameter filled in. */
export function requestTo(
  operation: Operation<OperationId>,
  { path = {}, query = {} }: Filling = {},
): { readonly method: string; readonly url: string } {
  const [method = '', template = ''] = operation.split(' ')
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const asked = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  const text = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
  return { method, url: asked.length === 0 ? filled : `${filled}?${text}` }
}
