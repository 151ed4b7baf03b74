import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { ServiceError } from '../domain/errors.ts'
import { pointerStep, textProblem } from './strict-json.ts'

const maxDetails = 20

export type Schema = { readonly [keyword: string]: unknown }

/** Says in words what is wrong with a value; with `defaults` it also fills in missing fields. */
export type Validator = (value: unknown) => string[]

/**
 * Creates validators from the schemas of one contract document; `#/components/schemas/…` in them refers to that
 * document. Each is compiled on first use: most processes need few of the many operations, and startup should not wait
 * for all.
 */
export function schemaCompiler(document: {
  readonly components?: { readonly [kind: string]: object }
}): (schema: Schema, options?: { defaults: boolean }) => Validator {
  const make = (useDefaults: boolean) => {
    const ajv = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      useDefaults,
      verbose: true,
      validateSchema: false,
    })
    // `x-form` says in words what a pattern requires.
    ajv.addVocabulary(['x-form'])
    ajv.addSchema({ $id: 'contract', $defs: rooted({ ...document.components?.schemas }) })
    return ajv
  }
  let plain: Ajv2020 | undefined
  let defaulting: Ajv2020 | undefined
  return (schema, options) => {
    let compiled: ValidateFunction | undefined
    const compile = () => {
      plain ??= make(false)
      defaulting ??= make(true)
      return (options?.defaults ? defaulting : plain).compile(rooted(schema))
    }
    return (value) => {
      compiled ??= compile()
      return compiled(value) ? [] : validationProblems(compiled.errors)
    }
  }
}

/** Throws one `validation_error` that names every problem, up to a limit. */
export function refuse(problems: readonly string[]): never {
  const unique = [...new Set(problems)]
  const details = unique.slice(0, maxDetails)
  if (unique.length > maxDetails) details.push(`/: and ${unique.length - maxDetails} more problems`)
  throw new ServiceError(
    'validation_error',
    'The request is not valid. Correct the problems listed in details.',
    details,
  )
}

function validationProblems(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).flatMap((error) => {
    // The errors inside a failed choice or property name say more than the error about it.
    if (['oneOf', 'anyOf', 'if', 'propertyNames'].includes(error.keyword)) return []
    const subject = error.propertyName === undefined ? '' : 'its name '
    return [`${pointerOf(error)}: ${subject}${inWords(error)}`]
  })
}

/** Query and path values arrive as text: integers are parsed, everything else is left for the schema to judge. */
export function readParameters(
  raw: Record<string, unknown>,
  schemas: Record<string, Schema>,
  problems: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const value = raw[name]
    if (value === undefined) continue
    if (typeof value === 'string') {
      const problem = textProblem(value)
      if (problem !== null) problems.push(`${pointerStep(name)}: ${problem}`)
      values[name] =
        schema.type === 'integer' && /^-?(0|[1-9][0-9]{0,15})$/.test(value) ? Number(value) : value
    } else {
      problems.push(`${pointerStep(name)}: must be given only once`)
    }
  }
  return values
}

function pointerOf(error: ErrorObject): string {
  if (error.keyword === 'required') return error.instancePath + pointerStep(error.params.missingProperty)
  if (error.keyword === 'additionalProperties') {
    return error.instancePath + pointerStep(error.params.additionalProperty)
  }
  if (error.propertyName !== undefined) return error.instancePath + pointerStep(error.propertyName)
  return error.instancePath || '/'
}

function inWords({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a field of this request'
    case 'type':
      return `must be ${[params.type].flat().map(article).join(' or ')}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minProperties':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} properties`
    case 'maxProperties':
      return `must have at most ${params.limit} properties`
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'uniqueItems':
      return 'must not contain the same item twice'
    case 'pattern':
      return `must be ${parentSchema?.['x-form'] ?? `of the form ${params.pattern}`}`
    default:
      return message ?? 'is not valid'
  }
}

function article(type: string): string {
  if (type === 'null') return 'null'
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`
}

function rooted(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/schemas/', '"contract#/$defs/'),
  ) as Schema
}
