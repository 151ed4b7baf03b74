import { isDeepStrictEqual } from 'node:util'
import { operationsOf, type Parameter } from '../contract-operations.ts'
import { type Field, type Model, oneLine, type Schema, type Type, TypeReader } from './client-types.ts'

type QueryParameter = Parameter & {
  schema?: Schema
  required?: boolean
  description?: string
  'x-ignored'?: true
}
type Content = { content?: { 'application/json'?: { schema?: Schema } } }
type ContractOperation = {
  operationId: string
  summary?: string
  description?: string
  security?: readonly Record<string, readonly string[]>[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}
export type Contract = {
  security?: readonly Record<string, readonly string[]>[]
  paths: Record<string, object>
  webhooks?: Record<string, { post: { summary?: string; description?: string; requestBody: Content } }>
  components?: { parameters?: Record<string, QueryParameter>; schemas?: Record<string, Schema> }
}

/** A method of a client. */
export type Method = {
  readonly operationId: string
  /** In words separated by `_`. */
  readonly name: string
  /** The method that goes through all pages of this one; null if the contract does not page it. */
  readonly iterator: string | null
  readonly summary: string
  readonly verb: string
  readonly path: string
  readonly needsKey: boolean
  /** The name of the only path parameter. */
  readonly subject: string | null
  readonly query: readonly Field[]
  readonly body: readonly Field[] | null
  /** Where the idempotency key goes; `each`: into each item of the body's list. */
  readonly idempotency: 'body' | 'header' | 'each' | null
  readonly answers: { readonly model: string; readonly list: boolean }
  /** Whether its rows can be read upwards from a position. */
  readonly positioned: boolean
}

export type Resource = { readonly name: string; readonly methods: readonly Method[] }
export type WebhookEvent = { readonly event: string; readonly summary: string; readonly data: Type }
export type ClientContract = {
  readonly resources: readonly Resource[]
  readonly models: readonly Model[]
  readonly choices: ReadonlyMap<string, readonly string[]>
  readonly events: readonly WebhookEvent[]
}

/** The names of methods whose operation says more than its resource and a verb. */
const ownNames: Record<string, { readonly name: string; readonly iterator?: string }> = {
  createPayouts: { name: 'create_many' },
  listAddressInvoices: { name: 'list_invoices', iterator: 'invoices' },
  listLedgerEntries: { name: 'list_ledger', iterator: 'ledger' },
  redeliverEvents: { name: 'redeliver_range' },
  rotateWebhookSecret: { name: 'rotate_secret' },
}

/** What the clients are made of: every operation that a key can call as a method, and the types of all answers. */
export function clientContract(contract: Contract): ClientContract {
  const reader = new TypeReader(contract.components?.schemas ?? {})
  const resources = new Map<string, Method[]>()
  for (const located of operationsOf(contract).filter(answersJson)) {
    const resource = located.path.split('/')[2] ?? ''
    const methods = resources.get(resource) ?? []
    const method = methodOf(contract, reader, located, resource)
    const taken = new Set(methods.flatMap(({ name, iterator }) => [name, iterator]))
    for (const name of [method.name, method.iterator])
      if (name !== null && taken.has(name))
        throw new Error(`${resource}.${name} would be two operations; name ${method.operationId}.`)
    resources.set(resource, [...methods, method])
  }
  const events = Object.entries(contract.webhooks ?? {}).map(([event, { post }]) => {
    const fields = reader.fieldsOf(jsonOf(post.requestBody) ?? {})
    const data = fields.find(({ name }) => name === 'data')
    if (data === undefined) throw new Error(`The webhook ${event} has no data.`)
    return { event, summary: sentence([post.summary, post.description].join('. ')), data: data.type }
  })
  return {
    resources: [...resources].map(([name, methods]) => ({ name, methods })),
    models: withBases([...reader.models.values()]),
    choices: new Map([...reader.choices].sort(([one], [other]) => (one < other ? -1 : 1))),
    events,
  }
}

/** The models, each after the one that it adds to. */
function withBases(models: readonly Model[]): Model[] {
  const isIn = (base: Model, model: Model) =>
    base.fields.length > 1 &&
    base.fields.length < model.fields.length &&
    base.fields.every((field) =>
      model.fields.some(({ name, type }) => name === field.name && isDeepStrictEqual(type, field.type)),
    )
  return models
    .map((model) => {
      const bases = models.filter((other) => isIn(other, model))
      const base = bases.sort((one, other) => other.fields.length - one.fields.length)[0]
      return { ...model, base: base?.name ?? null, depth: bases.length }
    })
    .sort((one, other) => one.depth - other.depth)
    .map(({ depth: _, ...model }) => model)
}

function methodOf(
  contract: Contract,
  reader: TypeReader,
  { method: verb, path, operation: located, parameters: raw }: ReturnType<typeof operationsOf>[number],
  resource: string,
): Method {
  const operation = located as unknown as ContractOperation
  const parameters = raw.map((parameter) => resolved(contract, parameter))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter['x-ignored'] === undefined)
    .map(({ name = '', schema = {}, required = false, description = '' }) => {
      return { name, type: reader.typeOf(schema), required, description: oneLine(description) }
    })
  const subjects = parameters.filter((parameter) => parameter.in === 'path')
  if (subjects.length > 1) throw new Error(`${operation.operationId} has several path parameters.`)
  const bodySchema = jsonOf(operation.requestBody)
  // A reader of its own: what is only sent becomes no model.
  const asked = new TypeReader(contract.components?.schemas ?? {})
  const body = bodySchema === undefined ? null : asked.fieldsOf(bodySchema)
  for (const [name, values] of asked.choices) reader.choices.set(name, values)
  const takesHeader = parameters.some(
    ({ in: place, name }) => place === 'header' && name?.toLowerCase() === 'idempotency-key',
  )
  const takesField = body?.some(({ name }) => name === 'idempotency_key') ?? false
  const takesEach = (body ?? []).some(
    ({ type }) =>
      type.kind === 'list' &&
      type.of.kind === 'model' &&
      asked.models.get(type.of.name)?.fields.some(({ name }) => name === 'idempotency_key'),
  )
  const { answers, paged } = answerOf(reader, operation)
  const names = namesOf(operation.operationId, resource, paged)
  return {
    operationId: operation.operationId,
    ...names,
    summary: sentence(operation.summary ?? ''),
    verb,
    path,
    needsKey: (operation.security ?? contract.security ?? []).length > 0,
    subject: subjects[0]?.name ?? null,
    query,
    body,
    idempotency: takesField ? 'body' : takesHeader ? 'header' : takesEach ? 'each' : null,
    answers,
    positioned:
      query.some(({ name }) => name === 'after') &&
      (reader.models.get(answers.model)?.fields.some(({ name }) => name === 'position') ?? false),
  }
}

