import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutageError } from '../../src/domain/errors.ts'
import { uuidv7 } from '../../src/domain/ids.ts'
import { type Database, openSession, sessionTypes } from '../../src/store/database.ts'
import { type Db, sql } from '../../src/store/sql.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = openTestDatabase(test.url, 4)
})
afterAll(async () => {
  await database.close()
  await test.drop()
})

it('whole numbers of any size are read exactly', async () => {
  const rows =
    await sql`select 123456789012345678901234567890::numeric as n, 9007199254740993::int8 as i`.rows(
      database.db,
    )
  expect(rows).toEqual([{ n: 123456789012345678901234567890n, i: 9007199254740993n }])
})

it('a transaction that deadlocks is run again until it succeeds', async () => {
  await query(test.url, 'create table pair (id int primary key, n int not null)')
  await query(test.url, 'insert into pair values (1, 0), (2, 0)')
  let runs = 0
  let held = 0
  let bothHold = () => {}
  const meeting = new Promise<void>((resolve) => {
    bothHold = resolve
  })
  const raise = (first: number, second: number) =>
    database.transaction(async (tx) => {
      runs++
      await sql`update pair set n = n + 1 where id = ${first}`.run(tx)
      if (++held === 2) bothHold()
      await meeting
      await sql`update pair set n = n + 1 where id = ${second}`.run(tx)
    })
  await Promise.all([raise(1, 2), raise(2, 1)])
  expect(runs).toBeGreaterThan(2)
  expect(await query(test.url, 'select n from pair order by id')).toEqual([{ n: 2 }, { n: 2 }])
})

it('a cut connection is an outage, and the next query works', async () => {
  const cut = database.transaction(async (tx) => {
    const row = await sql<{ pid: number }>`select pg_backend_pid() as pid`.maybeOne(tx)
    await query(test.url, 'select pg_terminate_backend($1)', [row?.pid])
    await sql`select 1`.run(tx)
  })
  await expect(cut).rejects.toBeInstanceOf(OutageError)
  expect(await sql`select 1 as one`.rows(database.db)).toEqual([{ one: 1 }])
})

it('a connection cut at COMMIT is an outage, and the uncommitted transaction left nothing', async () => {
  const id = uuidv7(new Date())
  const cut = database.transaction(async (tx) => {
    await storeOn(tx).merchants.insert({ id, name: 'cut off' })
    const row = await sql<{ pid: number }>`select pg_backend_pid() as pid`.maybeOne(tx)
    await query(test.url, 'select pg_terminate_backend($1)', [row?.pid])
  })
  await expect(cut).rejects.toBeInstanceOf(OutageError)
  expect(await storeOn(database.db).merchants.find(id)).toBeNull()
})

it('an unreachable server is an outage', async () => {
  const nowhere = openTestDatabase('postgres://x@127.0.0.1:1/x', 1)
  await expect(sql`select 1`.run(nowhere.db)).rejects.toBeInstanceOf(OutageError)
  await nowhere.close()
})

it.each([
  ['a full disk', `do $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$`],
  [
    'too many connections',
    `do $$ begin raise exception 'full' using errcode = 'too_many_connections'; end $$`,
  ],
  [
    'a server that is starting',
    `do $$ begin raise exception 'not yet' using errcode = 'cannot_connect_now'; end $$`,
  ],
  ['a standby after a failover', 'set transaction read only; delete from merchants'],
])('%s is an outage', async (_, statement) => {
  const failed = database.transaction((tx) => sql.raw(statement).run(tx))
  await expect(failed).rejects.toBeInstanceOf(OutageError)
})

