import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { expectSoundBooks } from '../support/database/books.ts'
import { query } from '../support/database/database.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { type SluiceProcess, spawnSluice, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { followPage, tokenOf } from '../support/shop/checkout-client.ts'
import { type Answer, call } from '../support/shop/contract-client.ts'

const kills = Number(process.env.SLUICE_KILLS ?? 1)

let folder: TemporaryFolder
let env: Record<string, string>
let service: SluiceProcess | null
let key: string

/** The tests run in this order on one shop, which loses nothing in any. */
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await makeDataFolder(join(folder.path, 'data'))
  const config = join(folder.path, 'config.json')
  const limits = { key_per_minute: 100_000, ip_per_minute: 100_000 }
  await writeFile(config, JSON.stringify({ limits, addresses: { ready: 100 } }))
  env = {
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_CONFIG: config,
    SLUICE_SANDBOX_BLOCK_SECONDS: '1',
    // Longer than any test waits: only the second signal can end it.
    SLUICE_DRAIN_SECONDS: '300',
  }
  service = await startSluice(env)
  key = service.ready.test_key as string
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await folder.remove()
})

type Made = { readonly id: string; readonly address: string }
const acknowledged = new Map<string, Made>()
const unanswered = new Set<string>()

/** What a merchant does all day. It remembers which requests were acknowledged, and which got no answer. */
function merchantAt(url: string) {
  let over = false
  const deposits: string[] = []
  const post = async (operation: string, body: object): Promise<Answer | null> => {
    try {
      return await call(url, operation, { key, body: JSON.stringify(body) })
    } catch (error) {
      // The service does not answer any more: that happens here, and is not a wrong answer.
      if (error instanceof TypeError || error instanceof SyntaxError) return null
      throw error
    }
  }
  const lanes = [
    async () => {
      const idempotencyKey = randomUUID()
      unanswered.add(idempotencyKey)
      const answer = await post('createInvoice', invoiceBody(idempotencyKey))
      if (answer?.status !== 201) return
      unanswered.delete(idempotencyKey)
      const { id, deposit_address: address } = answer.body.data
      acknowledged.set(idempotencyKey, { id, address })
    },
    async () => {
      const all = [...acknowledged.values()]
      const one = all[Math.floor(Math.random() * all.length)]
      if (one === undefined) return delay(10)
      const amount = ['0.001', '0.0004', '0.002'][Math.floor(Math.random() * 3)]
      const paid = await post('createTestDeposit', { address: one.address, amount, currency: 'BTC' })
      if (paid?.status === 201) deposits.push(paid.body.data.tx_hash)
    },
    async () => {
      const depth = 1 + Math.floor(Math.random() * 4)
      const drop = deposits.slice(-3, -2)
      if (Math.random() < 0.6) await post('mineTestBlocks', { network: 'bitcoin', count: 1 })
      else await post('reorganiseTestChain', { network: 'bitcoin', depth, drop })
    },
  ]
  // More lanes create invoices and pay than mine, so that a kill mostly hits these.
  const running = [0, 0, 1, 1, 1, 2].map(async (lane) => {
    while (!over) await lanes[lane]?.()
  })
  return {
    stop: async () => {
      over = true
      await Promise.all(running)
    },
  }
}

const invoiceBody = (idempotencyKey: string) => ({
  currency: 'BTC',
  amount: '0.001',
  idempotency_key: idempotencyKey,
})

it('after a kill -9 of PostgreSQL under load the service recovers by itself, and no acknowledged invoice is lost', async () => {
  const { url } = (service as SluiceProcess).ready
  const merchant = merchantAt(url)
  const pidFile = join(env.SLUICE_DATA_DIR as string, 'postgres', 'postmaster.pid')
  const serverPid = async () => Number((await readFile(pidFile, 'utf8').catch(() => '0')).split('\n')[0])
  for (let round = 0; round < Math.min(kills, 2); round++) {
    const enough = acknowledged.size + 10
    await expect.poll(() => acknowledged.size).toBeGreaterThan(enough)
    process.kill(await serverPid(), 'SIGKILL')
    const killedAt = acknowledged.size
    // It answers again, for the same merchant in the same process.
    await expect.poll(() => acknowledged.size).toBeGreaterThan(killedAt + 10)
  }
  await merchant.stop()
  for (const [idempotencyKey, made] of acknowledged) {
    const retried = await call(url, 'createInvoice', {
      key,
      body: JSON.stringify(invoiceBody(idempotencyKey)),
    })
    expect([retried.status, retried.body.data.id]).toEqual([201, made.id])
  }
  const guest = await startEmbeddedPostgres({
    dataDir: env.SLUICE_DATA_DIR as string,
    purpose: 'command',
    log: () => {},
  })
  await call(url, 'mineTestBlocks', { key, body: JSON.stringify({ network: 'bitcoin', count: 3 }) })
  await expect.poll(() => query(guest.url, 'select from jobs')).toEqual([])
  await expectSoundBooks(guest.url, { settled: true })
}, 120_000)

