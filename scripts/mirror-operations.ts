import { isDeepStrictEqual } from 'node:util'

type Operation = {
  operationId: string
  security?: readonly Record<string, readonly string[]>[]
  parameters?: readonly unknown[]
  responses: Record<string, unknown>
  'x-mirrored'?: true
  'x-step-up'?: true
}
export type Description = {
  servers?: readonly { readonly url: string }[]
  paths: Record<string, Record<string, Operation>>
  components?: Record<string, Record<string, unknown>>
  /** In the internal contract: the path under which users call the operations of API keys. */
  'x-mirrored'?: { under: string; without: readonly string[]; step_up: readonly string[] }
}

const scope = [
  { name: 'merchantID', in: 'path', required: true, schema: { $ref: '#/components/schemas/Uuid' } },
  { name: 'environment', in: 'path', required: true, schema: { type: 'string', enum: ['test', 'live'] } },
]

const refusals = Object.fromEntries(
  Object.entries({ 403: 'Forbidden', 404: 'NotFound' }).map(([status, name]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
)

/** The internal contract with every operation of the public one that requires a key, in the form that users call. */
export function withMirrored(internal: Description, open: Description): Description {
  const mirrored = internal['x-mirrored']
  if (mirrored === undefined) throw new Error('The internal contract does not say what it mirrors.')
  const { under, without, step_up: stepUp } = mirrored
  const known = new Set<string>()
  const paths = { ...internal.paths }
  for (const [path, item] of Object.entries(open.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const permission = operation.security?.[0]?.apiKey?.[0]
      if (permission === undefined) continue
      known.add(operation.operationId)
      if (without.includes(operation.operationId)) continue
      const place = `${under}${path.replace(/^\/v1/, '')}`
      paths[place] = {
        ...paths[place],
        [method]: {
          ...operation,
          'x-mirrored': true as const,
          security: [{ session: [permission] }],
          parameters: [...scope, ...(operation.parameters ?? [])],
          // Every operation has these: a role that lacks the power, and a merchant of which the user is not a member.
          responses: { ...refusals, ...operation.responses },
          ...(stepUp.includes(operation.operationId) && { 'x-step-up': true as const }),
        },
      }
    }
  }
  const unknown = [...without, ...stepUp].filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Error(`Unknown operations of the public contract: ${unknown.join(', ')}.`)
  return { ...internal, paths, components: joined(internal.components ?? {}, open.components ?? {}) }
}

type Components = Record<string, Record<string, unknown>>

// Both come from the same files, so equal names mean equal components.
function joined(inside: Components, outside: Components): Components {
  const all: Components = { ...inside }
  for (const [kind, named] of Object.entries(outside)) {
    if (kind === 'securitySchemes') continue
    for (const [name, value] of Object.entries(named)) {
      const own = inside[kind]?.[name]
      if (own !== undefined && !isDeepStrictEqual(own, value))
        throw new Error(`${kind}/${name} differs between the public and the internal contract.`)
    }
    all[kind] = { ...named, ...all[kind] }
  }
  return all
}
