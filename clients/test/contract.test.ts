import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersJson, clientContract, type Method } from '../../scripts/clients/client-operations.ts'
import type { Field } from '../../scripts/clients/client-types.ts'
import { operationsOf } from '../../scripts/contract-operations.ts'
import { type Language, languages, startLanguage } from './language.ts'
import { one, page, rows, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const contract = JSON.parse(
  readFileSync(new URL('../../server/src/http/contract.generated.json', import.meta.url), 'utf8'),
)
const { resources } = clientContract(contract)
const methods = resources.flatMap(({ name: resource, methods: all }) =>
  all.map((method) => ({ resource, method, called: `${resource}.${method.name}` })),
)

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

it('the clients are made of every operation of the contract', () => {
  const all = operationsOf(contract)
  const wanted = all.filter(answersJson).map(({ operation }) => operation.operationId)
  expect(all.length - wanted.length).toBe(1)
  expect(methods.map(({ method }) => method.operationId)).toEqual(wanted)
  expect(wanted.length).toBeGreaterThan(30)
})

it.each([
  ['python', (name: string) => name],
  ['php', (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
])("the page of the client in %s names every method but the test environment's", (folder, spelt) => {
  const page = readFileSync(new URL(`../${folder}/README.md`, import.meta.url), 'utf8')
  const missing = methods
    .filter(({ resource }) => resource !== 'test')
    .flatMap(({ resource, method: { name, iterator } }) =>
      [name, iterator].flatMap((each) => (each === null ? [] : [[spelt(resource), spelt(each)]])),
    )
    .filter(([resource, name]) => !new RegExp(`^\\| \`${resource}\` .*\`${name}\``, 'm').test(page))
  expect(missing).toEqual([])
})

it('an operation whose name is taken must be named', () => {
  const answer = { responses: { 200: contract.paths['/v1/invoices/{invoiceID}'].get.responses[200] } }
  const paths = {
    '/v1/invoices/{invoiceID}': { get: { operationId: 'getInvoice', ...answer } },
    '/v1/invoices/newest': { get: { operationId: 'getNewestInvoice', ...answer } },
  }
  expect(() => clientContract({ ...contract, paths })).toThrow(/invoices\.get.*getNewestInvoice/)
})

/** A value for each field; the server of this test does not look at it. */
function filled(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      if (type.kind === 'integer') return [name, 7]
      if (type.kind === 'boolean') return [name, true]
      if (type.kind === 'map') return [name, { a: 'b' }]
      if (type.kind === 'choice') return [name, type.values[0]]
      return [name, type.kind === 'list' ? ['a'] : 'a']
    }),
  )
}

const reply = ({ answers, iterator }: Method) =>
  !answers.list ? one() : iterator === null ? rows([]) : page([], false)

describe.each(languages)('the client in $name', (settings) => {
  let language: Language
  beforeAll(() => {
    language = startLanguage(settings)
  })
  afterAll(() => language.end())

  it.each(methods)('$called sends everything to its own path', async ({ method, called }) => {
    server.script(reply(method))
    const query = filled(method.query)
    const fields = filled(method.body ?? [])
    const subject = method.subject === null ? {} : { subject: 'x1' }
    const client = { base_url: server.url, api_key: 'sk_test_1' }
    const { error } = await language.ask({ do: 'call', method: called, ...subject, query, fields, client })
    expect(error).toBeUndefined()
    const [seen] = server.seen
    const url = new URL(seen?.url ?? '', server.url)
    expect(seen?.method).toBe(method.verb)
    expect(url.pathname).toBe(`/api${method.path.replace(/\{\w+\}/, 'x1')}`)
    expect(Object.fromEntries(url.searchParams)).toEqual(
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    )
    expect(seen?.body === '' ? null : JSON.parse(seen?.body ?? '')).toEqual(
      method.body === null ? null : fields,
    )
    expect(seen?.headers['x-api-key']).toBe(method.needsKey ? 'sk_test_1' : undefined)
  })

  it.each(methods.filter(({ method }) => method.iterator !== null))(
    '$resource.$method.iterator goes through the pages of $called',
    async ({ resource, method }) => {
      server.script(page([{ id: 1, position: '1' }], true), page([{ id: 2, position: '2' }], false))
      const subject = method.subject === null ? {} : { subject: 'x1' }
      const client = { base_url: server.url, api_key: 'sk_test_1' }
      const called = `${resource}.${method.iterator}`
      const { data } = await language.ask({ do: 'call', method: called, ...subject, client })
      expect(data.map(({ id }: { id: number }) => id)).toEqual([1, 2])
      expect(server.seen.map(({ url }) => url.split('?')[0])).toEqual(
        Array(2).fill(`/api${method.path.replace(/\{\w+\}/, 'x1')}`),
      )
    },
  )
})