it('a serialization failure is retried, and given up after a few attempts', async () => {
  let runs = 0
  const fail = (times: number) =>
    database.transaction(async (tx) => {
      runs++
      if (runs <= times)
        await sql.raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`).run(tx)
    })
  await fail(2)
  expect(runs).toBe(3)
  runs = 0
  await expect(fail(100)).rejects.toThrow('again')
  expect(runs).toBe(5)
})

it('an error in a statement is not an outage', async () => {
  await expect(sql`select nonsense`.run(database.db)).rejects.not.toBeInstanceOf(OutageError)
})

it('a failed transaction leaves nothing behind, and its connection still works', async () => {
  await query(test.url, 'create table kept (n int primary key)')
  const failed = database.transaction(async (tx) => {
    await sql`insert into kept values (1)`.run(tx)
    throw new Error('not this time')
  })
  await expect(failed).rejects.toThrow('not this time')
  await database.transaction((tx) => sql`insert into kept values (2)`.run(tx))
  expect(await query(test.url, 'select n from kept')).toEqual([{ n: 2 }])
})

it('a failure at COMMIT is thrown, and the connection still works', async () => {
  await query(test.url, 'create table late (n int, unique (n) deferrable initially deferred)')
  const failed = database.transaction((tx) => sql`insert into late values (1), (1)`.run(tx))
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect(await sql`select n from late`.rows(database.db)).toEqual([])
})

it('a transaction whose failed statement was swallowed does not succeed', async () => {
  const swallowed = database.transaction(async (tx) => {
    await sql`select nonsense`.run(tx).catch(() => {})
  })
  await expect(swallowed).rejects.toThrow('a statement in it had failed')
})

it('a statement after the end of its transaction is refused, not sent on another caller’s connection', async () => {
  let late: Db | undefined
  await database.transaction(async (tx) => {
    late = tx
  })
  await expect(sql`select 1`.run(late as Db)).rejects.toThrow('after its transaction had ended')
})

it('a nested transaction is refused', async () => {
  const nested = database.transaction((tx) => tx.transaction(async () => {}))
  await expect(nested).rejects.toThrow('inside another')
})

it('a snapshot sees one moment and writes nothing', async () => {
  await query(test.url, 'create table seen (n int)')
  const count = sql<{ count: bigint }>`select count(*) as count from seen`
  await database.db.snapshot(async (tx) => {
    expect(await count.one(tx)).toEqual({ count: 0n })
    await query(test.url, 'insert into seen values (1)')
    expect(await count.one(tx)).toEqual({ count: 0n })
  })
  expect(await count.one(database.db)).toEqual({ count: 1n })
  const writing = database.db.snapshot((tx) => sql`insert into seen values (2)`.run(tx))
  await expect(writing).rejects.toThrow('read-only transaction')
})

it.each(['begin', 'rollback'])(
  'a connection whose %s fails is closed, not given to the next caller',
  async (failing) => {
    const one = openTestDatabase(test.url, 1)
    const pidOf = (db: Db) => sql<{ pid: number }>`select pg_backend_pid() as pid`.one(db)
    const { pid } = await pidOf(one.db)
    one.pool.once('acquire', (client) => {
      const send = client.query.bind(client) as (config: { text: string }) => Promise<unknown>
      const sabotaged = async (config: { text: string }) => {
        if (config.text === failing) throw new Error('lost on the way')
        return send(config)
      }
      client.query = sabotaged as typeof client.query
    })
    const failed = one.transaction(async () => {
      throw new Error('the reason')
    })
    await expect(failed).rejects.toThrow(failing === 'begin' ? 'lost on the way' : 'the reason')
    expect((await pidOf(one.db)).pid).not.toBe(pid)
    await one.close()
  },
)

it('a session whose transaction cannot be rolled back ends', async () => {
  const client = new pg.Client({ connectionString: test.url, types: sessionTypes })
  await client.connect()
  const session = openSession(client)
  expect(await sql`select 1::bigint as one`.rows(session)).toEqual([{ one: 1n }])
  const send = client.query.bind(client) as (config: { text: string }) => Promise<unknown>
  client.query = (async (config: { text: string }) => {
    if (config.text === 'rollback') throw new Error('lost on the way')
    return send(config)
  }) as typeof client.query
  const failed = session.transaction(async () => {
    throw new Error('the reason')
  })
  await expect(failed).rejects.toThrow('the reason')
  await expect(sql`select 1`.run(session)).rejects.toThrow(/closed|terminated|not queryable/i)
})

it('statements are prepared once per connection, up to a limit', async () => {
  const one = openTestDatabase(test.url, 1)
  for (let n = 0; n < 501; n++) await sql`select ${n}::int as ${sql.ref(`n${n}`)}`.run(one.db)
  await sql`select ${1}::int as n7`.run(one.db)
  await sql`select 1`.run(one.db)
  const { prepared } = await sql<{ prepared: bigint }>`
    select count(*) as prepared from pg_prepared_statements where name like 'sluice_%'`.one(one.db)
  expect(prepared).toBe(500n)
  await one.close()
})
