import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

type Schema = Record<string, unknown>
type Header = { required?: boolean }
type Response = {
  headers?: Record<string, Header | { $ref: string }>
  content?: Record<string, { schema: Schema }>
}
export type Parameter = {
  name: string
  in: string
  required?: boolean
  /** Documented and not looked at, whatever it holds. */
  'x-ignored'?: boolean
  schema: Schema
}
export type ContractOperation = {
  id: string
  summary: string
  method: string
  path: string
  permission: string | null
  /** The only environment whose keys it knows; null where both are welcome. */
  environment: string | null
  parameters: Parameter[]
  /** The fields of its body by name, references resolved; null where it takes no body. */
  body: Record<string, Schema> | null
  /** Whether the body may be left out. */
  bodyOptional: boolean
}
type Item = {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  'x-environment'?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema | { $ref: string } }> }
  responses: Record<string, Response | { $ref: string }>
}

// Read from the file that is served, not through the service's own reader: a mistake there must not hide itself here.
const contract = JSON.parse(
  readFileSync(new URL('../../src/http/contract.generated.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Item>>; components: Record<string, Record<string, unknown>> }

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(contract, 'contract')
const validators = new Map<string, ValidateFunction>()

function resolve<T>(value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return contract.components[kind]?.[name] as T
}

/** Every operation of the contract, for tests that must cover them all. */
export const contractOperations: ContractOperation[] = Object.entries(contract.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      summary: operation.summary,
      method: method.toUpperCase(),
      path,
      permission: operation.security[0]?.apiKey?.[0] ?? null,
      environment: operation['x-environment'] ?? null,
      parameters: (operation.parameters ?? []).map((parameter) => {
        const { schema, ...rest } = resolve<Parameter>(parameter)
        return { ...rest, schema: resolve(schema) as Schema }
      }),
      body: bodyFields(operation),
      bodyOptional: operation.requestBody?.required === false,
    })),
)

function bodyFields({ requestBody }: Item): Record<string, Schema> | null {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return null
  const { properties } = resolve<Schema>(schema) as { properties: Record<string, Schema | { $ref: string }> }
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, resolve<Schema>(field)]))
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came, after the contract has approved of it
  readonly body: any
}

export type CallOptions = {
  readonly path?: Record<string, string>
  readonly query?: Record<string, string> | string
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Calls an operation over HTTP and holds the answer against the contract: status, headers, every field. */
export async function call(baseUrl: string, operationId: string, options: CallOptions = {}): Promise<Answer> {
  const operation = contractOperations.find(({ id }) => id === operationId)
  if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(options.path?.[name] ?? ''),
  )
  const query = new URLSearchParams(options.query).toString()
  const response = await fetch(`${baseUrl}/api${path}${query === '' ? '' : `?${query}`}`, {
    method: operation.method,
    headers: {
      ...(options.key !== undefined && { 'X-API-Key': options.key }),
      ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: options.body }),
  })
  const text = await response.text()
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  expectContract(operation, answer)
  return answer
}

/** Fails unless the contract allows this answer of this operation. */
export function expectContract(operation: ContractOperation, answer: Answer): void {
  const where = `${operation.id} → ${answer.status}`
  const item = contract.paths[operation.path]?.[operation.method.toLowerCase()]
  const documented = item?.responses[String(answer.status)]
  expect(documented, `${where} is not in the contract: ${answer.text}`).toBeDefined()
  const response = resolve<Response>(documented as Response)
  const schema = response.content?.['application/json']?.schema
  expect(schema, `${where} has no schema`).toBeDefined()
  let validate = validators.get(where)
  if (validate === undefined) {
    validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as Schema,
    )
    validators.set(where, validate)
  }
  expect(validate(answer.body), `${where}: ${JSON.stringify(validate.errors)} in ${answer.text}`).toBe(true)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id)
  if (answer.status === 400 || answer.status === 422) {
    expect(answer.body.error.details?.length, `${where} has no details: ${answer.text}`).toBeGreaterThan(0)
  }
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (!resolve<Header>(header).required) continue
    expect(answer.headers.has(name), `${where} lacks the header ${name}`).toBe(true)
  }
}
