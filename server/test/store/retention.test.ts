import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLog } from '../../src/app/audit/verify-log.ts'
import type { Database } from '../../src/store/database.ts'
import { grantPrivileges } from '../../src/store/grant-privileges.ts'
import { storeOn } from '../../src/store/store.ts'
import {
  asSuperuser,
  createTestDatabase,
  onDatabase,
  query,
  type TestDatabase,
} from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  await grantPrivileges(test.url, 'sluice_service')
  // As the service runs: with the role that owns nothing.
  database = openTestDatabase(test.serviceUrl, 8)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

const store = () => storeOn(database.db)
const refused = { code: '23001' }
const denied = { code: '42501' }
const anyEvent = { event: null, createdAfter: null, resourceId: null, limit: 1, offset: 0 }

async function makeMerchant() {
  const merchantId = randomUUID()
  await store().merchants.insert({ id: merchantId, name: 'shop' })
  return { merchantId, environment: 'test' } as const
}
type Owner = Awaited<ReturnType<typeof makeMerchant>>

/** Appends events that are this number of days old, with ids of that time; returns the ids. */
async function appendEvents({ merchantId }: Owner, count: number, daysAgo: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    test.url,
    `insert into events (id, merchant_id, environment, event, data, created_at)
     select (left(replace(first_uuid_of(moment)::text, '-', ''), 12) || '7' || substr(md5(nth || $1::text), 1, 3) || '8'
       || substr(md5($1 || nth::text), 1, 15))::uuid, $1::uuid, 'test', 'invoice.paid', '{}', moment
     from generate_series(1, $2) as nth cross join lateral (
       select clock_timestamp() - $3::integer * interval '1 day') as at (moment)
     returning id`,
    [merchantId, count, daysAgo],
  )
  return rows.map(({ id }) => id)
}

async function eventsLeft({ merchantId }: Owner): Promise<number> {
  const rows = await query(test.url, 'select from events where merchant_id = $1', [merchantId])
  return rows.length
}

async function forgetAll(days: number): Promise<number> {
  let all = 0
  for (let count = -1; count !== 0; all += count) count = await store().events.forget(days, 7)
  return all
}

/** An entry of the log as the service writes it, but long ago: the time is part of the hash. */
async function appendEntries(chain: string, ages: readonly number[]): Promise<void> {
  const by = { actor: 'cli:ann', name: 'Ann', ip: null, userAgent: null }
  for (const days of ages) {
    const act = { environment: null, action: 'key.created', subject: null, details: { days } } as const
    await database.transaction(async (tx) => {
      const shifted = {
        ...tx,
        query: (text: string, values: Parameters<typeof tx.query>[1]) =>
          tx.query(
            text.replace('clock_timestamp()) as now', `clock_timestamp() - interval '${days} days') as now`),
            values,
          ),
      }
      await storeOn(shifted).auditLog.append(chain, by, act)
    })
  }
}

const list = (chain: string) =>
  store().auditLog.list(chain, { actor: null, action: null, from: null, to: null, limit: 100, offset: 0 })
const verdictOf = async (chain: string) =>
  (await verifyLog({ store: store() })).find(({ merchantId }) => merchantId === chain)

describe('events', () => {
  it('leave after their retention in small steps; the young stay, and so do those with a delivery', async () => {
    const owner = await makeMerchant()
    const old = await appendEvents(owner, 20, 101)
    await appendEvents(owner, 5, 99)
    const [endpoint] = await query<{ id: string }>(
      test.url,
      `insert into webhook_endpoints (id, merchant_id, environment, url, secret)
       values (gen_random_uuid(), $1, 'test', 'https://example.com', '\\x00') returning id`,
      [owner.merchantId],
    )
    await store().webhookDeliveries.askAgain(old[3] as string, [endpoint?.id as string])
    expect(await store().events.forget(100, 7)).toBe(7)
    expect(await forgetAll(100)).toBe(12)
    expect(await eventsLeft(owner)).toBe(6)
    expect((await store().events.list({ ...owner } as never, anyEvent)).total).toBe(6)
    while ((await store().counts.fold()) > 0);
    expect((await store().events.list({ ...owner } as never, anyEvent)).total).toBe(6)
    // Once the delivery is gone, nothing holds its event.
    await query(test.url, 'delete from webhook_deliveries')
    expect(await forgetAll(100)).toBe(1)
  })

  it('that are young cannot be erased, by the service or by the owner of the tables', async () => {
    const owner = await makeMerchant()
    await appendEvents(owner, 3, 89)
    for (const days of [89, 0, -1, null])
      await expect(database.pool.query('select forget_events($1, 10)', [days])).rejects.toMatchObject(refused)
    await expect(database.pool.query('delete from events')).rejects.toMatchObject(denied)
    await expect(database.pool.query('delete from retention_floors')).rejects.toMatchObject(denied)
    await expect(
      database.pool.query(`insert into retention_floors (kept, before) values ('events', now())`),
    ).rejects.toMatchObject(denied)
    await expect(database.pool.query(`set session_replication_role = 'replica'`)).rejects.toMatchObject(
      denied,
    )
    await expect(
      query(test.url, 'delete from events where merchant_id = $1', [owner.merchantId]),
    ).rejects.toMatchObject(refused)
    await store().events.forget(90, 1_000)
    expect(await eventsLeft(owner)).toBe(3)
  })

  it('leave while others are appended and several workers delete at once, and the total stays exact', async () => {
    const owner = await makeMerchant()
    await appendEvents(owner, 300, 400)
    const forgotten = async () => {
      let all = 0
      while ((await eventsLeft(owner)) > 40) all += await store().events.forget(365, 50)
      return all
    }
    const [one, two] = await Promise.all([
      forgotten(),
      forgotten(),
      (async () => {
        for (let n = 0; n < 4; n++) await appendEvents(owner, 10, 0)
      })(),
    ])
    expect(one + two).toBe(300)
    expect(await eventsLeft(owner)).toBe(40)
    expect((await store().events.list({ ...owner } as never, anyEvent)).total).toBe(40)
  })

  it('are all there after a worker was killed in the midst, and hold up no one meanwhile', async () => {
    const owner = await makeMerchant()
    await appendEvents(owner, 10, 400)
    const worker = new pg.Client({ connectionString: test.serviceUrl })
    worker.on('error', () => {})
    await worker.connect()
    await worker.query('begin')
    const { rows } = await worker.query<{ pid: number; count: number }>(
      'select forget_events(365, 10) as count, pg_backend_pid() as pid',
    )
    expect(rows[0]?.count).toBe(10)
    // Another worker does not wait for it, nor does anyone who appends or reads.
    expect(await store().events.forget(365, 10)).toBe(0)
    await appendEvents(owner, 1, 0)
    expect((await store().events.list({ ...owner } as never, anyEvent)).total).toBe(11)
    await query(onDatabase(asSuperuser(test.url), 'postgres'), 'select pg_terminate_backend($1)', [
      rows[0]?.pid,
    ])
    await worker.end().catch(() => {})
    await expect.poll(() => store().events.forget(365, 10)).toBe(10)
    expect(await eventsLeft(owner)).toBe(1)
  })
})

