import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OutageError } from '../../src/domain/errors.ts'
import { uuidv7 } from '../../src/domain/ids.ts'
import type { Database } from '../../src/store/database.ts'
import { storeOn } from '../../src/store/store.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts'
import { openTestDatabase } from '../support/open-database.ts'

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

it('reads whole numbers of any size exactly', async () => {
  const { rows } =
    await sql`select 123456789012345678901234567890::numeric as n, 9007199254740993::int8 as i`.execute(
      database.db,
    )
  expect(rows).toEqual([{ n: 123456789012345678901234567890n, i: 9007199254740993n }])
})

it('a transaction that meets a deadlock is run again until it succeeds', async () => {
  await query(test.url, 'create table pair (id int primary key, n int not null)')
  await query(test.url, 'insert into pair values (1, 0), (2, 0)')
  let runs = 0
  let bothHold = () => {}
  const meeting = new Promise<void>((resolve) => {
    bothHold = resolve
  })
  const raise = (first: number, second: number) =>
    database.transaction(async (tx) => {
      runs++
      await sql`update pair set n = n + 1 where id = ${first}`.execute(tx)
      if (runs === 2) bothHold()
      if (runs <= 2) await meeting
      await sql`update pair set n = n + 1 where id = ${second}`.execute(tx)
    })
  await Promise.all([raise(1, 2), raise(2, 1)])
  expect(runs).toBeGreaterThan(2)
  expect(await query(test.url, 'select n from pair order by id')).toEqual([{ n: 2 }, { n: 2 }])
})

it('a connection that is cut is an outage, told as such, and the next query works', async () => {
  const cut = database.transaction(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await query(test.url, 'select pg_terminate_backend($1)', [rows[0]?.pid])
    await sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toBeInstanceOf(OutageError)
  expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
})

it('a connection cut at COMMIT is an outage: what was acknowledged is there, what was not may be sent again', async () => {
  const id = uuidv7(new Date())
  const cut = database.transaction(async (tx) => {
    await storeOn(tx).merchants.insert({ id, name: 'cut off' })
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await query(test.url, 'select pg_terminate_backend($1)', [rows[0]?.pid])
  })
  await expect(cut).rejects.toBeInstanceOf(OutageError)
  expect(await storeOn(database.db).merchants.find(id)).toBeNull()
})

it('a server that is not there is an outage', async () => {
  const nowhere = openTestDatabase('postgres://x@127.0.0.1:1/x', 1)
  await expect(sql`select 1`.execute(nowhere.db)).rejects.toBeInstanceOf(OutageError)
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
  const failed = database.transaction((tx) => sql.raw(statement).execute(tx))
  await expect(failed).rejects.toBeInstanceOf(OutageError)
})

it('a serialization failure is tried again, and given up after a few attempts', async () => {
  let runs = 0
  const fail = (times: number) =>
    database.transaction(async (tx) => {
      runs++
      if (runs <= times)
        await sql.raw(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`).execute(tx)
    })
  await fail(2)
  expect(runs).toBe(3)
  runs = 0
  await expect(fail(100)).rejects.toThrow('again')
  expect(runs).toBe(5)
})

it('a mistake in a statement is no outage', async () => {
  await expect(sql`select nonsense`.execute(database.db)).rejects.not.toBeInstanceOf(OutageError)
})
