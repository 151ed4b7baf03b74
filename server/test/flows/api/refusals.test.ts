import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '../../../src/domain/permissions.ts'
import { bodies, codes, resources } from '../../support/processes/resources.ts'
import { readContract } from '../../support/shop/contract.ts'
import {
  type Answer,
  type CallOptions,
  call,
  contractOperations,
} from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

// Everything here is generated from the contract, so that new operations are covered automatically. Only a new kind of
// resource, and the body of an operation on one, need a line in resources.ts; the first tests fail until then.
let service: TestService
let merchantId: string
let key: string

beforeAll(async () => {
  // Limits are tested elsewhere.
  service = await startTestService({
    config: { limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } },
    env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1', SLUICE_WEBHOOK_ALLOW: '127.0.0.1' },
  })
  merchantId = await service.makeMerchant()
  key = (await service.makeKey(merchantId)).key
})
afterAll(() => service.stop())

const secured = contractOperations.filter(({ permission }) => permission !== null)
const withBody = contractOperations.flatMap((operation) =>
  operation.body === null ? [] : [{ ...operation, body: operation.body }],
)
const withPath = contractOperations.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({ ...operation, parameter: name })),
)
const withCode = withPath.filter(({ parameter }) => parameter in codes)
const withId = withPath.filter(({ parameter }) => !(parameter in codes))
const anyPath = Object.fromEntries([
  ...Object.entries(resources).map(([name, { unknown }]) => [name, unknown()]),
  ...Object.entries(codes).map(([name, { good }]) => [name, good[0]]),
])

/** Calls with any path, from an IP address of the operation's own: so many wrong keys from one address would be blocked. */
function ask(id: string, options: CallOptions = {}): Promise<Answer> {
  const number = contractOperations.findIndex((operation) => operation.id === id)
  return call(service.url, id, {
    path: anyPath,
    ...options,
    headers: { 'X-Forwarded-For': `10.0.0.${number}`, ...options.headers },
  })
}

it('resources.ts can make every resource that the contract addresses by id', () => {
  expect(
    [...new Set(withId.map(({ parameter }) => parameter))].filter((name) => !(name in resources)),
  ).toEqual([])
})

it('resources.ts has a body for every operation on a resource that takes one', () => {
  expect(withId.filter(({ id, body }) => body !== null && !(id in bodies)).map(({ id }) => id)).toEqual([])
})

describe.each(secured)('$id', (operation) => {
  const goodKey = `sk_test_${'0123456789abcdef'.repeat(4)}`
  // A caller who may not call is refused before anything of the request is read.
  const unreadable = operation.body === null ? {} : { body: '{' }

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a malformed key', 'sk_test_123'],
    ['a key in capitals', goodKey.toUpperCase()],
    ['a key with a longer tail', `${goodKey}0`],
    ['an unknown key', goodKey],
  ])('answers 401 to %s', async (_, wrong) => {
    const answer = await ask(operation.id, { ...unreadable, ...(wrong !== undefined && { key: wrong }) })
    expectError(answer, 401, 'unauthorized')
  })

  it('answers 401 to the same secret under the other environment’s prefix', async () => {
    const answer = await ask(operation.id, { ...unreadable, key: key.replace('sk_test_', 'sk_live_') })
    expectError(answer, 401, 'unauthorized')
  })

  it('answers 401 to a revoked key once the process is notified', async () => {
    const made = await service.makeKey(merchantId)
    expect((await ask(operation.id, { key: made.key })).status).not.toBe(401)
    await service.app.store.apiKeys.revoke(made.keyId)
    await expect.poll(async () => (await ask(operation.id, { key: made.key })).status).toBe(401)
  })

  it('gives the same 401 for every fault', async () => {
    const revoked = await service.makeKey(merchantId)
    await service.app.store.apiKeys.revoke(revoked.keyId)
    const answers = await Promise.all(
      [undefined, 'sk_test_123', goodKey, revoked.key].map((wrong) =>
        ask(operation.id, wrong === undefined ? {} : { key: wrong }),
      ),
    )
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1)
  })

  it('answers 403 to a key that has every permission but the required one', async () => {
    const others = permissions.filter((permission) => permission !== operation.permission)
    const { key: lacking } = await service.makeKey(merchantId, { permissions: others })
    const answer = await ask(operation.id, { ...unreadable, key: lacking, query: 'limit=bad' })
    expectError(answer, 403, 'forbidden')
    expect(answer.body.error.message).toContain(operation.permission)
  })

  it('accepts a key that has only the required permission', async () => {
    const { key: exact } = await service.makeKey(merchantId, {
      permissions: permissions.filter((permission) => permission === operation.permission),
    })
    expect([401, 403]).not.toContain((await ask(operation.id, { key: exact })).status)
  })
})

const ofOneEnvironment = secured.flatMap((operation) =>
  operation.environment === null ? [] : [{ ...operation, environment: operation.environment }],
)
it.each(ofOneEnvironment)(
  '$id treats a valid key of another environment than $environment like an unknown one',
  async (operation) => {
    const environment = operation.environment === 'test' ? 'live' : 'test'
    const { key: other } = await service.makeKey(merchantId, { environment })
    const [wrong, unknown] = [await ask(operation.id, { key: other }), await ask(operation.id, { key: 'x' })]
    expectError(wrong, 401, 'unauthorized')
    expect(withoutRequestId(wrong)).toBe(withoutRequestId(unknown))
  },
)

