import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'

let database: TestDatabase
let env: Record<string, string>
beforeAll(async () => {
  database = await createTestDatabase()
  env = {
    DATABASE_URL: database.serviceUrl,
    SLUICE_SECRET_KEY: 'ab'.repeat(32),
    SLUICE_WEBHOOK_ALLOW: '127.0.0.1',
  }
})
afterAll(() => database.drop())

it('a merchant’s terms are set at creation, changed later, and listed', async () => {
  const created = await runCommand(
    ['merchant', 'create', '--name', 'Shop', '--fee-bps', '50', '--base-currency', 'eur', '--json'],
    env,
  )
  const { merchant_id: id } = JSON.parse(created.stdout)
  const updated = await runCommand(['merchant', 'update', id, '--tolerance-bps', '100', '--json'], env)
  const agreed = { merchant_id: id, base_currency: 'EUR', fee_bps: 50, tolerance_bps: 100 }
  expect(JSON.parse(updated.stdout)).toMatchObject(agreed)
  const listed = await runCommand(['merchant', 'list', '--json'], env)
  expect(JSON.parse(listed.stdout).merchants).toMatchObject([agreed])
})

const unknown = '01890000-0000-7000-8000-000000000000'

it.each([
  [['merchant', 'update', 'nobody', '--fee-bps', '1'], 'There is no merchant nobody'],
  [['merchant', 'create', '--name', 'x', '--fee-bps', '10001'], 'from 0 to 10000'],
  [['merchant', 'create', '--name', 'x', '--base-currency', 'BTC'], 'a fiat code'],
  [['gate', 'resume', 'no-such-gate', '--from-height', '1'], 'There is no gate no-such-gate'],
  [['gate', 'resume', 'bitcoin-test', '--from-height', '-1'], 'a whole number'],
  [
    [
      'webhook',
      'create',
      '--merchant',
      unknown,
      '--environment',
      'test',
      '--url',
      'x',
      '--events',
      'no.such',
    ],
    'no.such',
  ],
])('sluice %j is refused with the reason', async (args, words) => {
  const { code, stderr } = await runCommand(args, env)
  expect(code).toBe(1)
  expect(stderr).toContain(words)
})

it('gate list shows no gates before the first start, and says what to do', async () => {
  expect((await runCommand(['gate', 'list', '--json'], env)).stdout).toBe('{"gates":[]}\n')
  expect((await runCommand(['gate', 'list'], env)).stdout).toContain('npx sluice start')
})

it('webhook endpoints are created with a secret shown once, and listed without it', async () => {
  const { merchant_id: id } = JSON.parse(
    (await runCommand(['merchant', 'create', '--name', 'Hooked', '--json'], env)).stdout,
  )
  const whose = ['--merchant', id, '--environment', 'test', '--json']
  const target = ['--url', 'http://127.0.0.1:9/hook', '--events', 'invoice.paid']
  const made = JSON.parse((await runCommand(['webhook', 'create', ...whose, ...target], env)).stdout)
  expect(made.secret).toMatch(/^whsec_/)
  const listed = (await runCommand(['webhook', 'list', ...whose], env)).stdout
  expect(listed).not.toContain('whsec_')
  expect(JSON.parse(listed).endpoints).toMatchObject([
    { endpoint_id: made.endpoint_id, events: ['invoice.paid'], status: 'enabled' },
  ])
  const refused = await runCommand(['webhook', 'create', ...whose, '--url', 'http://10.0.0.1/'], env)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
})
