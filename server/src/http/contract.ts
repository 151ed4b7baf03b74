import type { Operations } from '@sluice/sdk/contract'
import type { Caller } from '../domain/caller.ts'
import { type Environment, environments } from '../domain/environment.ts'
import type { Demand } from '../domain/people.ts'
import { isPermission, type Permission } from '../domain/permissions.ts'
import { isPower } from '../domain/roles.ts'
import { readParameters, refuse, type Schema, schemaCompiler } from './validation.ts'

export type OperationId = keyof Operations

/** The bundled OpenAPI description, as far as the service reads it. */
export type ContractDocument = {
  readonly paths: Record<string, Record<string, OperationObject>>
  /** The security of operations that do not name their own. */
  readonly security?: Security
  readonly components?: Record<string, Record<string, unknown>>
}

const nothing: Record<string, unknown> = Object.freeze({})

type Security = readonly Record<string, readonly string[]>[]

type OperationObject = {
  readonly operationId?: string
  readonly 'x-environment'?: string
  /** Requires a fresh second factor. */
  readonly 'x-step-up'?: boolean
  /** Also for users who have to replace a printed password first. */
  readonly 'x-with-printed-password'?: boolean
  /** The largest body it accepts, if larger than usual. */
  readonly 'x-max-body-bytes'?: number
  /** The members of the body that count as that factor, shown with this very request. */
  readonly 'x-proof-in-body'?: readonly string[]
  /** Also in the public contract, under the same id. */
  readonly 'x-mirrored'?: boolean
  /** Answers as a protocol of others demands: fields beside `meta`, and an error's message at the top level too. */
  readonly 'x-flat'?: boolean
  /** Answers carry an ETag; a client that has the present version gets 304. */
  readonly 'x-etag'?: boolean
  readonly security?: Security
  readonly parameters?: readonly (ParameterObject | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Record<string, { readonly schema: Schema }>
  }
}

type ParameterObject = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  /** Documented but ignored, whatever its value. */
  readonly 'x-ignored'?: boolean
  readonly schema: Schema
}

/** Who may call an operation: anyone, a key with a permission, the payment page of an invoice, or a signed-in user. */
export type Access =
  | { readonly kind: 'anyone' }
  | {
      readonly kind: 'key'
      readonly permission: Permission
      /** The only environment whose keys it accepts; null: both. */
      readonly environment: Environment | null
    }
  | { readonly kind: 'checkout_token' }
  | {
      readonly kind: 'session'
      readonly demand: Demand
      /** Whether a fresh second factor is required, unless the request's body brings one of the members of `proofs`. */
      readonly stepUp: boolean
      readonly proofs: readonly string[]
      readonly environment: Environment | null
      /** Whether users who have to replace their password first may call it. */
      readonly withPrintedPassword: boolean
    }

/** One operation, ready to be bound: its path, who may call it and its input. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly access: Access
  /** The largest body it accepts; null: the usual limit. */
  readonly maxBodyBytes: number | null
  /** Whether its answers have their fields at the top level, and its errors their message. */
  readonly isFlat: boolean
  /** Whether its answers are named by an ETag. */
  readonly hasEtag: boolean
  /** The validated input; throws `validation_error` naming every problem. */
  readInput(raw: { path: unknown; query: unknown; headers: unknown; body: unknown }): OperationInput
}

export type OperationInput = {
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  /** The headers that the contract names, under its names. */
  readonly headers: Record<string, unknown>
  readonly body: unknown
}

/** The ids of the operations whose paths have this prefix. */
export type OperationIdUnder<All, Prefix extends string> = {
  [Id in keyof All]: All[Id] extends { request: { url: `${Prefix}${string}` } } ? Id : never
}[keyof All]

/** The generated types of a request. */
export type RequestTypes = { readonly path?: unknown; readonly query?: unknown; readonly body?: unknown }

/** The validated input of an operation with these types. */
export type InputOf<Types extends RequestTypes> = {
  readonly path: NonNullable<Types['path']>
  readonly query: Paged<NonNullable<Types['query']>>
  readonly headers: Types extends { headers?: infer Headers } ? NonNullable<Headers> : Record<never, never>
  readonly body: NonNullable<Types['body']>
}