describe.each(withId)('$id by $parameter', (operation) => {
  const resource = () => {
    const found = resources[operation.parameter]
    if (found === undefined) throw new Error(`no resource for ${operation.parameter}`)
    return found
  }
  const body = operation.body === null ? {} : { body: JSON.stringify(bodies[operation.id]) }
  const get = (id: string) =>
    ask(operation.id, { path: { ...anyPath, [operation.parameter]: id }, key, ...body })

  it('answers 400 to a malformed id', async () => {
    for (const id of resource().malformed) {
      const answer = await get(id)
      expectError(answer, 400, 'validation_error')
      expect(answer.body.error.details.length).toBeGreaterThan(0)
    }
  })

  it('answers the same 404, byte for byte, to ids of another merchant, the other environment and unknown ones', async () => {
    const stranger = await service.makeMerchant()
    const answers = await Promise.all([
      get(await resource().make(service, stranger, 'test')),
      get(await resource().make(service, merchantId, 'live')),
      get(resource().unknown()),
    ])
    for (const answer of answers) expectError(answer, 404, 'not_found')
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1)
  })

  it('finds the merchant’s own resource', async () => {
    const answer = await get(await resource().make(service, merchantId, 'test'))
    // An operation that changes a resource may be refused because of its state, but not as missing.
    if (operation.method === 'GET') expect(answer.status).toBe(200)
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(answer.status, answer.text).not.toBe(404)
  })
})

describe.each(withCode)('$id by $parameter', (operation) => {
  const get = (code: string) => ask(operation.id, { path: { ...anyPath, [operation.parameter]: code }, key })
  const { good, wrong } = codes[operation.parameter] ?? { good: [], wrong: [] }

  it.each(wrong)('answers 400 to %j and names the parameter', async (code) => {
    const answer = await get(code)
    expectError(answer, 400, 'validation_error')
    expect(answer.body.error.details[0]).toMatch(new RegExp(`^/${operation.parameter}: `))
  })

  it.each(good)('accepts %j', async (code) => {
    expect((await get(code)).status).toBe(200)
  })
})

describe('any text in place of an identifier in a path is refused and causes no server error', () => {
  const strange = [
    'x'.repeat(511),
    'x'.repeat(600),
    '0'.repeat(12_000),
    '%00',
    '%F0%9F%92%A7'.repeat(60),
    '%2e%2e%2f'.repeat(40),
    '%',
    '%zz',
    '%ed%a0%80',
    '-1',
    'null',
    '__proto__',
    `${'1'.repeat(400)}e5`,
    '%27%20or%201=1--',
    '*',
  ]
  const internal = readContract('internal-contract.generated.json').operations
  // Every placeholder in every path of ours, with good values in the other placeholders.
  const places = [
    ...contractOperations.map(({ method, path }) => ({ method, path: `/api${path}` })),
    ...internal.map(({ method, path }) => ({ method, path })),
    ...['/pay/{link}', '/pay/{link}/more', '/dashboard/{page}'].map((path) => ({ method: 'GET', path })),
  ].flatMap(({ method, path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([place, name = '']) => ({ method, path, place, name })),
  )

  it.each(places)('$method $path by $name', async ({ method, path, place }) => {
    for (const id of strange) {
      const target = path
        .replace(place, () => id)
        .replace('{environment}', 'test')
        .replaceAll(/\{(\w+)\}/g, (_, name) => anyPath[name] ?? randomUUID())
      const answer = await fetch(`${service.url}${target}`, {
        method,
        headers: { 'X-API-Key': key, ...(method !== 'GET' && { 'Content-Type': 'application/json' }) },
        ...(method !== 'GET' && { body: '{}' }),
      })
      const text = await answer.text()
      expect(answer.status, `${target.slice(0, 200)}: ${text}`).toBeLessThan(500)
      if (/^\/(pay|dashboard)\//.test(path)) continue
      expect(answer.status, target.slice(0, 200)).toBeGreaterThanOrEqual(400)
      if (path.startsWith('/api/')) expect([400, 404], text).toContain(answer.status)
      expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) }, meta: {} })
    }
  })
})

