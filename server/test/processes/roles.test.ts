import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { type SimulatedChains, simulatedChainsOn } from '../../src/simulator/chain/chains.ts'
import type { Database } from '../../src/store/database.ts'
import { expectSoundBooks } from '../support/database/books.ts'
import { query } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'
import { makeTestKey } from '../support/shop/merchant.ts'

const bitcoin = 'bitcoin-test'
// Holds and claims of a stopped process expire within seconds; how many does not matter here.
const patient = { interval: 100 }

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let database: Database
/** The chain itself, changed without notifying any process: only a worker can find out. */
let chain: SimulatedChains
let key: string
let api: SluiceProcess
let otherApi: SluiceProcess
let worker: SluiceProcess
let otherWorker: SluiceProcess
const running: SluiceProcess[] = []
let started = 0

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  postgres = await startOwnPostgres(join(folder.path, 'postgres'))
  database = openTestDatabase(postgres.url, 2)
  chain = simulatedChainsOn(database.db)
  await writeFile(
    join(folder.path, 'config.json'),
    JSON.stringify({
      limits: { key_per_minute: 100_000, ip_per_minute: 100_000 },
      rates: { sources: [] },
      addresses: { ready: 20 },
    }),
  )
})
afterAll(async () => {
  for (const each of running)
    if (each.child.exitCode === null && each.child.signalCode === null) each.signalAll('SIGCONT')
  await Promise.all(running.map((each) => each.end('SIGTERM')))
  await database?.close()
  await postgres?.stop()
  await folder?.remove()
})

const env = (name: string) => ({
  DATABASE_URL: postgres.url,
  SLUICE_DATA_DIR: join(folder.path, name),
  SLUICE_CONFIG: join(folder.path, 'config.json'),
  SLUICE_SANDBOX_BLOCK_SECONDS: '0',
})

/** A process with one role and a data folder of its own, as on a host of its own. */
async function start(role: string): Promise<SluiceProcess> {
  const name = `${role}-${started++}`
  await mkdir(join(folder.path, name))
  const service = await startSluice(env(name), ['--role', role])
  running.push(service)
  return service
}

const create = (at: SluiceProcess) =>
  call(at.ready.url, 'createInvoice', { key, body: JSON.stringify({ currency: 'BTC', amount: '0.001' }) })

const invoice = async (at: SluiceProcess, id: string) =>
  (await call(at.ready.url, 'getInvoice', { key, path: { invoiceID: id } })).body.data

async function newInvoice(): Promise<{ id: string; address: string }> {
  const { status, body } = await create(api)
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.data.id, address: body.data.deposit_address }
}

const pay = (address: string) =>
  chain.submit(bitcoin, {
    feeUnits: 1n,
    outputs: [{ address, tag: null, currency: 'BTC', units: 100_000n }],
    makeTransaction: () => ({
      hash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'),
      bytes: null,
    }),
  })

it('without a signer the API says so, and recovers by itself when one starts', async () => {
  api = await start('api')
  key = await makeTestKey(postgres.url)
  const refused = await create(api)
  expect([refused.status, refused.body.error.code]).toEqual([503, 'gate_offline'])
  expect(refused.body.error.message).toContain('signer')
  await start('signer')
  await expect.poll(async () => (await create(api)).status, patient).toBe(201)
}, 120_000)

/** A paid invoice may be assessed once more, by a look that came meanwhile. */
async function expectSettledBooks(): Promise<void> {
  await expect.poll(() => query(postgres.url, 'select from jobs'), patient).toEqual([])
  await expectSoundBooks(postgres.url, { settled: true })
}