/** The argument of the operation's handler. */
export type OperationRequest<Id extends OperationId> = InputOf<Operations[Id]['request']> & {
  readonly caller: Operations[Id]['permission'] extends null ? null : Caller
}

// The contract's defaults are filled in before a handler sees the query.
type Paged<Query> = Query extends { limit?: number; offset?: number }
  ? Query & { limit: number; offset: number }
  : Query

/**
 * Reads the operations whose paths have this prefix, except those that mirror another contract. An operation without an
 * id, or with an unknown permission or environment, is our own mistake.
 */
export function readOperations(document: ContractDocument, under = '/'): readonly Operation[] {
  const read = operationsRead.get(document) ?? new Map<string, readonly Operation[]>()
  operationsRead.set(document, read)
  const operations = read.get(under) ?? readAnew(document, under)
  read.set(under, operations)
  return operations
}

// A document never changes, and compiling its schemas takes long: services in one process share them.
const operationsRead = new WeakMap<ContractDocument, Map<string, readonly Operation[]>>()

function readAnew(document: ContractDocument, under: string): readonly Operation[] {
  const compile = schemaCompiler(document)
  return listOperations(document)
    .filter(({ path, object }) => path.startsWith(under) && !object['x-mirrored'])
    .map(({ path, method, id, object }): Operation => {
      const parameters = (object.parameters ?? [])
        .map((parameter) => resolve(document, parameter))
        .filter((parameter) => !parameter['x-ignored'])
      const readPath = parameterReader(parameters.filter((parameter) => parameter.in === 'path'))
      const readQuery = parameterReader(parameters.filter((parameter) => parameter.in === 'query'))
      const headers = parameters.filter((parameter) => parameter.in === 'header')
      const readHeaders = parameterReader(headers)
      const readBody = bodyReader(object.requestBody)
      return {
        id,
        method,
        path,
        access: accessOf(object, object.security ?? document.security, id),
        maxBodyBytes: object['x-max-body-bytes'] ?? null,
        isFlat: object['x-flat'] === true,
        hasEtag: object['x-etag'] === true,
        readInput: (raw) => {
          const problems: string[] = []
          const input = {
            path: readPath(raw.path, problems),
            query: readQuery(raw.query, problems),
            headers: readHeaders(named(raw.headers, headers), problems),
            body: readBody(raw.body, problems),
          }
          if (problems.length > 0) refuse(problems)
          return input
        },
      }
    })

  // Headers arrive in lower case, however the contract spells them.
  function named(raw: unknown, parameters: readonly ParameterObject[]): Record<string, unknown> {
    if (parameters.length === 0) return nothing
    const given = raw as Record<string, unknown>
    return Object.fromEntries(parameters.map(({ name }) => [name, given[name.toLowerCase()]]))
  }

  function parameterReader(parameters: readonly ParameterObject[]) {
    if (parameters.length === 0) return () => nothing
    const schemas = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, resolve(document, schema)]),
    )
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
    const validate = compile({ type: 'object', properties: schemas, required }, { defaults: true })
    return (raw: unknown, problems: string[]): Record<string, unknown> => {
      const values = readParameters(raw as Record<string, unknown>, schemas, problems)
      problems.push(...validate(values))
      return values
    }
  }

  function bodyReader(requestBody: OperationObject['requestBody']) {
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) {
      return (body: unknown, problems: string[]): undefined => {
        if (body !== undefined && !isEmptyObject(body)) problems.push('/: this request takes no body')
      }
    }
    const validate = compile(schema)
    const shape = shapeOf(document, schema)
    return (body: unknown, problems: string[]): unknown => {
      if (body === undefined && requestBody?.required === false) return {}
      const given = withoutNulls(body, shape)
      if (body === undefined) problems.push('/: a JSON body is required')
      else problems.push(...validate(given))
      return given
    }
  }
}

/**
 * The operations of one contract that mirror another. Their input is read as in the original; their access is their
 * own.
 */
