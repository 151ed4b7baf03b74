import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { resources } from '../../support/processes/resources.ts'
import { call, contractOperations } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

const runs = Number(process.env.SLUICE_FUZZ_RUNS ?? 20)

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService({
    config: { limits: { key_per_minute: 1_000_000, ip_per_minute: 1_000_000 } },
    env: { SLUICE_WEBHOOK_ALLOW: '127.0.0.1' },
  })
  key = (await service.makeKey(await service.makeMerchant())).key
})
afterAll(() => service.stop())

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 3000 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.constantFrom(
    '',
    'null',
    'true',
    '[]',
    '{}',
    '%00',
    '\0',
    '\ud800',
    '../../',
    "';--",
    '__proto__',
    '1e3',
    '-0',
    '0x1',
  ),
)

/** Every row of every table that only requests change, as one text. */
async function everything(): Promise<string> {
  const tables = await query<{ name: string }>(
    service.database.url,
    // Deposit addresses are derived ahead in the background, independently of requests.
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename not like 'deposit\\_address%' order by 1`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) =>
      // Every request updates the key's last use.
      query(
        service.database.url,
        `select to_jsonb(t) - 'last_used_at' as row from ${name} t order by t::text`,
      ),
    ),
  )
  return JSON.stringify(rows)
}

it.each(contractOperations)(
  '$id never answers a parameter with 5xx, and as a GET writes no row',
  async (operation) => {
    const before = await everything()
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const pathNames = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.oneof(fc.constantFrom('x', ...names), fc.string()), text),
        fc.record(
          Object.fromEntries(
            pathNames.map((name) => [
              name,
              text.filter((value) => value.isWellFormed() && !/^\.*$/.test(value)),
            ]),
          ),
        ),
        async (parameters, path) => {
          const answer = await call(service.url, operation.id, { key, path, query: parameters }).catch(
            (error: unknown) => {
              // An over-long or empty path is another URL, which the contract does not know.
              if (pathNames.length > 0 && /404 is not in the contract|→ 404/.test(String(error)))
                return { status: 404 }
              throw error
            },
          )
          expect(answer.status).toBeLessThan(500)
        },
      ),
      { numRuns: runs },
    )
    if (operation.method === 'GET') expect(await everything()).toBe(before)
  },
)

/** Plausible values by field name; numbers are small, so that a run stays short. */
const plausible: Record<string, fc.Arbitrary<unknown>> = {
  currency: fc.constantFrom('BTC', 'btc', 'LTC', 'ETH', 'USDT', 'SOL', 'XRP', 'USD', 'NOPE'),
  network: fc.constantFrom('bitcoin', 'Bitcoin', 'litecoin', 'ethereum', 'solana', 'xrp', 'nowhere'),
  amount: fc.constantFrom('0.01', '1', '0', '0.0', '0.00000001', '0.000000000000000001', '9'.repeat(50)),
  amount_fiat: fc.constantFrom('49.90', '1', '0', '0.001', '9'.repeat(50)),
  fiat_currency: fc.constantFrom('USD', 'eur', 'JPY', 'BTC', 'XXX'),
  deferred: fc.boolean(),
  metadata: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null))),
  redirect_url: fc.constantFrom('https://shop.example.com/', 'http://[', 'https://', 'javascript:alert(1)'),
  expires_in: fc.integer({ min: 299, max: 172_801 }),
  // So few that many requests are replays or mismatches.
  idempotency_key: fc.constantFrom('a', 'b', ' '),
  address: fc.constantFrom(
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    '0x0',
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  ),
  destination: fc.constantFrom(
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    '0x0',
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  ),
  destination_tag: fc.constantFrom('0', '4294967295', '4294967296', '-1'),
  invoice_id: fc.uuid(),
  address_tag: fc.constantFrom('0', '1', '4294967295', '4294967296', '-1'),
  count: fc.integer({ min: 0, max: 3 }),
  depth: fc.integer({ min: 0, max: 3 }),
  drop: fc.array(fc.string({ minLength: 1, maxLength: 64 }), { maxLength: 3 }),
  status: fc.constantFrom('online', 'offline'),
  // No URL that needs a lookup or leads outside this machine.
  url: fc.constantFrom(
    'https://127.0.0.1:9/',
    'http://127.0.0.1:9/',
    'https://10.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f.1/',
    'https://[',
    'https://user:password@127.0.0.1/',
  ),
  events: fc.array(fc.constantFrom('invoice.paid', 'webhook.test', 'no.such'), { maxLength: 3 }),
  endpoint_id: fc.uuid(),
  created_after: fc.constantFrom('2026-02-31T00:00:00Z', '1000-01-01T00:00:00Z', '2999-12-31T23:59:59.9Z'),
  created_before: fc.constantFrom('2026-02-30T00:00:00Z', '1000-01-01T00:00:00Z', '2999-12-31T23:59:59.999Z'),
  only_failed: fc.boolean(),
}

// 503 is correct for an offline network and for a missing rate; anything else would be an outage.
const passing = ['gate_offline', 'rate_unavailable']

it.each(contractOperations.flatMap(({ id, body }) => (body === null ? [] : [{ id, body }])))(
  '$id never answers a body with 5xx',
  async ({ id, body }) => {
    const anything = fc.oneof(text, fc.jsonValue())
    const fields = Object.fromEntries(
      Object.keys(body).map((name) => {
        const good = plausible[name] ?? fc.string({ maxLength: 50 })
        return [name, fc.oneof({ arbitrary: good, weight: 4 }, { arbitrary: anything, weight: 1 })]
      }),
    )
    const shapes = fc.oneof(
      // A well-formed body passes the schema and reaches the rules behind it.
      {
        arbitrary: fc.record(
          Object.fromEntries(Object.keys(body).map((name) => [name, plausible[name] ?? fc.string()])),
          { requiredKeys: [] },
        ),
        weight: 3,
      },
      { arbitrary: fc.record(fields, { requiredKeys: [] }), weight: 3 },
      { arbitrary: fc.dictionary(fc.string(), fc.jsonValue()), weight: 1 },
      { arbitrary: fc.jsonValue(), weight: 1 },
    )
    await fc.assert(
      fc.asyncProperty(shapes, async (value) => {
        const answer = await call(service.url, id, {
          key,
          path: Object.fromEntries(Object.entries(resources).map(([name, { unknown }]) => [name, unknown()])),
          body: JSON.stringify(value),
        })
        if (answer.status === 503) expect(passing).toContain(answer.body.error.code)
        else expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: runs },
    )
  },
)
