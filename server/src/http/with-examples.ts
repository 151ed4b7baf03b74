import type { ContractDocument } from './contract.ts'

/** Answers of a running service, whole bodies: by operation, by component of refusals, and by event. */
export type Examples = {
  readonly operations: Readonly<Record<string, unknown>>
  readonly refusals: Readonly<Record<string, unknown>>
  readonly webhooks: Readonly<Record<string, { readonly event: string }>>
}

type Content = Readonly<Record<string, { readonly schema: unknown; readonly example?: unknown }>>
type Described = { readonly content?: Content }
type Operation = {
  readonly operationId: string
  readonly requestBody?: Described
  readonly responses: Readonly<Record<string, Described>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Document = {
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: { readonly responses: Readonly<Record<string, Described>> }
}

/** The contract with an example beside each answer, refusal and event. */
export function withExamples(contract: ContractDocument, examples: Examples): ContractDocument {
  const document = contract as unknown as Document
  const described = {
    ...document,
    paths: eachOperation(document.paths, (operation) => ({
      ...operation,
      responses: mapValues(operation.responses, (response, status) =>
        status.startsWith('2') ? shown(response, examples.operations[operation.operationId]) : response,
      ),
    })),
    webhooks: eachOperation(document.webhooks, (operation, event) =>
      operation.requestBody === undefined
        ? operation
        : { ...operation, requestBody: shown(operation.requestBody, examples.webhooks[event]) },
    ),
    components: {
      ...document.components,
      responses: mapValues(document.components.responses, (response, name) =>
        shown(response, examples.refusals[name]),
      ),
    },
  }
  return described as unknown as ContractDocument
}

function eachOperation(paths: Paths, change: (operation: Operation, path: string) => Operation): Paths {
  return mapValues(paths, (item, path) => mapValues(item, (operation) => change(operation, path)))
}

const json = 'application/json'

function shown<D extends Described>(described: D, example: unknown): D {
  const { content } = described
  if (example === undefined || content?.[json] === undefined) return described
  return { ...described, content: { ...content, [json]: { ...content[json], example } } }
}

function mapValues<V, W>(
  values: Readonly<Record<string, V>>,
  change: (value: V, name: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
}
