/** The schemas of the contract, as the generators of the clients see them. */
export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly (string | null)[]
  const?: string
  items?: Schema
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  description?: string
  examples?: readonly unknown[]
}

/** The type of a field, without regard to a language. */
export type Type = BareType & { readonly nullable: boolean }

type BareType =
  | { readonly kind: 'text' | 'integer' | 'boolean' | 'scalar' | 'anything' }
  /** One string, or several that are separated by commas in the query. */
  | { readonly kind: 'codes' }
  /** One of these strings; `name` if the contract names the set. */
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly name: string | null }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'model'; readonly name: string }

export type Field = {
  readonly name: string
  readonly type: Type
  readonly required: boolean
  readonly description: string
}

/** An object that the service answers with. */
export type Model = {
  readonly name: string
  /** The model that this one only adds to, so that it can stand wherever that one can; null if there is none. */
  readonly base: string | null
  readonly description: string
  readonly fields: readonly Field[]
}

const schemaPrefix = '#/components/schemas/'

/** Reads types out of the contract, and remembers which models and named choices they use. */
export class TypeReader {
  readonly #schemas: Record<string, Schema>
  readonly models = new Map<string, Model>()
  readonly choices = new Map<string, readonly string[]>()

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas
  }

  /** The name and the schema that a reference leads to. */
  named(reference: string): { name: string; schema: Schema } {
    const name = reference.replace(schemaPrefix, '')
    const schema = this.#schemas[name]
    if (schema === undefined) throw new Error(`The contract refers to ${reference}, which does not exist.`)
    return { name, schema }
  }

  /** All fields of an object, those of its parts included. */
  fieldsOf(schema: Schema): Field[] {
    if (schema.$ref !== undefined) return this.fieldsOf(this.named(schema.$ref).schema)
    const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      type: this.typeOf(property),
      required: schema.required?.includes(name) ?? false,
      description: this.#descriptionOf(property),
    }))
    return [...(schema.allOf ?? []).flatMap((part) => this.fieldsOf(part)), ...own]
  }

  typeOf(schema: Schema): Type {
    if (schema.$ref !== undefined) return this.#typeOfReference(schema.$ref)
    if (schema.oneOf !== undefined) return this.#typeOfChoice(schema.oneOf)
    if (schema.const !== undefined)
      return { kind: 'choice', values: [schema.const], name: null, nullable: false }
    const types = [schema.type ?? 'object'].flat()
    const nullable = types.includes('null')
    const [type = '', ...others] = types.filter((each) => each !== 'null')
    // Of what can be several things only the values of metadata are allowed.
    if (others.length > 0) return { kind: 'scalar', nullable }
    if (schema.enum !== undefined) {
      const values = schema.enum.filter((value) => value !== null)
      return { kind: 'choice', values, name: null, nullable }
    }
    if (type === 'string') {
      const several = schema.examples?.some((example) => String(example).includes(',')) ?? false
      return { kind: several ? 'codes' : 'text', nullable }
    }
    if (type === 'integer') return { kind: 'integer', nullable }
    if (type === 'boolean') return { kind: 'boolean', nullable }
    if (type === 'array') return { kind: 'list', of: this.typeOf(schema.items ?? {}), nullable }
    if (type !== 'object' || schema.properties !== undefined)
      throw new Error(`The clients have no type for ${JSON.stringify(schema)}.`)
    const values = schema.additionalProperties
    const of: Type = typeof values === 'object' ? this.typeOf(values) : { kind: 'anything', nullable: false }
    return { kind: 'map', of, nullable }
  }

  #typeOfReference(reference: string): Type {
    const { name, schema } = this.named(reference)
    if (schema.enum !== undefined && schema.type === 'string') {
      const values = schema.enum.filter((value) => value !== null)
      this.choices.set(name, values)
      return { kind: 'choice', values, name, nullable: false }
    }
    if (schema.properties === undefined && schema.allOf === undefined) return this.typeOf(schema)
    if (!this.models.has(name)) {
      // Entered before its fields are read, so that a model may contain itself.
      const model = { name, base: null, description: schema.description ?? '', fields: [] as Field[] }
      this.models.set(name, model)
      model.fields.push(...this.fieldsOf(schema))
    }
    return { kind: 'model', name, nullable: false }
  }

  #typeOfChoice(alternatives: readonly Schema[]): Type {
    const [one, ...others] = alternatives.filter(({ type }) => type !== 'null')
    if (one === undefined || others.length > 0)
      throw new Error(`The clients have no type for one of ${JSON.stringify(alternatives)}.`)
    return { ...this.typeOf(one), nullable: others.length + 1 < alternatives.length }
  }

  #descriptionOf(schema: Schema): string {
    if (schema.description !== undefined) return oneLine(schema.description)
    if (schema.$ref === undefined) return ''
    // The table of a named choice is for the reference pages: its values are in the type.
    const { description = '' } = this.named(schema.$ref).schema
    return description.startsWith('|') ? '' : oneLine(description)
  }
}

/** A description without line breaks and tables. */
export function oneLine(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}
