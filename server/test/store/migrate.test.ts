import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts'
import { createEmptyDatabase, query, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())

const migration = (number: number, sql: string): Migration => ({
  number,
  name: `000${number}_test`,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})

it('migrations are applied once, in order, and not again the second time', async () => {
  const all = (await readMigrations()).map(({ name }) => name)
  expect(await migrate(database.url)).toEqual({ applied: all, newer: [] })
  expect(await migrate(database.url)).toEqual({ applied: [], newer: [] })
})

it('when many processes migrate at once, each migration runs exactly once', async () => {
  const migrated = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url)))
  const all = (await readMigrations()).map(({ name }) => name)
  expect(migrated.flatMap(({ applied }) => applied).sort()).toEqual(all)
})

it('a failed migration leaves nothing behind, and those before it stay', async () => {
  const good = migration(1, 'create table a (x int)')
  const bad = migration(2, 'create table b (x int); select 1/0')
  await expect(migrate(database.url, [good, bad])).rejects.toThrow('division by zero')
  const tables = await query<{ b: string | null; a: string | null }>(
    database.url,
    `select to_regclass('a') a, to_regclass('b') b`,
  )
  expect(tables).toEqual([{ a: 'a', b: null }])
  const fixed = migration(2, 'create table b (x int)')
  expect((await migrate(database.url, [good, fixed])).applied).toEqual(['0002_test'])
})

it('a migration that was changed after it ran is refused', async () => {
  await migrate(database.url, [migration(1, 'create table a (x int)')])
  await expect(migrate(database.url, [migration(1, 'create table a (y int)')])).rejects.toThrow(
    'differs from the one',
  )
})

describe('a database that a newer version has migrated', () => {
  const [first, second] = [migration(1, 'select 1'), migration(2, 'select 2')]
  const contract = (serves: string) => ({ ...migration(3, 'select 3'), name: `0003_contract_${serves}_test` })

  it('is used as it is while that version only added', async () => {
    await migrate(database.url, [first, second])
    expect(await migrate(database.url, [first])).toEqual({ applied: [], newer: ['0002_test'] })
  })

  it('is used by the versions that a contraction still serves, and refused by those before', async () => {
    await migrate(database.url, [first, second, contract('0002')])
    expect((await migrate(database.url, [first, second])).newer).toEqual(['0003_contract_0002_test'])
    await expect(migrate(database.url, [first])).rejects.toThrow(
      'A newer version of Sluice has migrated this database (0003_contract_0002_test)',
    )
  })

  it('is refused if the name of a migration says nothing', async () => {
    await migrate(database.url, [first, { ...second, name: 'second' }])
    await expect(migrate(database.url, [first])).rejects.toThrow('A newer version of Sluice has migrated')
  })
})

describe('while others use the tables', () => {
  const table = migration(1, 'create table a (x int)')
  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    return client
  }
  const waitingForLocks = async () =>
    (
      await query(
        database.url,
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).length

  it('a migration that cannot get hold of a table steps back, lets others through and tries again', async () => {
    await migrate(database.url, [table])
    const [busy, reader] = [await connect(), await connect()]
    try {
      await busy.query('begin')
      await busy.query('select from a')
      let done = false
      const altered = migrate(database.url, [table, migration(2, 'alter table a add column y int')]).then(
        (migrated) => {
          done = true
          return migrated
        },
      )
      await expect.poll(waitingForLocks).toBe(1)
      // Queued behind the migration, which gives up first.
      await reader.query('select from a')
      expect(done).toBe(false)
      await busy.query('commit')
      expect((await altered).applied).toEqual(['0002_test'])
    } finally {
      await busy.end()
      await reader.end()
    }
  })

  it('an index is built while rows are written, by one of several processes, and again after a failure', async () => {
    await migrate(database.url, [table])
    const build = migration(
      2,
      'drop index concurrently if exists a_x;\n-- Once for each.\ncreate unique index concurrently a_x on a (x);\n',
    )
    const writer = await connect()
    try {
      await query(database.url, 'insert into a values (1), (1)')
      await expect(migrate(database.url, [table, build])).rejects.toThrow('could not create unique index')
      expect(await query(database.url, 'select number from schema_migrations')).toEqual([{ number: 1 }])
      await query(database.url, 'delete from a')
      await writer.query('begin')
      await writer.query('insert into a values (2)')
      const both = Promise.all([1, 2].map(() => migrate(database.url, [table, build])))
      await expect.poll(waitingForLocks).toBe(1)
      await query(database.url, 'insert into a values (3)')
      await writer.query('commit')
      expect((await both).flatMap(({ applied }) => applied)).toEqual(['0002_test'])
      const indexes = await query(
        database.url,
        `select indisvalid as valid from pg_index where indexrelid = 'a_x'::regclass`,
      )
      expect(indexes).toEqual([{ valid: true }])
    } finally {
      await writer.end()
    }
  })
})
