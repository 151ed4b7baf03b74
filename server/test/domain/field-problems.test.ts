import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FieldCode, fieldProblem } from '../../src/domain/reasons/field-problems.ts'
import { fieldSentences } from '../../src/domain/reasons/fields.ts'
import contract from '../../src/http/contract.generated.json' with { type: 'json' }
import internal from '../../src/http/internal-contract.generated.json' with { type: 'json' }
import { type Schema, schemaCompiler } from '../../src/http/validation.ts'

const codes = Object.keys(fieldSentences) as FieldCode[]

// Values with blanks in them; every other one is `name-1`.
const samples: Readonly<Record<string, string>> = {
  amount: '2 BTC',
  available: '1 BTC',
  choices: 'bitcoin, bnb-smart-chain',
  detail: 'Unexpected token } in JSON at position 4',
  least: '0.1 BTC',
  most: '0.5 BTC',
  names: 'invoice.lost, no event',
  network: 'BNB Smart Chain',
  pattern: '^[a-z]+ [a-z]+$',
  permission: '"keys:write"',
}

describe('what is wrong with a field', () => {
  it.each(codes)('%s is read back from the detail, with its pointer and values', (code) => {
    const names = [...fieldSentences[code].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const values = Object.fromEntries(names.map((name) => [name, samples[name] ?? `${name}-1`]))
    const message = fieldSentences[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    expect(fieldProblem(`/metadata/a~1b: ${message}`)).toEqual({
      pointer: '/metadata/a~1b',
      code,
      message,
      values,
    })
  })

  it('in words of others, and at great length, stays as it is', () => {
    const strange = { pointer: '/name', code: 'other', message: 'is strange: very', values: {} }
    expect(fieldProblem('/name: is strange: very')).toEqual(strange)
    const long = `must be one of ${'a, '.repeat(2_000)}b`
    expect(fieldProblem(`/: ${long}`)).toEqual({ pointer: '/', code: 'other', message: long, values: {} })
    expect(fieldProblem('no pointer')).toEqual({
      pointer: '',
      code: 'other',
      message: 'no pointer',
      values: {},
    })
  })
})

type Json = { readonly [key: string]: unknown }
type Operation = { readonly parameters?: readonly Json[]; readonly requestBody?: Json }

/** Every schema that a request to the service is judged by, with those inside it. */
function requestSchemas(document: { readonly paths: object }): Json[] {
  const found = new Set<Json>()
  const resolve = (value: unknown): unknown => {
    const { $ref } = value as { $ref?: string }
    if (typeof $ref !== 'string') return value
    return $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Json)[step.replaceAll('~1', '/')], document)
  }
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const schema = resolve(value) as Json
    if (Array.isArray(schema)) schema.forEach(walk)
    else if (!found.has(schema)) {
      found.add(schema)
      for (const [keyword, inner] of Object.entries(schema)) {
        if (['properties', '$defs'].includes(keyword)) Object.values(inner as Json).forEach(walk)
        else if (!['examples', 'default', 'const', 'enum', 'required'].includes(keyword)) walk(inner)
      }
    }
  }
  const operations = Object.values(document.paths).flatMap((path) => [
    { parameters: (path as Operation).parameters ?? [] },
    ...(Object.values(path) as Operation[]),
  ])
  for (const { parameters = [], requestBody } of operations) {
    for (const parameter of parameters) walk((resolve(parameter) as Json).schema)
    const content = requestBody === undefined ? {} : ((resolve(requestBody) as Json).content as Json)
    for (const body of Object.values(content)) walk((body as Json).schema)
  }
  return [...found]
}

describe('the validation of requests', () => {
  const schemas = [contract, internal].flatMap(requestSchemas)
  // What each keyword refuses. Those inside others are judged by these, too.
  const refused: Readonly<Record<string, readonly [Schema, unknown][]>> = {
    required: [[{ required: ['a'] }, {}]],
    additionalProperties: [[{ additionalProperties: false }, { a: 1 }]],
    type: [...new Set(schemas.map(({ type }) => type).filter((type) => type !== undefined))].map((type) => [
      { type },
      [type].flat().includes('array') ? {} : [],
    ]),
    enum: [[{ enum: ['a', 'b'] }, 'c']],
    const: [[{ const: 'public-key' }, 'c']],
    minLength: [
      [{ minLength: 1 }, ''],
      [{ minLength: 12 }, ''],
    ],
    maxLength: [[{ maxLength: 1 }, 'ab']],
    minimum: [[{ minimum: 1 }, 0]],
    maximum: [[{ maximum: 1 }, 2]],
    minItems: [
      [{ minItems: 1 }, []],
      [{ minItems: 2 }, []],
    ],
    maxItems: [[{ maxItems: 1 }, [1, 2]]],
    uniqueItems: [[{ uniqueItems: true }, [1, 1]]],
    minProperties: [
      [{ minProperties: 1 }, {}],
      [{ minProperties: 2 }, {}],
    ],
    maxProperties: [[{ maxProperties: 0 }, { a: 1 }]],
    propertyNames: [
      [{ propertyNames: { minLength: 1 } }, { '': 1 }],
      [{ propertyNames: { maxLength: 1 } }, { ab: 1 }],
    ],
    pattern: [
      [{ pattern: '^a$' }, 'b'],
      ...schemas
        .filter((schema) => 'x-form' in schema)
        .map((schema) => [{ pattern: '^no$', 'x-form': schema['x-form'] }, 'b'] as [Schema, unknown]),
    ],
  }
  // These only name or combine others.
  const silent = ['$ref', 'allOf', 'oneOf', 'anyOf', 'items', 'properties', 'x-form']
  const notes = ['description', 'examples', 'default', 'title', 'deprecated']

  it('has words in every language for each keyword, type and form of the contract', () => {
    const keywords = new Set(schemas.flatMap(Object.keys))
    expect(keywords.size).toBeGreaterThan(10)
    expect(
      [...keywords].filter((each) => ![...Object.keys(refused), ...silent, ...notes].includes(each)),
    ).toEqual([])
    const compile = schemaCompiler({})
    for (const [schema, value] of Object.values(refused).flat()) {
      const problems = compile({ type: Array.isArray(value) ? 'array' : typeof value, ...schema })(value)
      expect(problems, JSON.stringify(schema)).not.toEqual([])
      for (const problem of problems) expect(fieldProblem(problem).code, problem).not.toBe('other')
    }
  })

  it('puts every pattern with a form in words of its own', () => {
    const forms = new Set(schemas.flatMap((schema) => ('x-form' in schema ? [schema['x-form']] : [])))
    expect(forms.size).toBeGreaterThan(10)
    for (const form of forms) expect(fieldProblem(`/a: must be ${form}`).code).toMatch(/^field_form_/)
  })
})

