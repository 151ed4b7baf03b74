import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../src/store/migrate.ts'
import { oldestServed } from '../../src/store/newer-schema.ts'
import { judge } from './taking-away.ts'

// Those of the first release, which may still be changed, replace no older version.
const ofFirstRelease = 28

/** How many migrations the newest released version has: it must go on working while a newer one takes its place. */
function releasedMigrations(): number {
  const folder = new URL('./released/', import.meta.url)
  const dumps = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const counts = dumps.map(
    (file) =>
      readFileSync(new URL(file, folder), 'utf8').match(/^INSERT INTO public\.schema_migrations /gm)?.length,
  )
  return Math.max(ofFirstRelease, ...counts.map((count) => count ?? 0))
}

it('a migration after the last release only adds, or its name says which older versions it still serves', async () => {
  const released = releasedMigrations()
  const all = await readMigrations()
  expect(released).toBeLessThanOrEqual(all.length)
  for (const migration of all.slice(released)) {
    const { takes, blocks } = judge(migration)
    const served = oldestServed(migration.name)
    expect({ [migration.name]: blocks }).toEqual({ [migration.name]: [] })
    if (served === null) expect({ [migration.name]: takes }).toEqual({ [migration.name]: [] })
    // What the last release still needs goes in the release after the next.
    else expect([migration.name, served <= released]).toEqual([migration.name, true])
  }
})

describe('what a migration takes away is found', () => {
  it.each([
    'drop table payouts',
    'DROP TABLE IF EXISTS "payouts"',
    'drop function f()',
    'drop trigger t on invoices',
    'truncate rates',
    'revoke select on invoices from sluice',
    'alter table invoices rename column memo to note',
    'alter table invoices rename to bills',
    'alter table invoices\n  drop column memo',
    'alter table only public.invoices alter memo drop default',
    'alter table invoices drop constraint invoices_pkey',
    'alter table invoices alter column memo type integer',
    'alter table invoices alter memo set data type integer',
    'alter table invoices alter memo set not null',
    'alter table invoices add column memo text not null',
    'alter table invoices add memo text default null, add other text not null',
    'alter table invoices add constraint c check (x > 0) not valid',
    'create unique index concurrently i on invoices (memo)',
    'create table a (x int); alter table invoices drop column memo',
    'select 1; -- fine\ndrop view v',
  ])('%s', (sql) => {
    expect(judge({ sql }).takes).not.toEqual([])
  })
})

describe('what only adds is let through', () => {
  it.each([
    'create table a (x int not null); create unique index i on a (x); alter table a add constraint c check (x > 0)',
    'alter table invoices add column memo text',
    `alter table invoices add column memo text not null default ''`,
    `alter table invoices add column memo text default '' not null`,
    'alter table invoices alter memo drop not null',
    'alter table invoices validate constraint c',
    `comment on table invoices is 'drop table invoices; truncate it'`,
    '-- drop table invoices\nselect 1',
    'create or replace function f() returns trigger language plpgsql as $$ begin delete from a; drop table b; end $$',
    'drop index concurrently if exists i;\ncreate index concurrently i on invoices (memo);',
  ])('%s', (sql) => {
    expect(judge({ sql })).toEqual({ takes: [], blocks: [] })
  })
})

describe('what holds others up, or cannot be run again, is found', () => {
  it.each([
    'create index i on invoices (memo)',
    'alter table invoices add constraint c check (x > 0)',
    'alter table invoices add foreign key (x) references payouts (id)',
    'create index concurrently i on invoices (memo);',
    'drop index concurrently if exists i;\ncreate index concurrently i on invoices (memo);\ncreate table a (x int);',
  ])('%s', (sql) => {
    expect(judge({ sql }).blocks).not.toEqual([])
  })
})
