import type { ContractDocument } from './contract.ts'
import { type DescribedOperation, descriptionOf } from './described-operation.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Members = { readonly [name: string]: Json }

// Keywords that OpenAPI 3.0 does not have. They only narrow, so a description without them allows no less.
const unknownKeywords = new Set(['unevaluatedProperties', 'propertyNames'])

/**
 * The contract in OpenAPI 3.0, for generators that know no newer version. It says the same about requests and answers, a
 * little less strictly; webhooks are left out, since 3.0 cannot describe them.
 */
export function inOpenApi30(contract: ContractDocument): Members {
  const { schemas = {} } = (contract.components ?? {}) as { readonly schemas?: Members }
  const older = translator((name) => schemas[name] as Members)
  const { webhooks: _, info, ...document } = contract as unknown as Members & { readonly info: Members }
  const { summary: _summary, license, ...about } = info as Members & { readonly license: Members }
  return {
    ...(older(document) as Members),
    openapi: '3.0.3',
    info: { ...about, license: { name: license.name ?? null } },
  }
}

type Translate = (value: Json, name?: string) => Json

function translator(find: (schema: string) => Members): Translate {
  return older

  function older(value: Json, name?: string): Json {
    if (Array.isArray(value)) return value.map((item) => older(item))
    if (!isObject(value)) return value
    if (name === 'security') return value
    // An example is data, even if its members have names of keywords.
    if (name === 'value' || name === 'example') return value
    if (name === 'properties' || name === 'schemas' || name === 'parameters') return members(value)
    const { $ref, ...siblings } = value
    if (typeof $ref === 'string') return referring($ref, siblings)
    return schema(value)
  }

  function members(value: Members): Members {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, older(member)]))
  }

  // In 3.0 everything beside a reference is ignored.
  function referring($ref: string, siblings: Members): Json {
    return Object.keys(siblings).length === 0
      ? { $ref }
      : { allOf: [{ $ref }], ...(schema(siblings) as Members) }
  }

  function schema(value: Members): Members {
    const result: Record<string, Json> = {}
    for (const [name, member] of Object.entries(value)) {
      if (unknownKeywords.has(name)) continue
      if (name === 'const') result.enum = [member]
      else if (name === 'security') result.security = unscoped(member)
      else if (name === 'examples' && Array.isArray(member)) result.example = member[0] ?? null
      else if (name === 'type' && Array.isArray(member)) Object.assign(result, typed(member as string[]))
      else if (name === 'oneOf' && Array.isArray(member)) Object.assign(result, chosen(member as Members[]))
      else result[name] = older(member, name)
    }
    if (value.operationId !== undefined) Object.assign(result, described(value as DescribedOperation))
    return result
  }

  /** Of a nullable type, or of several. */
  function typed(types: readonly string[]): Members {
    const [first, ...others] = types.filter((type) => type !== 'null')
    const nullable: Members = types.includes('null') ? { nullable: true } : {}
    if (first === undefined || others.length === 0) return { type: first ?? 'object', ...nullable }
    return { anyOf: [first, ...others].map((type) => ({ type, ...nullable })) }
  }

  /** A choice between a schema and null is that schema, nullable. */
  function chosen(choices: readonly Members[]): Members {
    const others = choices.filter(({ type }) => type !== 'null')
    const [only] = others
    if (others.length === choices.length || only === undefined)
      return { oneOf: choices.map((each) => older(each)) }
    if (others.length === 1)
      return only.$ref === undefined
        ? { ...(older(only) as Members), nullable: true }
        : // Null is allowed only beside a type.
          { type: typeOf(only.$ref), allOf: [older(only)], nullable: true }
    return { oneOf: others.map((each) => older(each)), nullable: true }
  }

  function typeOf($ref: Json): Json {
    const referred = find(String($ref).split('/').at(-1) ?? '')
    return referred.type ?? 'object'
  }
}

function described(operation: DescribedOperation): Members {
  const description = descriptionOf(operation)
  return description === '' ? {} : { description }
}

// In 3.0 only OAuth has scopes: the description names the permission instead.
function unscoped(security: Json): Json {
  if (!Array.isArray(security)) return security
  return security.map((scheme) =>
    Object.fromEntries(Object.keys(scheme as Members).map((name) => [name, [] as Json])),
  )
}

function isObject(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
