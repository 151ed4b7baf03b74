import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { createEmptyDatabase, query, runSql, type TestDatabase } from '../support/database/database.ts'
import { runSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder } from '../support/processes/temporary-folder.ts'

/** The migrations of development versions before 0.1.0, each as its checksum and name. */
const first = readFileSync(new URL('./first-numbering.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const words = /before 0\.1\.0.*Nothing was changed.*SLUICE_DATA_DIR.*DATABASE_URL.*the version that created/

let database: TestDatabase
beforeEach(async () => {
  database = await createEmptyDatabase()
})
afterEach(() => database.drop())

/** Makes a database as a development version left it after this many migrations. */
async function made(count: number): Promise<void> {
  await runSql(
    database.url,
    `create table schema_migrations (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default clock_timestamp()
     )`,
    'create table merchants (id uuid primary key)',
  )
  for (const [index, line] of first.slice(0, count).entries()) {
    const [checksum, name] = line.split(' ')
    await query(database.url, 'insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      index + 1,
      name,
      checksum,
    ])
  }
}

const contents = async () => [
  await query(database.url, `select relname from pg_class where relnamespace = 'public'::regnamespace`),
  await query(database.url, 'select * from schema_migrations order by number'),
]

it.each([1, 20, 45])(
  'a database with %i migrations of the first numbering is refused and not changed',
  async (count) => {
    await made(count)
    const before = await contents()
    await expect(migrate(database.url)).rejects.toThrow(words)
    expect(await contents()).toEqual(before)
  },
)

it.each(['migrate', 'start', 'start --role signer', 'merchant list'])(
  'sluice %s says why, and what to do',
  async (command) => {
    await made(first.length)
    const folder = await makeTemporaryFolder()
    const { code, stderr } = await runSluice(command.split(' '), {
      SLUICE_DATA_DIR: folder.path,
      DATABASE_URL: database.url,
      SLUICE_SECRET_KEY: '5e'.repeat(32),
    })
    await folder.remove()
    expect(stderr).toMatch(words)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
  },
)
