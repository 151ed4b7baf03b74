import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let database: TestDatabase
let proxy: Server
let service: TestService
let key: string
/** Whether to cut the connection that sends this text, after the server has answered and before the answer gets back. */
let cutAt: (sent: string, connection: Socket) => boolean
let cuts: number

beforeAll(async () => {
  database = await createTestDatabase()
  // The server listens in a folder, whose path takes the place of a host.
  const [place = '', folder = '', port] = /@([^:/]+):(\d+)/.exec(database.url) ?? []
  const socket = `${decodeURIComponent(folder)}/.s.PGSQL.${port}`
  proxy = createServer((client) => {
    const server = createConnection(socket)
    let doomed = false
    client.on('data', (chunk) => {
      if (cutAt(chunk.toString('latin1'), client)) doomed = true
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (!doomed) return client.write(chunk)
      cuts++
      client.destroy()
      server.destroy()
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = `@127.0.0.1:${(proxy.address() as { port: number }).port}`
  const serviceUrl = database.serviceUrl.replace(place, through)
  cutAt = () => false
  service = await startTestService({
    config: { limits: { key_per_minute: 100_000, ip_per_minute: 100_000 } },
    env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' },
    database: { ...database, serviceUrl, drop: async () => {} },
  })
  key = (await service.makeKey(await service.makeMerchant())).key
})
beforeEach(() => {
  cutAt = () => false
  cuts = 0
})
afterAll(async () => {
  cutAt = () => false
  await service?.stop()
  proxy?.close()
  await database?.drop()
})

const create = (idempotencyKey: string) =>
  call(service.url, 'createInvoice', {
    key,
    body: JSON.stringify({ currency: 'BTC', amount: '0.001', idempotency_key: idempotencyKey }),
  })

/** Cuts once, at the first message that contains these words. */
function cutOnce(words: string): void {
  let done = false
  cutAt = (sent) => {
    if (done || !sent.includes(words)) return false
    done = true
    return true
  }
}

it('a create whose committed insert got no answer gets 503, and the retry returns the invoice', async () => {
  cutOnce('cut-after-insert')
  const lost = await create('cut-after-insert')
  expect([lost.status, cuts]).toEqual([503, 1])
  const rows = await query<{ id: string }>(
    database.url,
    `select id from invoices where idempotency_key = 'cut-after-insert'`,
  )
  expect(rows).toHaveLength(1)
  const retried = await create('cut-after-insert')
  expect([retried.status, retried.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(retried.body.data.id).toBe(rows[0]?.id)
})

it('each of forty creates in shared, partly cut statements makes one invoice, after any answer', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `shared-${n}`)
  let left = 3
  cutAt = (sent) => sent.includes('shared-') && left-- > 0
  const first = await Promise.all(names.map(create))
  expect(cuts).toBeGreaterThan(0)
  expect(first.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
  expect(first.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
  cutAt = () => false
  const retried = await Promise.all(names.map(create))
  expect(new Set(retried.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(retried.map(({ body }) => body.data.id)).size).toBe(40)
  for (const [n, { status, body }] of first.entries()) {
    if (status === 201) expect(retried[n]?.body.data.id).toBe(body.data.id)
  }
  expect(
    await query(database.url, `select from invoices where idempotency_key like 'shared-%'`),
  ).toHaveLength(40)
  await expectSoundBooks(database.url)
})

it('a cancellation whose COMMIT was cut gets 503 and takes effect once', async () => {
  const { id } = (await create('to-cancel')).body.data
  const cancel = () => call(service.url, 'cancelInvoice', { key, path: { invoiceID: id } })
  // On the cancellation's connection, the next COMMIT is its own; meanwhile the worker commits on other connections.
  let itsOwn: Socket | null = null
  cutAt = (sent, connection) => {
    if (sent.includes("set status = 'cancelled'")) itsOwn = connection
    if (connection !== itsOwn || !/commit/i.test(sent)) return false
    itsOwn = null
    return true
  }
  expect([(await cancel()).status, cuts]).toEqual([503, 1])
  cutAt = () => false
  expect((await cancel()).status).toBe(409)
  expect((await call(service.url, 'getInvoice', { key, path: { invoiceID: id } })).body.data.status).toBe(
    'cancelled',
  )
  await expectSoundBooks(database.url)
})

it('followers and workers whose COMMITs are repeatedly cut credit every payment once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => create(`paid-${n}`)))
  const post = (operation: string, body: object) =>
    call(service.url, operation, { key, body: JSON.stringify(body) })
  let commits = 0
  cutAt = (sent) => /commit/i.test(sent) && ++commits % 3 === 0
  const statuses = new Set<number>()
  for (const { body } of made) {
    const { deposit_address: address } = body.data
    statuses.add((await post('createTestDeposit', { address, amount: '0.001', currency: 'BTC' })).status)
  }
  for (let block = 0; block < 3; block++)
    statuses.add((await post('mineTestBlocks', { network: 'bitcoin', count: 1 })).status)
  expect(cuts).toBeGreaterThan(3)
  expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  cutAt = () => false
  await expect
    .poll(async () => (await post('mineTestBlocks', { network: 'bitcoin', count: 2 })).status)
    .toBe(200)
  await expectSoundBooks(database.url, { settled: true })
  const unpaid = await query(
    database.url,
    `select status from invoices where idempotency_key like 'paid-%' and paid_at is null`,
  )
  // A deposit that was refused as an outage may not have reached the network; one that did is credited.
  const waiting = await query(database.url, `select from simulated_transactions where state = 'waiting'`)
  expect(waiting).toEqual([])
  expect(unpaid.length).toBeLessThan(20)
  expect(service.logged.filter(({ level }) => Number(level) >= 60)).toEqual([])
})