it(`killed with -9 ${kills} times amid invoices, deposits, blocks and reorganisations, it loses nothing it acknowledged and books nothing twice`, {
  timeout: 600_000 + kills * 30_000,
}, async () => {
  const before = acknowledged.size
  for (let round = 0; round < kills; round++) {
    service ??= await startSluice(env)
    const merchant = merchantAt(service.ready.url)
    const enough = acknowledged.size + 3
    await expect.poll(() => acknowledged.size).toBeGreaterThan(enough)
    await delay(Math.random() * 1_000)
    await service.end('SIGKILL')
    await merchant.stop()
    service = null
    if (round % 2 === 1) {
      // Killed again while it recovers.
      const child = spawnSluice(env)
      await delay(Math.random() * 1_500)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
    }
    // The database alone, before anything can be repaired: an interrupted transaction left nothing half done.
    const postgres = await startEmbeddedPostgres({
      dataDir: env.SLUICE_DATA_DIR as string,
      purpose: 'command',
      log: () => {},
    })
    await expectSoundBooks(postgres.url)
    await postgres.stop()
  }

  service = await startSluice(env)
  const { url } = service.ready
  expect(acknowledged.size - before).toBeGreaterThan(kills)
  for (const [idempotencyKey, made] of acknowledged) {
    const retried = await call(url, 'createInvoice', {
      key,
      body: JSON.stringify(invoiceBody(idempotencyKey)),
    })
    expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(retried.body.data.id).toBe(made.id)
    expect(retried.body.data.deposit_address).toBe(made.address)
  }
  for (const idempotencyKey of unanswered) {
    const body = JSON.stringify(invoiceBody(idempotencyKey))
    const answers = await Promise.all([1, 2].map(() => call(url, 'createInvoice', { key, body })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.body.data.id).toBe(answers[1]?.body.data.id)
  }
  const list = await call(url, 'listInvoices', { key, query: { limit: '1' } })
  expect(list.body.meta.pagination.total).toBe(acknowledged.size + unanswered.size)

  // In the end every payment is credited, once.
  await call(url, 'mineTestBlocks', { key, body: JSON.stringify({ network: 'bitcoin', count: 3 }) })
  const guest = await startEmbeddedPostgres({
    dataDir: env.SLUICE_DATA_DIR as string,
    purpose: 'command',
    log: () => {},
  })
  await expect.poll(() => query(guest.url, 'select from jobs')).toEqual([])
  await expectSoundBooks(guest.url, { settled: true })
})

it('told to stop, it is no longer ready but serves everyone until the drain is over; told again later, it ends at once', async () => {
  const running = service as SluiceProcess
  const { url } = running.ready
  const body = JSON.stringify({ currency: 'BTC', amount: '0.01' })
  const before = await call(url, 'createInvoice', { key, body })
  expect(before.headers.get('connection')).toBe('keep-alive')
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  expect(await readiness()).toBe(200)
  const early = await followPage(url, await tokenOf(before.body.data))

  running.child.kill('SIGTERM')
  await expect.poll(readiness).toBe(503)
  const { status, headers, body: made } = await call(url, 'createInvoice', { key, body })
  expect([status, headers.get('connection')]).toEqual([201, 'close'])
  const late = await followPage(url, await tokenOf(made.data))
  for (const { deposit_address: address } of [before.body.data, made.data]) {
    const deposit = JSON.stringify({ address, amount: '0.01', currency: 'BTC' })
    expect((await call(url, 'createTestDeposit', { key, body: deposit })).status).toBe(201)
  }
  await expect.poll(() => [early.latest(), late.latest()]).not.toContain(null)

  // A signal that comes with the first counts as the same one; what comes a second later does not.
  await expect
    .poll(() => {
      running.child.kill('SIGTERM')
      return running.stderr()
    })
    .toContain('told to stop again')
  await Promise.all([early.ended, late.ended])
  expect(await running.end('SIGTERM')).toBe(0)
})
