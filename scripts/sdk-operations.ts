type Parameter = { $ref?: string; in?: string; name?: string }
type Security = readonly Record<string, readonly string[]>[]
type Operation = { operationId: string; security?: Security; parameters?: readonly Parameter[] }
type PathItem = Record<string, Operation | readonly Parameter[] | string>
type Description = {
  security?: Security
  paths: Record<string, object>
  components?: { parameters?: Record<string, Parameter> }
}

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** The file that tells the SDK, at run time, where each operation lives and what it takes to call it. */
export function sdkOperations(description: Description): string {
  const rows = Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = (item as PathItem)[method] as Operation | undefined
      return operation === undefined ? [] : [row(description, path, item as PathItem, method, operation)]
    }),
  )
  return [
    '// This file is generated from the contract.',
    "import type { Operations } from './contract.generated.ts'",
    "import type { Route } from './route.ts'",
    '',
    '/** Where each operation of the contract lives. */',
    'export const operations: { readonly [Id in keyof Operations]: Route } = {',
    ...rows,
    '}',
    '',
  ].join('\n')
}

function row(
  description: Description,
  path: string,
  item: PathItem,
  method: string,
  operation: Operation,
): string {
  const parameters = [...((item.parameters ?? []) as Parameter[]), ...(operation.parameters ?? [])]
  const headers = parameters
    .map((parameter) => resolved(description, parameter))
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name?.toLowerCase())
  const fields = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    `needsKey: ${(operation.security ?? description.security ?? []).length > 0}`,
    `takesIdempotencyHeader: ${headers.includes('idempotency-key')}`,
  ]
  return `  ${operation.operationId}: { ${fields.join(', ')} },`
}

function resolved(description: Description, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter
  const name = parameter.$ref.replace('#/components/parameters/', '')
  const found = description.components?.parameters?.[name]
  if (found === undefined)
    throw new Error(`The contract refers to ${parameter.$ref}, which it does not hold.`)
  return found
}
