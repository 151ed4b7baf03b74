import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import { query, runSql } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'
import { type StreamingPair, startStreamingPair } from '../support/database/standby.ts'
import { newAddress, until } from '../support/shop/money-out.ts'
import { startTestService, type TestService } from '../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../support/shop/shop.ts'

let pair: StreamingPair
let service: TestService
let shop: Shop
beforeAll(async () => {
  pair = await startStreamingPair()
  const { url, serviceUrl } = pair.primary
  service = await startTestService({
    ...quiet,
    env: { ...quiet.env, SLUICE_REPLICA_URL: pair.standby.serviceUrl },
    database: { url, serviceUrl, drop: async () => {} },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service?.stop()
  await pair?.stop()
})
const serves = 'the replica serves lists and exports'
const stopped = 'the replica serves no lists; the database does until it can'
const said = () => service.logged.map(({ msg }) => msg).filter((msg) => msg === serves || msg === stopped)
const untilSaid = (msg: string) => expect.poll(() => said().at(-1)).toBe(msg)

const listed = async () =>
  (await shop.expect(200, 'listInvoices', { query: { limit: '100' } })).body.data.map(
    ({ id }: { id: string }) => id,
  )

/** How many statements about invoices the standby has been sent by the service. */
async function seenByStandby(): Promise<number> {
  const [row] = await query<{ count: string }>(
    pair.standby.url,
    `select count(*) from pg_stat_activity where usename = 'sluice_service' and query ilike '%from "invoices" %'`,
  )
  return Number(row?.count)
}

afterEach(async () => {
  await runSql(pair.standby.url, 'select pg_wal_replay_resume()')
  await untilSaid(serves)
})

it('lists come from the standby, and a merchant finds there at once what it has just written', async () => {
  await untilSaid(serves)
  for (let n = 0; n < 20; n++) {
    const { id } = await shop.create()
    expect((await listed())[0]).toBe(id)
  }
  expect(await seenByStandby()).toBeGreaterThan(0)
})

it('while the standby does not replay, lists come from the primary, as fresh as a detail', async () => {
  await untilSaid(serves)
  await runSql(pair.standby.url, 'select pg_wal_replay_pause()')
  const invoice = await shop.create()
  expect((await shop.get(invoice)).id).toBe(invoice.id)
  expect((await listed())[0]).toBe(invoice.id)
  expect(said().at(-1)).toBe(stopped)
  // It is told once, however many lists go elsewhere.
  const count = said().length
  for (let n = 0; n < 5; n++) await listed()
  expect(said().length).toBe(count)
})

it('no request fails while the standby is stopped, and it serves again when it is back', async () => {
  await untilSaid(serves)
  const invoice = await shop.create()
  const listing = Promise.all(Array.from({ length: 30 }, listed))
  await pair.standby.stop()
  for (const ids of await listing) expect(ids[0]).toBe(invoice.id)
  for (let n = 0; n < 5; n++) expect((await listed())[0]).toBe(invoice.id)
  expect(said().at(-1)).toBe(stopped)
  await pair.restartStandby()
  await untilSaid(serves)
  expect((await listed())[0]).toBe(invoice.id)
})

it('nothing can be written over the connections to a replica, whatever the server would allow', async () => {
  const options = { maxConnections: 1, waitMs: 5_000, onIdleError: () => {}, readOnlyWithinMs: 5_000 }
  const database = openDatabase(pair.primary.serviceUrl, options)
  await expect(sql`delete from jobs`.run(database.db)).rejects.toThrow('read-only')
  await database.close()
})

it('a payout is decided without a replica: one that shows nothing at all changes nothing', async () => {
  const { url } = pair.primary
  await runSql(url, 'create schema nothing')
  // Every table is there, and empty.
  const tables = await query<{ tablename: string }>(
    url,
    `select tablename from pg_tables where schemaname = 'public'`,
  )
  for (const { tablename } of tables)
    await runSql(url, `create table nothing.${tablename} (like public.${tablename} including generated)`)
  await runSql(url, 'grant usage on schema nothing to sluice_service')
  await runSql(url, 'grant select on all tables in schema nothing to sluice_service')
  const empty = openTestDatabase(`${pair.primary.serviceUrl}?options=-c%20search_path%3Dnothing,public`, 2)
  const { reading } = service.app
  const asked: number[] = []
  Object.assign(service.app, {
    reading: (read: Parameters<typeof reading>[0]) => {
      asked.push(1)
      return read(storeOn(empty.db))
    },
  })
  try {
    expect(await listed()).toEqual([])
    await shop.fund('0.1')
    const json = {
      idempotency_key: 'once',
      currency: 'BTC',
      amount: '0.05',
      destination: await newAddress('bitcoin'),
    }
    const made = await shop.expect(201, 'createPayout', { json })
    const again = await shop.expect(201, 'createPayout', { json })
    expect(again.body.data.id).toBe(made.body.data.id)
    await shop.approve(made.body.data)
    await until(shop, made.body.data, 'completed')
    const count = asked.length
    expect((await shop.balance('BTC')).available).not.toBe('0.10000000')
    expect(asked.length).toBe(count)
    expect(count).toBe(1)
  } finally {
    Object.assign(service.app, { reading })
    await empty.close()
  }
})
