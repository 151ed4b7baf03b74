import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { createEmptyDatabase, query, runSql, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
  await migrate(database.url)
})
afterAll(() => database.drop())

const silent = () =>
  query(
    database.url,
    `select relname as table from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
       and coalesce(obj_description(oid, 'pg_class'), '') = ''
     order by relname`,
  )

it('every table has a comment', async () => {
  expect(await silent()).toEqual([])
  await runSql(database.url, 'create table unexplained (id int)')
  expect(await silent()).toEqual([{ table: 'unexplained' }])
})
