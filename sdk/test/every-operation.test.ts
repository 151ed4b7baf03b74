import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { answersJson } from '../../scripts/clients/client-operations.ts'
import { operationsOf } from '../../scripts/contract-operations.ts'
import { createSluice } from '../src/client.ts'

const contract = JSON.parse(
  readFileSync(new URL('../../server/src/http/contract.generated.json', import.meta.url), 'utf8'),
)
// A stream is followed and not called: the client has no method for it.
const routes = operationsOf(contract)
  .filter(answersJson)
  .map(({ method, path, operation }) => ({
    id: operation.operationId,
    form: new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    isPaged: /#\/components\/schemas\/(Cursor)?PageMeta/.test(JSON.stringify(operation)),
  }))

it('every operation of the contract has a method, every method an operation, and every paged list an iterator', async () => {
  const called: string[] = []
  const sluice = createSluice({
    baseUrl: 'http://127.0.0.1:1/api',
    apiKey: `sk_test_${'ab'.repeat(32)}`,
    fetch: async (url, { method }) => {
      const line = `${method} ${new URL(url).pathname.replace('/api', '')}`
      called.push(routes.find(({ form }) => form.test(line))?.id ?? `nothing: ${line}`)
      const pagination = { total: 0, limit: 100, offset: 0, has_more: false }
      return Response.json({ data: [], meta: { request_id: 'req_1', pagination } })
    },
  })
  const iterated = new Set<string>()
  for (const [name, resource] of Object.entries(sluice)) {
    if (typeof resource === 'function') continue
    for (const [verb, method] of Object.entries(resource as Record<string, (id: string) => unknown>)) {
      const before = called.length
      const result = method(verb === 'createMany' ? ([] as never) : 'x')
      await (isRows(result) ? result.next() : result)
      const [id = 'nothing', ...more] = called.slice(before)
      expect([`${name}.${verb}`, more]).toEqual([`${name}.${verb}`, []])
      if (isRows(result)) iterated.add(id)
    }
  }
  expect([...new Set(called)].sort()).toEqual(routes.map(({ id }) => id).sort())
  const paged = routes.filter(({ isPaged }) => isPaged).map(({ id }) => id)
  expect(paged.length).toBeGreaterThan(5)
  expect([...iterated].sort()).toEqual(paged.sort())
})

function isRows(value: unknown): value is AsyncGenerator {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
