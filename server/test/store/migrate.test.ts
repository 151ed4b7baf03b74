import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
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
  expect(await migrate(database.url)).toEqual(all)
  expect(await migrate(database.url)).toEqual([])
})

it('when many processes migrate at once, each migration runs exactly once', async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url)))
  const all = (await readMigrations()).map(({ name }) => name)
  expect(applied.flat().sort()).toEqual(all)
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
  expect(await migrate(database.url, [good, migration(2, 'create table b (x int)')])).toEqual(['0002_test'])
})

it('a migration that was changed after it ran is refused', async () => {
  await migrate(database.url, [migration(1, 'create table a (x int)')])
  await expect(migrate(database.url, [migration(1, 'create table a (y int)')])).rejects.toThrow(
    'differs from the one',
  )
})

it('a database made by a newer version is refused', async () => {
  await migrate(database.url, [migration(1, 'select 1'), migration(2, 'select 2')])
  await expect(migrate(database.url, [migration(1, 'select 1')])).rejects.toThrow(
    'A newer version of Sluice has migrated',
  )
})