it('the audit misses no invoice.paid event that was old, and every other that is gone', async () => {
  const owner = await makeMerchant()
  await appendEvents(owner, 1, 400)
  await store().events.forget(365, 1_000)
  const paid = async (daysAgo: number) => {
    const [row] = await query<{ id: string }>(
      test.url,
      `insert into invoices (id, merchant_id, environment, status, source, deferred, base_currency, tolerance_bps, fee_bps, paid_at)
       values (gen_random_uuid(), $1, 'test', 'paid', 'api', true, 'USD', 0, 0, now() - $2::integer * interval '1 day')
       returning id`,
      [owner.merchantId, daysAgo],
    )
    return row?.id as string
  }
  const [old, recent] = [await paid(366), await paid(80)]
  const missed = (await store().audit.run())
    .flatMap(({ differences }) => differences)
    .filter((difference) => difference.includes('invoice.paid events'))
  expect(missed.filter((difference) => difference.includes(old))).toEqual([])
  expect(missed.filter((difference) => difference.includes(recent))).toHaveLength(1)
})

describe('the audit log', () => {
  it('loses its oldest entries, and what is left still proves itself', async () => {
    const { merchantId: chain } = await makeMerchant()
    await appendEntries(chain, [900, 850, 801, 700, 3])
    expect(await store().auditLog.forget(800, 2)).toBe(2)
    expect(await store().auditLog.forget(800, 2)).toBe(1)
    expect(await store().auditLog.forget(800, 2)).toBe(0)
    const { rows, total } = await list(chain)
    expect([total, rows.map(({ seq }) => seq)]).toEqual([2, [5n, 4n]])
    expect(await verdictOf(chain)).toMatchObject({ broken: null, head: { seq: 5n } })
    // A head that the operator kept from before is not missed.
    const [root] = await query<{ seq: string; hash: Buffer }>(
      test.url,
      'select seq, hash from audit_roots where chain = $1',
      [chain],
    )
    const kept = [
      { chain, seq: 1n, hash: Buffer.alloc(32, 7) },
      { chain, seq: 3n, hash: root?.hash as Buffer },
    ]
    const verified = await verifyLog({ store: store() }, kept)
    expect(verified.find(({ merchantId }) => merchantId === chain)?.broken).toBe(null)
    const forged = [{ chain, seq: 3n, hash: Buffer.alloc(32, 7) }]
    expect(
      (await verifyLog({ store: store() }, forged)).find(({ merchantId }) => merchantId === chain)?.broken,
    ).toMatch(/does not have the hash you kept/)
  })

  it('keeps its newest entry, and every entry of a chain after one that is young', async () => {
    const { merchantId: chain } = await makeMerchant()
    await appendEntries(chain, [900])
    const { merchantId: other } = await makeMerchant()
    await appendEntries(other, [900, 3, 900, 2])
    expect(await store().auditLog.forget(800, 100)).toBe(1)
    expect((await list(chain)).total).toBe(1)
    expect((await list(other)).rows.map(({ seq }) => seq)).toEqual([4n, 3n, 2n])
    expect((await verdictOf(other))?.broken).toBe(null)
  })

  it('cannot be robbed of what is young, nor of where it begins', async () => {
    const { merchantId: chain } = await makeMerchant()
    await appendEntries(chain, [900, 800, 300, 1])
    for (const days of [364, 0, null])
      await expect(database.pool.query('select forget_audit_entries($1, 10)', [days])).rejects.toMatchObject(
        refused,
      )
    for (const statement of [
      'delete from audit_entries',
      `update audit_roots set seq = 3`,
      `insert into audit_roots select chain, seq, hash from audit_entries on conflict do nothing`,
    ])
      await expect(database.pool.query(statement)).rejects.toMatchObject(denied)
    await expect(
      query(test.url, 'delete from audit_entries where chain = $1 and seq = 3', [chain]),
    ).rejects.toMatchObject(refused)
    // An owner who deletes an old entry by hand is found out, since nothing says where the chain begins.
    await query(test.url, 'delete from audit_entries where chain = $1 and seq = 1', [chain])
    expect((await verdictOf(chain))?.broken).toMatch(/entry 1 is missing/)
  })
})