it('an invoice created at one API is settled by the workers and visible at the other', async () => {
  const roles = ['api', 'worker', 'worker'] as const
  ;[otherApi, worker, otherWorker] = (await Promise.all(roles.map(start))) as [
    SluiceProcess,
    SluiceProcess,
    SluiceProcess,
  ]
  const made = await Promise.all(Array.from({ length: 30 }, newInvoice))
  for (const { address } of made) await pay(address)
  await chain.mine(bitcoin, 2)
  for (const { id } of made)
    await expect.poll(async () => (await invoice(otherApi, id)).status, patient).toBe('paid')
  const total = async (at: SluiceProcess) =>
    (await call(at.ready.url, 'listInvoices', { key, query: { status: 'paid' } })).body.meta.pagination.total
  expect([await total(api), await total(otherApi)]).toEqual([30, 30])
  await expectSettledBooks()
}, 120_000)

it('a worker stopped within its transaction is replaced by the other, and writes nothing wrong when it continues', async () => {
  // Alone, so that the waiting transaction is its own.
  otherWorker.signalAll('SIGSTOP')
  await query(postgres.url, `update followed_chains set held_until = null`)
  const { id, address } = await newInvoice()
  const blocker = new pg.Client({ connectionString: postgres.url })
  await blocker.connect()
  await blocker.query('begin; lock table payments in share mode')
  await pay(address)
  // It has advanced the chain, and cannot insert the payment.
  await expect
    .poll(
      () =>
        query(
          postgres.url,
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into payments%'`,
        ),
      patient,
    )
    .not.toEqual([])
  worker.signalAll('SIGSTOP')
  await blocker.query('rollback')
  await blocker.end()
  otherWorker.signalAll('SIGCONT')
  await chain.mine(bitcoin, 2)
  await expect.poll(async () => (await invoice(api, id)).status, patient).toBe('paid')
  await chain.reorganise(bitcoin, 1, [])
  await chain.mine(bitcoin, 1)
  worker.signalAll('SIGCONT')
  const next = await newInvoice()
  await pay(next.address)
  await chain.mine(bitcoin, 2)
  await expect.poll(async () => (await invoice(api, next.id)).status, patient).toBe('paid')
  await expectSettledBooks()
}, 180_000)

it('if a worker is killed with -9, the other continues', async () => {
  // Alone for a moment, so that it holds the chain.
  otherWorker.signalAll('SIGSTOP')
  const first = await newInvoice()
  await pay(first.address)
  await expect.poll(async () => (await invoice(api, first.id)).amount_pending, patient).toBe('0.001')
  await worker.end('SIGKILL')
  otherWorker.signalAll('SIGCONT')
  await chain.mine(bitcoin, 2)
  await expect.poll(async () => (await invoice(otherApi, first.id)).status, patient).toBe('paid')
  await expectSettledBooks()
}, 180_000)

it('nothing expires while no worker follows the chain; afterwards a payment mined in time counts, and the rest expires', async () => {
  await otherWorker.end('SIGTERM')
  const inTime = await newInvoice()
  const unpaid = await newInvoice()
  await pay(inTime.address)
  await chain.mine(bitcoin, 1)
  await query(
    postgres.url,
    `update invoices set expires_at = clock_timestamp(), due_at = clock_timestamp() where id = any($1)`,
    [[inTime.id, unpaid.id]],
  )
  const isOver = () =>
    query(postgres.url, 'select from invoices where id = $1 and expires_at < clock_timestamp()', [unpaid.id])
  await expect.poll(isOver, patient).toHaveLength(1)
  // Jobs run here, on another network; the gate of these two invoices was not followed.
  const mined = { key, body: JSON.stringify({ network: 'litecoin', count: 1 }) }
  expect((await call(api.ready.url, 'mineTestBlocks', mined)).status).toBe(200)
  expect((await invoice(api, inTime.id)).status).toBe('pending')
  expect((await invoice(api, unpaid.id)).status).toBe('pending')

  worker = await start('worker')
  await expect.poll(async () => (await invoice(api, unpaid.id)).status, patient).toBe('expired')
  const seen = await invoice(api, inTime.id)
  expect([seen.status, seen.amount_pending, seen.payments[0].late]).toEqual(['pending', '0.001', false])
  await chain.mine(bitcoin, 1)
  await expect.poll(async () => (await invoice(api, inTime.id)).status, patient).toBe('paid')
  await expectSettledBooks()
}, 120_000)
