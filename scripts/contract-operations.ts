export type Parameter = { $ref?: string; in?: string; name?: string }
export type Security = readonly Record<string, readonly string[]>[]
export type Operation = {
  operationId: string
  security?: Security
  parameters?: readonly Parameter[]
  'x-mirrored'?: true
}
type Contract = { paths: Record<string, object> }

/** An operation and its location. */
export type Located = {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** Those of the path, then its own. */
  readonly parameters: readonly Parameter[]
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch'])

/** Every operation of a contract, in its order. */
export function operationsOf({ paths }: Contract): Located[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const { parameters = [] } = item as { parameters?: readonly Parameter[] }
    return Object.entries(item as Record<string, Operation>)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        parameters: [...parameters, ...(operation.parameters ?? [])],
      }))
  })
}