export function mirroredOperations(document: ContractDocument, originals: readonly Operation[]): Operation[] {
  return listOperations(document)
    .filter(({ object }) => object['x-mirrored'])
    .map(({ path, method, id, object }) => {
      const original = originals.find((operation) => operation.id === id)
      if (original === undefined) throw new Error(`Operation ${id} mirrors no operation.`)
      return { ...original, method, path, access: accessOf(object, object.security, id) }
    })
}

function listOperations({ paths }: ContractDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([name, object]) => {
      const method = name.toUpperCase()
      const id = object.operationId
      if (id === undefined) throw new Error(`${method} ${path} has no operationId.`)
      return { path, method, id, object }
    }),
  )
}

// OpenAPI 3.1 lets an API key scheme list required roles: ours are the permissions.
function accessOf(object: OperationObject, security: Security | undefined, id: string): Access {
  if (security === undefined) throw new Error(`Operation ${id} names no security.`)
  const [requirement] = security
  if (requirement === undefined) return { kind: 'anyone' }
  if (requirement.checkoutToken !== undefined) return { kind: 'checkout_token' }
  if (requirement.session !== undefined)
    return {
      kind: 'session',
      demand: demandOf(requirement.session, id),
      stepUp: object['x-step-up'] === true,
      proofs: object['x-proof-in-body'] ?? [],
      environment: environmentOf(object, id),
      withPrintedPassword: object['x-with-printed-password'] === true,
    }
  const [permission] = requirement.apiKey ?? []
  if (permission === undefined || !isPermission(permission)) {
    throw new Error(`Operation ${id} needs a known permission, not ${permission ?? 'none'}.`)
  }
  return { kind: 'key', permission, environment: environmentOf(object, id) }
}

function demandOf([named, ...more]: readonly string[], id: string): Demand {
  if (named === undefined) return null
  if (more.length === 0 && (named === 'operator' || isPower(named))) return named
  throw new Error(`Operation ${id} needs a known power, not ${[named, ...more].join(', ')}.`)
}

function environmentOf(object: OperationObject, id: string): Environment | null {
  const named = object['x-environment']
  if (named === undefined) return null
  const environment = environments.find((known) => known === named)
  if (environment === undefined) throw new Error(`Operation ${id} names the unknown environment ${named}.`)
  return environment
}

function resolve<T>(document: ContractDocument, value: T | { readonly $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string')
    return value as T
  let target: unknown = document
  for (const step of value.$ref.replace(/^#\//, '').split('/'))
    target = (target as Record<string, unknown>)[step]
  if (target === undefined) throw new Error(`The contract refers to ${value.$ref}, which does not exist.`)
  return target as T
}

/** Which fields of an object are optional, and the shapes of the objects in its lists. */
type Shape = { readonly optional: ReadonlySet<string>; readonly lists: ReadonlyMap<string, Shape> }

function shapeOf(document: ContractDocument, schema: Schema | { readonly $ref: string }): Shape {
  const parts = partsOf(document, schema)
  const required = new Set(parts.flatMap((part) => (part.required as string[] | undefined) ?? []))
  const fields = parts.flatMap((part) => Object.entries((part.properties as Record<string, Schema>) ?? {}))
  const lists = fields.flatMap(([name, field]): [string, Shape][] => {
    const items = resolve(document, field).items as Schema | undefined
    return items === undefined ? [] : [[name, shapeOf(document, items)]]
  })
  const optional = fields.map(([name]) => name).filter((name) => !required.has(name))
  return { optional: new Set(optional), lists: new Map(lists) }
}

function partsOf(document: ContractDocument, schema: Schema | { readonly $ref: string }): Schema[] {
  const resolved = resolve<Schema>(document, schema as Schema)
  const parts = (resolved.allOf as Schema[] | undefined) ?? []
  return [resolved, ...parts.flatMap((part) => partsOf(document, part))]
}

// In a request, null for an optional field means that it is left out.
function withoutNulls(body: unknown, { optional, lists }: Shape): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => value !== null || !optional.has(name))
      .map(([name, value]) => {
        const items = lists.get(name)
        return items !== undefined && Array.isArray(value)
          ? [name, value.map((item) => withoutNulls(item, items))]
          : [name, value]
      }),
  )
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}
