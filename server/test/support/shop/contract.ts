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
  /** Documented as ignored: it may have any value. */
  'x-ignored'?: boolean
  schema: Schema
}
export type ContractOperation = {
  id: string
  summary: string
  method: string
  path: string
  permission: string | null
  /** The only environment whose keys it accepts; null if it accepts both. */
  environment: string | null
  parameters: Parameter[]
  /** The fields of its body by name, with references resolved; null if it takes no body. */
  body: Record<string, Schema> | null
  /** Whether the body may be left out. */
  bodyOptional: boolean
  /** The largest body it accepts. */
  maxBodyBytes: number
}
type Item = {
  operationId: string
  summary: string
  security?: Record<string, string[]>[]
  'x-environment'?: string
  'x-max-body-bytes'?: number
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema | { $ref: string } }> }
  responses: Record<string, Response | { $ref: string }>
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the contract has checked the answer; tests read any field
  readonly body: any
}

export type Contract = {
  /** Every operation, for tests that must cover them all. */
  readonly operations: ContractOperation[]
  find(operationId: string): ContractOperation
  /** Fails unless the contract allows this answer of this operation. */
  expect(operation: ContractOperation, answer: Answer): void
  /** Fails unless the value matches the schema with this name. */
  expectSchema(name: string, value: unknown): void
  /** Fails unless the contract describes this webhook body. */
  expectWebhook(body: { readonly event: string }): void
  /** Fails unless the headers of a webhook are those that the contract describes. */
  expectWebhookHeaders(event: string, headers: Readonly<Record<string, unknown>>): void
}

/**
 * A contract read from the served file, not through the service's own reader, so that a mistake there cannot hide itself
 * here.
 */
export function readContract(file: string): Contract {
  const contract = JSON.parse(
    readFileSync(new URL(`../../../src/http/${file}`, import.meta.url), 'utf8'),
  ) as {
    paths: Record<string, Record<string, Item>>
    webhooks?: Record<string, { post: Item }>
    components: Record<string, Record<string, unknown>>
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(contract, 'contract')
  const validators = new Map<string, ValidateFunction>()

  const operations: ContractOperation[] = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      summary: operation.summary,
      method: method.toUpperCase(),
      path,
      permission: operation.security?.[0]?.apiKey?.[0] ?? null,
      environment: operation['x-environment'] ?? null,
      parameters: (operation.parameters ?? []).map((parameter) => {
        const { schema, ...rest } = resolve<Parameter>(parameter)
        return { ...rest, schema: resolve(schema) as Schema }
      }),
      body: bodyFields(operation),
      bodyOptional: operation.requestBody?.required === false,
      maxBodyBytes: operation['x-max-body-bytes'] ?? 64 * 1024,
    })),
  )

  return {
    operations,
    find(operationId) {
      const operation = operations.find(({ id }) => id === operationId)
      if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
      return operation
    },
    expect: expectAnswer,
    expectSchema(name, value) {
      const validate = validator(name, { $ref: `#/components/schemas/${name}` })
      expect(validate(value), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true)
    },
    expectWebhook(body) {
      const schema = webhookOf(body.event).requestBody?.content['application/json']?.schema as Schema
      const validate = validator(`webhook ${body.event}`, schema)
      expect(
        validate(body),
        `${body.event}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`,
      ).toBe(true)
    },
    expectWebhookHeaders(event, headers) {
      for (const parameter of webhookOf(event).parameters ?? []) {
        const { name, schema } = resolve<Parameter>(parameter)
        const validate = validator(`header ${name}`, schema)
        expect(validate(headers[name]), `${name}: ${headers[name]}`).toBe(true)
      }
    },
  }

  function webhookOf(event: string): Item {
    const described = contract.webhooks?.[event]?.post
    if (described === undefined) throw new Error(`the contract describes no webhook ${event}`)
    return described
  }

  function expectAnswer(operation: ContractOperation, answer: Answer): void {
    const where = `${operation.id} → ${answer.status}`
    const item = contract.paths[operation.path]?.[operation.method.toLowerCase()]
    const documented = item?.responses[String(answer.status)]
    expect(documented, `${where} is not in the contract: ${answer.text}`).toBeDefined()
    const response = resolve<Response>(documented as Response)
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      if (!resolve<Header>(header).required) continue
      expect(answer.headers.has(name), `${where} lacks the header ${name}`).toBe(true)
    }
    if (answer.status === 304) {
      expect([answer.text, answer.headers.get('content-type')]).toEqual(['', null])
      return
    }
    const isStream = response.content?.['text/event-stream'] !== undefined
    const type = isStream ? 'text/event-stream' : 'application/json'
    const schema = response.content?.[type]?.schema
    expect(schema, `${where} has no schema`).toBeDefined()
    const validate = validator(where, schema as Schema)
    const content = isStream ? answer.text : answer.body
    expect(validate(content), `${where}: ${JSON.stringify(validate.errors)} in ${answer.text}`).toBe(true)
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    if (isStream) expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    else expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id)
    if (answer.status === 400 || answer.status === 422) {
      expect(answer.body.error.details?.length, `${where} has no details: ${answer.text}`).toBeGreaterThan(0)
    }
  }

  function validator(name: string, schema: Schema): ValidateFunction {
    const known = validators.get(name)
    if (known !== undefined) return known
    const rooted = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')
    const made = ajv.compile(JSON.parse(rooted) as Schema)
    validators.set(name, made)
    return made
  }

  function bodyFields({ requestBody }: Item): Record<string, Schema> | null {
    const schema = requestBody?.content['application/json']?.schema
    if (schema === undefined) return null
    const { properties } = resolve<Schema>(schema) as {
      properties: Record<string, Schema | { $ref: string }>
    }
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, resolve<Schema>(field)]),
    )
  }

  function resolve<T>(value: T | { $ref: string }): T {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
    const [, , kind = '', name = ''] = value.$ref.split('/')
    return contract.components[kind]?.[name] as T
  }
}
