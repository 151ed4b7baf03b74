import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runSluice, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { freePort } from '../support/servers/free-port.ts'
import { call } from '../support/shop/contract-client.ts'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const dayMs = 24 * 60 * 60_000
const config = { addresses: { ready: 20 }, limits: { key_per_minute: 100_000 } }

let folder: TemporaryFolder
let env: Record<string, string>
let service: SluiceProcess
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data'), SLUICE_CONFIG: join(folder.path, 'config.json') }
  await writeFile(join(folder.path, 'config.json'), JSON.stringify(config))
  await makeDataFolder(join(folder.path, 'data'))
  service = await startSluice(env)
})
afterAll(async () => {
  await service.end('SIGTERM')
  await folder.remove()
})

/** Runs the script as npm does. */
function demoData(args: readonly string[]) {
  const { PATH, HOME, TMPDIR } = process.env
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['scripts/run.mjs', 'scripts/demo-data.ts', ...args],
      { cwd: checkout, env: { PATH, HOME, TMPDIR, SLUICE_METRICS_PORT: '0', ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract; the test reads what it needs
type Row = any
const all = async (operation: string): Promise<Row[]> => {
  const rows: Row[] = []
  for (;;) {
    const query = { limit: '100', offset: String(rows.length) }
    const { status, text, body } = await call(service.ready.url, operation, { key: key(), query })
    expect(status, text).toBe(200)
    rows.push(...body.data)
    if (body.meta.pagination === undefined || !body.meta.pagination.has_more) return rows
  }
}
const key = () => service.ready.test_key as string
const kinds = (rows: Row[], field = 'status') => new Set(rows.map((row) => row[field]))

it('fills a fresh sandbox with weeks of business in every state, and its books are right', async () => {
  const before = Date.now()
  const made = await demoData([
    '--invoices',
    '40',
    '--weeks',
    '2',
    '--url',
    service.ready.url,
    '--key',
    key(),
  ])
  expect(made, `${made.stdout}\n${service.stderr()}`).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain('Week 2 of 2: 40 invoices')

  const invoices = await all('listInvoices')
  expect(invoices.filter(({ external_id }) => external_id !== null).length).toBeGreaterThanOrEqual(40)
  expect(kinds(invoices)).toEqual(
    new Set(['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled']),
  )
  expect(kinds(invoices, 'source')).toEqual(new Set(['api', 'static_address']))
  expect(kinds(invoices, 'currency').size).toBeGreaterThanOrEqual(5)
  expect(kinds(invoices, 'fiat_currency')).toEqual(new Set(['EUR', 'USD', null]))
  expect(invoices.filter(({ deferred }) => deferred).length).toBeGreaterThan(0)
  const paid = invoices.find(({ status, source }) => status === 'paid' && source === 'api')
  expect(paid.metadata.customer).toMatch(/^C-\d{4}$/)
  expect(Date.parse(paid.paid_at) - Date.parse(paid.created_at)).toBeGreaterThan(60_000)
  const times = invoices.map(({ created_at }) => Date.parse(created_at))
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(12 * dayMs)
  expect(Math.min(...times)).toBeGreaterThan(before)

  const payouts = kinds(await all('listPayouts'))
  for (const status of ['completed', 'cancelled', 'pending_approval']) expect(payouts).toContain(status)
  expect((await all('listRefunds')).length).toBeGreaterThanOrEqual(2)
  expect((await all('listAddresses')).length).toBe(3)
  expect((await all('listSuspense')).length).toBe(1)
  const endpoints = await all('listWebhookEndpoints')
  expect(endpoints).toHaveLength(4)
  expect(kinds(endpoints)).toContain('disabled')

  const audit = await runSluice(['audit', '--json'], env)
  expect(JSON.parse(audit.stdout)).toMatchObject({ ok: true, differences: [] })
})

it('says what to do about a live key, a service that is not there and a number out of range', async () => {
  const live = await demoData(['--url', service.ready.url, '--key', `sk_live_${'0'.repeat(64)}`])
  expect(live).toMatchObject({ code: 1, stdout: '' })
  expect(live.stderr).toContain('use a test key')
  const nobody = `http://127.0.0.1:${await freePort()}`
  const away = await demoData(['--invoices', '1', '--weeks', '1', '--url', nobody, '--key', key()])
  expect(away.code).toBe(1)
  expect(away.stderr).toContain('Start Sluice there (npm start)')
  expect((await demoData(['--invoices', '5001'])).stderr).toBe(
    '--invoices must be a whole number from 1 to 5000.\n',
  )
  expect((await demoData(['--everything'])).stderr).toContain("Unknown option '--everything'")
})