describe('every parameter', () => {
  const wrongValues: Record<string, (schema: Record<string, unknown>) => string[]> = {
    integer: (schema) => [
      '',
      'abc',
      '1.5',
      '1e1',
      '+1',
      '01',
      ' 1',
      '0x1',
      '99999999999999999999',
      ...(schema.minimum === undefined ? [] : [String(Number(schema.minimum) - 1)]),
      ...(schema.maximum === undefined ? [] : [`${schema.maximum}0`]),
    ],
    string: (schema) => [
      '\0',
      ...(schema.maxLength === undefined ? [] : ['x'.repeat(Number(schema.maxLength) + 1)]),
      ...(schema.enum === undefined ? [] : ['', 'nonsense', 'LIVE']),
    ],
  }
  const cases = contractOperations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query' && !parameter['x-ignored'])
      .flatMap((parameter) =>
        (wrongValues[String(parameter.schema.type)]?.(parameter.schema) ?? []).map((value) => ({
          id: operation.id,
          name: parameter.name,
          value,
        })),
      ),
  )
  it.each(cases)('$id refuses $name=$value with 400 and names the parameter', async ({ id, name, value }) => {
    const answer = await ask(id, { key, query: { [name]: value } })
    expectError(answer, 400, 'validation_error')
    expect(answer.body.error.details[0]).toMatch(new RegExp(`^/${name}: `))
  })

  const ignored = contractOperations.flatMap(({ id, parameters }) =>
    parameters.filter((parameter) => parameter['x-ignored']).map(({ name }) => ({ id, name })),
  )
  it.each(ignored)('$id ignores $name, whatever its value', async ({ id, name }) => {
    const usual = await ask(id, { key })
    for (const query of [`${name}=`, `${name}=%00`, `${name}=live`, `${name}=-1`, `${name}=1&${name}=2`]) {
      const answer = await ask(id, { key, query })
      expect(answer.status).toBe(200)
      expect(withoutRequestId(answer)).toBe(withoutRequestId(usual))
    }
  })

  it('is refused when it is given twice', async () => {
    const answer = await call(service.url, 'listEvents', { key, query: 'limit=1&limit=2' })
    expectError(answer, 400, 'validation_error')
  })

  it('may be an unknown filter value, which matches nothing', async () => {
    const answer = await call(service.url, 'listEvents', { key, query: { event: 'no.such.event' } })
    expect(answer.body.data).toEqual([])
    expect(answer.body.meta.pagination).toMatchObject({ total: 0, limit: 20, offset: 0, has_more: false })
  })
})

describe('every body', () => {
  it.each(withBody)(
    '$id refuses anything but one JSON object before it looks for a resource',
    async ({ id, bodyOptional, maxBodyBytes }) => {
      for (const body of [
        ...(bodyOptional ? [] : ['']),
        '{',
        '[]',
        'null',
        '"x"',
        '{"x":1,"x":2}',
        '{"no_such_field":1}',
        '{"__proto__":1}',
      ]) {
        const answer = await ask(id, { key, body })
        expectError(answer, 400, 'validation_error')
        expect(answer.body.error.details.length).toBeGreaterThan(0)
      }
      const text = await ask(id, { key, body: '{}', headers: { 'Content-Type': 'text/plain' } })
      expectError(text, 415, 'validation_error')
      const large = await ask(id, { key, body: JSON.stringify({ description: 'x'.repeat(maxBodyBytes) }) })
      expectError(large, 413, 'validation_error')
    },
  )

  const cases = withBody.flatMap(({ id, body }) =>
    Object.entries(body).map(([name, schema]) => ({ id, name, values: wrongFor(schema) })),
  )
  it.each(cases)('$id refuses a wrong $name with 400 and names the field', async ({ id, name, values }) => {
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) {
      const answer = await ask(id, { key, body: JSON.stringify({ [name]: value }) })
      expectError(answer, 400, 'validation_error')
      expect(answer.body.error.details.join('\n'), JSON.stringify(value)).toMatch(
        new RegExp(`^/${name}[:/]`, 'm'),
      )
    }
  })

  it.each(contractOperations.filter(({ method, body }) => method !== 'GET' && body === null))(
    '$id accepts none',
    async ({ id }) => {
      expectError(await ask(id, { key, body: '{"x":1}' }), 400, 'validation_error')
    },
  )
})

/** Values that the schema of a body field refuses. */
function wrongFor(schema: Record<string, unknown>): unknown[] {
  const has = (keyword: string) => schema[keyword] !== undefined
  switch (schema.type) {
    case 'string':
      return [
        1,
        1.5,
        true,
        [],
        {},
        'a\0b',
        '\ud800',
        ...(has('maxLength') ? ['1'.repeat(Number(schema.maxLength) + 1)] : []),
        ...(has('minLength') ? [''] : []),
        ...(has('enum') ? ['', 'nonsense'] : []),
        ...(has('pattern') ? ['', ' ', '-1', '1e3'] : []),
      ]
    case 'integer':
      return ['1', '', 1.5, true, [], {}, Number(schema.minimum) - 1, Number(schema.maximum) + 1]
    case 'boolean':
      return ['true', '', 0, 1, [], {}]
    case 'array':
      return [
        '',
        {},
        1,
        [1],
        [null],
        [[]],
        Array.from({ length: Number(schema.maxItems) + 1 }, String),
        ...(has('minItems') ? [[]] : []),
      ]
    case 'object':
      return ['', [], 1, { a: {} }, { a: [] }, { '': 1 }, { ['k'.repeat(65)]: 1 }, { a: 'x'.repeat(1001) }]
    default:
      return []
  }
}

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code])
}

function withoutRequestId(answer: Answer): string {
  return answer.text.replace(answer.body.meta.request_id, '')
}
