import { type Located, operationsOf, type Parameter, type Security } from './contract-operations.ts'

type Description = {
  security?: Security
  paths: Record<string, object>
  components?: { parameters?: Record<string, Parameter> }
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
  const headers = parameters
    .map((parameter) => resolved(description, parameter))
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name?.toLowerCase())
  const fields = [
    `method: '${method}'`,
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
  if (found === undefined) throw new Error(`The contract refers to ${parameter.$ref}, which does not exist.`)
  return found
}
