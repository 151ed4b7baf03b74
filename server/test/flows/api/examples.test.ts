import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import type { Examples } from '../../../src/http/with-examples.ts'
import { contractOperations, expectContract, expectWebhook } from '../../support/shop/contract-client.ts'
import { playExamples } from '../../support/shop/play-examples.ts'
import { startTestService } from '../../support/shop/service.ts'
import { quiet, type Row } from '../../support/shop/shop.ts'

const file = new URL('../../../src/http/examples.generated.json', import.meta.url)

/** What the description shows, and what the service answers today. `npm run examples` stores the latter. */
let shown: Examples
let played: Examples
let served: Row
beforeAll(async () => {
  const service = await startTestService(quiet)
  try {
    played = await playExamples(service)
    if (process.env.SLUICE_WRITE_EXAMPLES !== undefined)
      writeFileSync(file, `${JSON.stringify(played, null, 2)}\n`)
    served = await (await fetch(`${service.url}/api/openapi.json`)).json()
  } finally {
    await service.stop()
  }
  shown = JSON.parse(readFileSync(file, 'utf8'))
})

/** Where two bodies differ in more than values. What is null or empty in one of them may be anything in the other. */
function differences(a: Row, b: Row, path = ''): string[] {
  if (a === null || b === null) return []
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 ? [] : differences(a[0], b[0], `${path}/0`)
  if (typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) !== Array.isArray(b))
    return typeof a === typeof b && !Array.isArray(a) ? [] : [path]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    name in a && name in b ? differences(a[name], b[name], `${path}/${name}`) : [`${path}/${name}`],
  )
}

it('every operation but the stream has an example, and so has every event', () => {
  const ids = contractOperations.map(({ id }) => id).filter((id) => id !== 'streamEvents')
  expect(Object.keys(shown.operations)).toEqual(ids)
  expect(Object.keys(shown.webhooks).sort()).toEqual(Object.keys(served.webhooks).sort())
})

it('every example is as the contract says', () => {
  for (const operation of contractOperations) {
    const body = shown.operations[operation.id]
    if (body === undefined) continue
    const [status = ''] = Object.keys(served.paths[operation.path][operation.method.toLowerCase()].responses)
    expectContract(operation, answerWith(Number(status), body))
  }
  for (const event of Object.values(shown.webhooks)) expectWebhook(event)
})

it('the service answers today as the examples show', () => {
  for (const kind of ['operations', 'refusals', 'webhooks'] as const) {
    expect(Object.keys(played[kind]).sort(), kind).toEqual(Object.keys(shown[kind]).sort())
    for (const [name, body] of Object.entries(played[kind]))
      expect(differences(body, shown[kind][name]), `${name}: run npm run examples`).toEqual([])
  }
})

it('a field that is gone, new or of another type is noticed', () => {
  const one = { id: 'a', list: [{ n: '1' }], none: null }
  expect(differences(one, { id: 'b', list: [], none: { at: 'now' } })).toEqual([])
  expect(differences(one, { id: 1, list: [{ n: '1', m: 2 }], other: null })).toEqual([
    '/id',
    '/list/0/m',
    '/none',
    '/other',
  ])
})

it('examples show no address, secret or name of the machine that made them', () => {
  const text = JSON.stringify(shown)
  expect(text).not.toMatch(/127\.0\.0\.1|localhost|\/tmp\/|\/dev\/shm/)
  const [secret = '', ...others] = new Set(text.match(/whsec_[^"]+/g))
  expect(others).toEqual([])
  expect(Buffer.from(secret.slice(6), 'base64').toString()).toBe('an example secret, never use it!')
  expect(text).not.toMatch(/sk_(test|live)_(?!(0123456789abcdef){4}\b)/)
})

it('the description shows them beside answers, refusals and events', () => {
  const { paths, components, webhooks } = served
  const content = paths['/v1/invoices'].post.responses['201'].content['application/json']
  expect(content.example).toEqual(shown.operations.createInvoice)
  const refusal = components.responses.ValidationError.content['application/json'].example
  expect(refusal.error.details).toEqual([expect.stringMatching(/^\/amount: /)])
  const paid = webhooks['invoice.paid'].post.requestBody.content['application/json'].example
  expect(paid).toMatchObject({ event: 'invoice.paid', data: { status: 'paid', external_id: 'order-1001' } })
})

/** An answer with every header; only the body is looked at. */
function answerWith(status: number, body: Row) {
  const known: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': body.meta.request_id,
  }
  const headers = { has: () => true, get: (name: string) => known[name] ?? null } as unknown as Headers
  return { status, headers, text: JSON.stringify(body), body }
}