function namesOf(operationId: string, resource: string, paged: boolean) {
  const own = ownNames[operationId]
  if (own !== undefined) return { name: own.name, iterator: paged ? (own.iterator ?? null) : null }
  const words = operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split('_')
  const name = resource === 'test' ? words.filter((word) => word !== 'test').join('_') : (words[0] ?? '')
  return { name, iterator: paged ? 'all' : null }
}

/** Whether an operation answers with JSON. The clients do not read streams. */
export function answersJson({ operation }: { readonly operation: object }): boolean {
  const { responses } = operation as ContractOperation
  return Object.entries(responses).some(([status, each]) => status.startsWith('2') && jsonOf(each))
}

function answerOf(reader: TypeReader, { operationId, responses }: ContractOperation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const fields = jsonOf(success)?.properties ?? {}
  const data = reader.typeOf(fields.data ?? {})
  const row = data.kind === 'list' ? data.of : data
  if (row.kind !== 'model') throw new Error(`${operationId} answers with something that is not a model.`)
  const meta = reader.fieldsOf(fields.meta ?? {})
  const paged = meta.some(({ name, type }) => name === 'pagination' && type.kind === 'model')
  return { answers: { model: row.name, list: data.kind === 'list' }, paged }
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema
}

function resolved(contract: Contract, parameter: Parameter): QueryParameter {
  if (parameter.$ref === undefined) return parameter
  const found = contract.components?.parameters?.[parameter.$ref.replace('#/components/parameters/', '')]
  if (found === undefined) throw new Error(`The contract refers to ${parameter.$ref}, which does not exist.`)
  return found
}

function sentence(text: string): string {
  const line = oneLine(text)
    .replace(/\.+(\s|$)/g, '.$1')
    .replace(/^\.\s*|\s+\.$/g, '')
    .trim()
  return line === '' || line.endsWith('.') ? line : `${line}.`
}
