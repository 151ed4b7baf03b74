import type { ContractDocument } from './contract.ts'
import { type DescribedOperation, descriptionOf } from './described-operation.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly 'x-ignored'?: boolean
}
type Operation = DescribedOperation & {
  readonly summary: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly content: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>
  }
}
type Document = {
  readonly info: { readonly title: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly parameters: Record<string, Parameter> }
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/**
 * The contract as a Postman collection: a folder per tag, a request per operation, filled in with the contract's own
 * examples. The user sets two variables, the base URL and the key.
 */
export function postmanCollection(contract: ContractDocument, baseUrl: string) {
  const { info, tags, paths, components } = contract as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  return {
    info: { name: info.title, description: info.description, schema },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{api_key}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'base_url', value: baseUrl, type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
    ],
    item: tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations
          .filter(({ operation }) => operation.tags?.includes(name))
          .map(({ path, method, operation }) => request(path, method, operation)),
      }))
      .filter(({ item }) => item.length > 0),
  }

  function request(path: string, method: string, operation: Operation) {
    const parameters = (operation.parameters ?? []).map(resolve)
    const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
    const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
    const query = inPlace('query').filter((parameter) => !parameter['x-ignored'])
    const json = operation.requestBody?.content['application/json']
    const [example] = Object.values(json?.examples ?? {})
    return {
      name: operation.summary,
      request: {
        method: method.toUpperCase(),
        description: descriptionOf(operation),
        // Public data needs no key, and does not get it.
        ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
        header: [
          ...inPlace('header').map((header) => disabled(header)),
          ...(json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ],
        ...(json !== undefined && {
          body: {
            mode: 'raw',
            raw: JSON.stringify(example?.value ?? {}, null, 2),
            options: { raw: { language: 'json' } },
          },
        }),
        url: {
          raw: `{{base_url}}/${steps}`,
          host: ['{{base_url}}'],
          path: steps.split('/'),
          query: query.map((parameter) => disabled(parameter)),
          variable: inPlace('path').map(({ name, description }) => ({ key: name, value: '', description })),
        },
      },
    }
  }

  function resolve(parameter: Parameter | { readonly $ref: string }): Parameter {
    if (!('$ref' in parameter)) return parameter
    return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter
  }
}

/** Shown with its description, and not sent until the user turns it on. */
function disabled({ name, description = '' }: Parameter) {
  return { key: name, value: '', description, disabled: true }
}
