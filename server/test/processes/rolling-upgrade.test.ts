import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { type Balancer, startBalancer } from '../support/cluster/balancer.ts'
import { type BusyMerchant, openBusyMerchant } from '../support/cluster/busy-merchant.ts'
import { query } from '../support/database/database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import {
  addMigrations,
  type Installation,
  installRef,
  installThis,
  newestRelease,
} from '../support/processes/installation.ts'
import { runSluice, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { freePort } from '../support/servers/free-port.ts'
import { type HookReceiver, startHookReceiver } from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'
import { makeTestKey } from '../support/shop/merchant.ts'
import { webhookEnv } from '../support/shop/webhook-shop.ts'

// The newest release, or any other version: a git ref. Before the first release, this version is its own predecessor.
const from = process.env.SLUICE_UPGRADE_FROM ?? newestRelease()
/** How often each process is replaced. With more rounds there is a second worker. */
const rounds = Number(process.env.SLUICE_UPGRADE_ROUNDS ?? 1)
// Longer than the balancer needs to notice.
const drainSeconds = '3'

/** What a next version might add, to tables that every request uses. */
const added = {
  next_column_of_invoices: 'alter table invoices add column next_note text;',
  next_column_of_payouts: `alter table payouts add column next_note text default '';`,
  next_column_of_events: 'alter table events add column next_note text;',
  next_column_of_deliveries:
    'alter table webhook_deliveries add column next_count integer not null default 0;',
  next_table: 'create table next_things (id uuid primary key, invoice_id uuid references invoices (id));',
  next_index: `drop index concurrently if exists invoices_next_note;
create index concurrently invoices_next_note on invoices (next_note);`,
}

let folder: TemporaryFolder
let old: Installation
let next: Installation
let postgres: EmbeddedPostgres
let balancer: Balancer
let hooks: HookReceiver
let merchant: BusyMerchant
const running = new Map<string, SluiceProcess>()
const ports = new Map<string, number>()

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  const place = (name: string) => join(folder.path, name)
  old = from === null ? await installThis(place('old')) : await installRef(from, place('old'))
  next = await installThis(place('next'))
  await addMigrations(next, added)
  const limits = { key_per_minute: 100_000, ip_per_minute: 100_000 }
  const config = { limits, rates: { sources: [] }, addresses: { ready: 100 } }
  await writeFile(place('config.json'), JSON.stringify(config))
  // A migrated database of this version is the predecessor's too, as long as there is none.
  if (from === null) postgres = await startOwnPostgres(place('database'))
  else {
    postgres = await startEmbeddedPostgres({ dataDir: place('database'), purpose: 'service', log: () => {} })
    await migrateWith(old)
  }
  hooks = await startHookReceiver()
  for (const name of ['api-1', 'api-2']) ports.set(name, await freePort())
  // The second API process starts later, over the migrated database.
  for (const name of ['signer', 'api-1', 'worker-1', ...(rounds > 1 ? ['worker-2'] : [])])
    await start(name, old)
  balancer = await startBalancer(folder.path, [...ports.values()])
  await balancer.with(1)
  const key = await makeTestKey(postgres.url)
  const body = JSON.stringify({ url: hooks.url })
  expect((await call(balancer.url, 'createWebhookEndpoint', { key, body })).status).toBe(201)
  merchant = await openBusyMerchant([balancer.url], key, rounds > 1 ? 'hurried' : 'steady')
})
afterAll(async () => {
  await Promise.all([...running.values()].map((each) => each.end('SIGKILL')))
  await balancer?.stop()
  await hooks?.close()
  await postgres?.stop()
  await folder?.remove()
})

/** As every process of the service gets it: none can change the schema. */
const serviceEnv = () => ({
  ...webhookEnv,
  DATABASE_URL: postgres.url,
  SLUICE_CONFIG: join(folder.path, 'config.json'),
})

/** Starts a process on its host: the data folder and the port stay the same from version to version. */
async function start(name: string, { command }: Installation): Promise<SluiceProcess> {
  const data = join(folder.path, name)
  await mkdir(data, { recursive: true })
  const env = {
    ...serviceEnv(),
    PORT: String(ports.get(name) ?? 0),
    SLUICE_DATA_DIR: data,
    SLUICE_DRAIN_SECONDS: drainSeconds,
    SLUICE_SANDBOX_BLOCK_SECONDS: '1',
  }
  const process = await startSluice(env, ['--role', name.replace(/-\d$/, '')], {}, undefined, command)
  running.set(name, process)
  return process
}

/** Ends a process as any service manager does, and starts it again from an installation. */
async function replace(name: string, installation: Installation): Promise<SluiceProcess> {
  expect(await running.get(name)?.end('SIGTERM')).toBe(0)
  const process = await start(name, installation)
  if (ports.has(name)) await balancer.whole()
  return process
}

async function migrateWith({ command }: Installation): Promise<void> {
  const env = { ...serviceEnv(), DATABASE_MIGRATION_URL: postgres.ownerUrl, SLUICE_DATA_DIR: folder.path }
  const { code, stderr } = await runSluice(['migrate'], env, undefined, command)
  expect([code, stderr]).toEqual([0, ''])
}

it('a new version replaces the old one, process by process and over a migration, and not one request fails', {
  timeout: 600_000 * rounds,
}, async () => {
  merchant.work()
  await migrateWith(next)
  const columns = `select from information_schema.columns where column_name = 'next_note'`
  expect(await query(postgres.ownerUrl, columns)).toHaveLength(3)
  expect(merchant.failures()).toEqual([])

  // An old process that has to start meanwhile.
  const late = await start('api-2', old)
  expect(late.stderr()).toContain('a newer version of Sluice has migrated this database')
  await balancer.whole()
  await merchant.nextPayout()
  for (let round = 0; round < rounds; round++)
    for (const name of running.keys()) {
      const { stderr } = await replace(name, next)
      expect(stderr()).not.toContain('a newer version')
    }
  await merchant.nextPayout()
  expect(merchant.failures()).toEqual([])
})

it('of all this nothing that was acknowledged is lost, and nothing was done twice', async () => {
  await merchant.audit(postgres.ownerUrl, hooks)
  expect(merchant.failures()).toEqual([])
})
