import { type Located, operationsOf, type Parameter, type Security } from './contract-operations.ts'

type Schema = {
  $ref?: string
  properties?: Record<string, unknown>
  items?: Schema
  allOf?: readonly Schema[]
}
type WithBody = { operationId: string; requestBody?: { content?: Record<string, { schema?: Schema }> } }
type Description = {
  security?: Security
  paths: Record<string, object>
  components?: { parameters?: Record<string, Parameter>; schemas?: Record<string, unknown> }
}

/** The file that tells the SDK the path and the requirements of each operation at run time. */
export function sdkOperations(description: Description): string {
  return [
    '// This file is generated from the contract.',
    "import type { Operations } from './contract.generated.ts'",
    "import type { Route } from './route.ts'",
    '',
    '/** The route of each operation of the contract. */',
    'export const operations: { readonly [Id in keyof Operations]: Route } = {',
    ...operationsOf(description).map((located) => row(description, located)),
    '}',
    '',
  ].join('\n')
}

function row(description: Description, { method, path, operation, parameters }: Located): string {
  const fields = [
    `method: '${method}'`,
    `path: '${path}'`,
    `needsKey: ${(operation.security ?? description.security ?? []).length > 0}`,
    `idempotency: ${placeOfKey(description, operation, parameters)}`,
  ]
  return `  ${operation.operationId}: { ${fields.join(', ')} },`
}

/** Where the operation takes an idempotency key, as code. */
function placeOfKey(
  description: Description,
  operation: WithBody,
  parameters: readonly Parameter[],
): "'body'" | "'header'" | "'each'" | 'null' {
  const isHeader = parameters
    .map((parameter) => resolved(description, parameter))
    .some((parameter) => parameter.in === 'header' && parameter.name?.toLowerCase() === 'idempotency-key')
  if (isHeader) return "'header'"
  const schema = operation.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) return 'null'
  if (hasField(description, schema, 'idempotency_key')) return "'body'"
  const { properties = {} } = followed(description, schema)
  const isInEach = Object.values(properties).some((field) => {
    const { items } = followed(description, field as Schema)
    return items !== undefined && hasField(description, items, 'idempotency_key')
  })
  return isInEach ? "'each'" : 'null'
}

function followed(description: Description, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const target = description.components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')]
  if (target === undefined) throw new Error(`The contract refers to ${schema.$ref}, which does not exist.`)
  return target as Schema
}

function hasField(description: Description, schema: Schema, name: string): boolean {
  if (schema.$ref !== undefined) return hasField(description, followed(description, schema), name)
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return true
  return (schema.allOf ?? []).some((part) => hasField(description, part, name))
}

function resolved(description: Description, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter
  const name = parameter.$ref.replace('#/components/parameters/', '')
  const found = description.components?.parameters?.[name]
  if (found === undefined) throw new Error(`The contract refers to ${parameter.$ref}, which does not exist.`)
  return found
}
