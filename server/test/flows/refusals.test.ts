import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../src/domain/environment.ts'
import { uuidv7 } from '../../src/domain/ids.ts'
import { permissions } from '../../src/domain/permissions.ts'
import { type Answer, call, contractOperations } from '../support/contract-client.ts'
import { startTestService, type TestService } from '../support/service.ts'

// Everything here is generated from the contract: a new operation is covered without anyone remembering. Only a new
// kind of resource needs a line below, and the first test fails until it is there.
type Maker = (service: TestService, merchantId: string, environment: Environment) => Promise<string>
const resources: Record<string, { make: Maker; unknown: () => string; malformed: readonly string[] }> = {
  eventID: {
    make: async ({ app }, merchantId, environment) => {
      const id = uuidv7(app.now())
      await app.store.events.append({ id, merchantId, environment, event: 'invoice.paid', data: {} })
      return `evt_${id}`
    },
    unknown: () => `evt_${randomUUID()}`,
    malformed: [
      'x',
      'evt_',
      `evt_${randomUUID()}0`,
      randomUUID(),
      `evt_${randomUUID()}\0`,
      '%',
      '../events',
      'é'.repeat(300),
    ],
  },
}

let service: TestService
let merchantId: string
let key: string

beforeAll(async () => {
  // Limits are another test's matter.
  service = await startTestService({
    config: { limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } },
  })
  merchantId = await service.makeMerchant()
  key = (await service.makeKey(merchantId)).key
})
afterAll(() => service.stop())

const secured = contractOperations.filter(({ permission }) => permission !== null)
const withId = contractOperations.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => ({ ...operation, parameter: name })),
)
const anyPath = Object.fromEntries(Object.entries(resources).map(([name, { unknown }]) => [name, unknown()]))

it('knows how to make every resource that the contract addresses by id', () => {
  expect(
    [...new Set(withId.map(({ parameter }) => parameter))].filter((name) => !(name in resources)),
  ).toEqual([])
})

describe.each(secured)('$id', (operation) => {
  const goodKey = `sk_test_${'0123456789abcdef'.repeat(4)}`
  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a malformed key', 'sk_test_123'],
    ['a key in capitals', goodKey.toUpperCase()],
    ['a key with a longer tail', `${goodKey}0`],
    ['an unknown key', goodKey],
  ])('answers 401 to %s', async (_, wrong) => {
    const answer = await call(service.url, operation.id, {
      path: anyPath,
      ...(wrong !== undefined && { key: wrong }),
    })
    expectError(answer, 401, 'unauthorized')
  })

  it('answers 401 to the same secret under the other environment’s prefix', async () => {
    const answer = await call(service.url, operation.id, {
      path: anyPath,
      key: key.replace('sk_test_', 'sk_live_'),
    })
    expectError(answer, 401, 'unauthorized')
  })

  it('answers 401 to a revoked key, at once on the process that was told', async () => {
    const made = await service.makeKey(merchantId)
    expect((await call(service.url, operation.id, { path: anyPath, key: made.key })).status).not.toBe(401)
    await service.app.store.apiKeys.revoke(made.keyId)
    await expect
      .poll(async () => (await call(service.url, operation.id, { path: anyPath, key: made.key })).status, {
        timeout: 5_000,
      })
      .toBe(401)
  })

  it('says the same 401 whatever was wrong', async () => {
    const revoked = await service.makeKey(merchantId)
    await service.app.store.apiKeys.revoke(revoked.keyId)
    const answers = await Promise.all(
      [undefined, 'sk_test_123', goodKey, revoked.key].map((wrong) =>
        call(service.url, operation.id, { path: anyPath, ...(wrong !== undefined && { key: wrong }) }),
      ),
    )
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1)
  })

  it('answers 403 to a key that has every permission but the one it needs', async () => {
    const others = permissions.filter((permission) => permission !== operation.permission)
    const { key: lacking } = await service.makeKey(merchantId, { permissions: others })
    const answer = await call(service.url, operation.id, { path: anyPath, key: lacking, query: 'limit=bad' })
    expectError(answer, 403, 'forbidden')
    expect(answer.body.error.message).toContain(operation.permission)
  })

  it('lets in a key that has only the permission it needs', async () => {
    const { key: exact } = await service.makeKey(merchantId, {
      permissions: permissions.filter((permission) => permission === operation.permission),
    })
    expect([401, 403]).not.toContain(
      (await call(service.url, operation.id, { path: anyPath, key: exact })).status,
    )
  })
})

describe.each(withId)('$id by $parameter', (operation) => {
  const resource = () => {
    const found = resources[operation.parameter]
    if (found === undefined) throw new Error(`no resource for ${operation.parameter}`)
    return found
  }
  const get = (id: string, as = key) =>
    call(service.url, operation.id, { path: { ...anyPath, [operation.parameter]: id }, key: as })

  it('answers 400 to a malformed id', async () => {
    for (const id of resource().malformed) {
      const answer = await get(id)
      expectError(answer, 400, 'validation_error')
      expect(answer.body.error.details.length).toBeGreaterThan(0)
    }
  })

  it('answers the same 404, byte for byte, to another merchant’s, the other environment’s and an unknown id', async () => {
    const stranger = await service.makeMerchant()
    const answers = await Promise.all([
      get(await resource().make(service, stranger, 'test')),
      get(await resource().make(service, merchantId, 'live')),
      get(resource().unknown()),
    ])
    for (const answer of answers) expectError(answer, 404, 'not_found')
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1)
  })

  it('finds its own', async () => {
    const answer = await get(await resource().make(service, merchantId, 'test'))
    expect(answer.status).toBeLessThan(300)
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
      .filter((parameter) => parameter.in === 'query')
      .flatMap((parameter) =>
        (wrongValues[String(parameter.schema.type)]?.(parameter.schema) ?? []).map((value) => ({
          id: operation.id,
          name: parameter.name,
          value,
        })),
      ),
  )
  it.each(cases)('$id refuses $name=$value with 400 and names it', async ({ id, name, value }) => {
    const answer = await call(service.url, id, { key, path: anyPath, query: { [name]: value } })
    expectError(answer, 400, 'validation_error')
    expect(answer.body.error.details[0]).toMatch(new RegExp(`^/${name}: `))
  })

  it('is refused when it is given twice', async () => {
    const answer = await call(service.url, 'listEvents', { key, query: 'limit=1&limit=2' })
    expectError(answer, 400, 'validation_error')
  })

  it('may be an unknown filter value: nothing matches', async () => {
    const answer = await call(service.url, 'listEvents', { key, query: { event: 'no.such.event' } })
    expect(answer.body.data).toEqual([])
    expect(answer.body.meta.pagination).toEqual({ total: 0, limit: 20, offset: 0, has_more: false })
  })
})

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code])
}

function withoutRequestId(answer: Answer): string {
  return answer.text.replace(answer.body.meta.request_id, '')
}