const root = join(import.meta.dirname, '../../src')
// What a request over HTTP can come to. The settings, the command line and the signer have no fields.
const folders = ['app', 'domain', 'http', 'simulator', 'store', 'outbound', 'gates']
// Payers, wallets and broken connections meet these, not people of the dashboard; and a method of proof is no sentence.
const elsewhere = [/^app\/checkout\//, /^http\/server\.ts: /, /^domain\/people\.ts: \/: \$\{method\}$/]
// Details whose words come from another file: every problem that it has.
const composed: Readonly<Record<string, readonly string[]>> = {
  'app/invoices/create-invoice.ts: /redirect_url: ${problem}': ['domain/redirects.ts'],
  'app/payouts/check-destination.ts: /destination: cannot be paid: ${fault}': [
    'gates/solana/node-accounts.ts',
  ],
  'app/payouts/read-destination.ts: /address: cannot be paid: ${fault}': ['gates/solana/node-accounts.ts'],
  'app/payouts/check-destination.ts: /${fields.tag}: ${wrongTag}': ['gates/solana/family.ts'],
  'app/payouts/check-destination.ts: /${fields.address}: ${refusal.words}': ['gates/solana/destination.ts'],
  'app/people/change-password.ts: /password: ${problem}': ['domain/password-rules.ts'],
  'app/saved-views/own-view.ts: /query: ${read.problem}': ['domain/saved-views.ts'],
  'app/saved-views/own-view.ts: /name: ${read.problem}': ['domain/saved-views.ts'],
  'app/shops/read-request.ts: /return: ${problem}': ['domain/plain-urls.ts', 'domain/redirects.ts'],
  'app/webhooks/create-endpoint.ts: /${field}: ${problem}': [
    'domain/plain-urls.ts',
    'outbound/webhooks/check-target.ts',
  ],
  'http/strict-json.ts: ${pointer}: ${problem}': ['http/strict-json.ts'],
  'http/validation.ts: ${pointerStep(name)}: ${problem}': ['http/strict-json.ts'],
  // The validation above.
  'http/validation.ts: ${pointerOf(error)}: ${subject}${inWords(error)}': [],
}
const endings: Readonly<Record<string, readonly string[]>> = {
  '${orTag}': ['', ', or its tag is not valid'],
  'must have as ${name} ${known.form}': ['must have as x1 a day such as 2026-11-15'],
}

/** The texts in a file's quotes, and what its templates hold. Texts joined by plus are one. */
function texts(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '')
  return [
    ...source.replace(/'\s*\+\s*'/g, '').matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"([^"\n]*)"/g),
  ].map(([, one, two, three]) => one ?? two ?? three ?? '')
}

/** A text with values in its braces: one word, and one amount. */
function filled(text: string): string[] {
  const [ending, choices] = Object.entries(endings).find(([end]) => text.endsWith(end)) ?? ['', ['']]
  return choices.flatMap((choice) =>
    ['x1', '1 USD', 'x1, x2'].map((value) =>
      `${text.slice(0, text.length - ending.length)}${choice}`.replace(/\$\{[^}]*\}/g, value),
    ),
  )
}

const isKnown = (details: readonly string[]) =>
  details.some((detail) => fieldProblem(detail).code !== 'other')

it('every detail that is written in the source has words in every language', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!generated)\.ts$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  const details = files.flatMap((file) =>
    texts(file)
      .map((text) => ({ name: `${file}: ${text}`, text: text.replace(/^\$\{pointer[^}]*\}/, '/x') }))
      .filter(({ text }) => /^\/[\w/]*: /.test(text.replace(/\$\{[^}]*\}/g, 'x'))),
  )
  expect(details.length).toBeGreaterThan(90)
  const told = details.filter(({ name }) => !elsewhere.some((pattern) => pattern.test(name)))
  const missing = told.filter(({ name, text }) => !(name in composed) && !isKnown(filled(text)))
  expect(missing.map(({ name }) => name)).toEqual([])
  // Nothing is left in the list that the source no longer has.
  expect(Object.keys(composed).filter((name) => !told.some((each) => each.name === name))).toEqual([])
})

it('so has every detail that another file words', () => {
  const sources = Object.entries(composed).flatMap(([name, files]) =>
    files.map((file) => ({ file, start: name.includes('cannot be paid') ? 'cannot be paid: ' : '' })),
  )
  for (const { file, start } of sources) {
    const problems = texts(file).filter((text) => /^(?:must|is|it is|has|names|cannot) /.test(text))
    expect(problems.length, file).toBeGreaterThan(0)
    for (const problem of problems)
      expect(isKnown(filled(problem).map((text) => `/a: ${start}${text}`)), `${file}: ${problem}`).toBe(true)
  }
})
