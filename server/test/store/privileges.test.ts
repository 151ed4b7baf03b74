import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantPrivileges } from '../../src/store/grant-privileges.ts'
import { callable, tableWrites } from '../../src/store/privileges.ts'
import { createTestDatabase, query, type TestDatabase } from '../support/database/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  // As every start does: rights on a database as a whole are not copied with it.
  await grantPrivileges(test.url, role)
})
afterAll(() => test.drop())

const role = 'sluice_service'

const denied = '42501'
const alone = /^(create database|alter system)/

/** PostgreSQL says "must be owner", "permission denied" or "must be superuser", all by one code. */
async function refusal(statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: test.serviceUrl })
  await client.connect()
  try {
    if (!alone.test(statement)) await client.query('begin')
    await client.query(statement)
    return undefined
  } catch (error) {
    return (error as { code?: string }).code
  } finally {
    await client.end()
  }
}

/** Every statement of an attack, with what PostgreSQL answered where that was not a refusal. */
async function notRefused(statements: readonly string[]): Promise<string[]> {
  const found = []
  for (const statement of statements) {
    const code = await refusal(statement)
    if (code !== denied) found.push(`${statement}: ${code ?? 'done'}`)
  }
  return found
}

const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

const booksAndLogs = [
  'postings',
  'ledger_transactions',
  'ledger_entries',
  'events',
  'audit_entries',
  'refunds',
  'payout_approvals',
  'passkey_statements',
  'outside_moves',
  'suspense_releases',
  'deposit_addresses',
  'own_addresses',
]

describe('the role that the service runs with cannot', () => {
  it('change or remove a row of the books and logs', async () => {
    const statements = booksAndLogs.flatMap((table) => [
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `merge into ${table} using (select 1) as one on true when matched then delete`,
    ])
    const columns = await query<{ name: string; column: string }>(
      test.url,
      `select table_name as name, min(column_name) as column from information_schema.columns
       where table_name = any ($1) and is_identity = 'NO' group by 1`,
      [booksAndLogs],
    )
    const updates = columns.map(({ name, column }) => `update ${name} set ${column} = ${column}`)
    expect(updates).toHaveLength(booksAndLogs.length)
    expect(await notRefused([...updates, ...statements])).toEqual([])
  })

  it('switch off what guards them', async () => {
    expect(
      await notRefused([
        'alter table postings disable trigger all',
        'alter table postings disable trigger postings_are_append_only',
        'alter table events disable trigger user',
        'drop trigger postings_are_append_only on postings',
        'alter trigger postings_are_append_only on postings rename to gone',
        'alter table ledger_accounts drop constraint ledger_accounts_pkey cascade',
        'alter table postings add column more text',
        'alter table postings rename to before',
        'alter table postings owner to current_user',
        'drop table audit_entries cascade',
        'create rule nothing as on insert to postings do instead nothing',
        'create policy anything on postings',
        'alter table postings disable row level security',
        'create trigger mine before insert on payouts for each row execute function refuse_change()',
        'create index mine on payouts (id)',
        'comment on table postings is null',
        'set session_replication_role = replica',
        'alter role current_user set session_replication_role = replica',
        'create event trigger mine on ddl_command_start execute function refuse_change()',
      ]),
    ).toEqual([])
  })

  it('replace, drop or change a function', async () => {
    expect(
      await notRefused([
        `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
        `create or replace function current_event_era() returns integer language sql as 'select 1'`,
        'alter function refuse_change() owner to current_user',
        'alter function refuse_change() security definer',
        `alter function refuse_change() set search_path = ''`,
        'alter function refuse_change() rename to gone',
        'drop function refuse_change() cascade',
      ]),
    ).toEqual([])
  })

  it('create anything', async () => {
    expect(
      await notRefused([
        'create table mine (id int)',
        'create temp table postings (id int)',
        'create unlogged table mine (id int)',
        'create view mine as select 1',
        'create materialized view mine as select 1',
        'create sequence mine',
        "create type mine as enum ('a')",
        'create domain mine as text',
        `create function mine() returns int language sql as 'select 1'`,
        `create function pg_temp.mine() returns int language sql as 'select 1'`,
        `create procedure mine() language sql as 'select 1'`,
        'create operator + (function = int4pl, leftarg = int4, rightarg = text)',
        'create schema mine',
        'create extension pgcrypto',
        'create extension dblink',
        'create foreign data wrapper mine',
        'create publication mine for all tables',
        'create database mine',
        'create role mine',
        `do $$ begin execute 'create table mine (id int)'; end $$`,
      ]),
    ).toEqual([])
  })

  it('become another role or give itself rights', async () => {
    const owner = 'sluice'
    expect(await query(test.serviceUrl, 'select current_user as name')).toEqual([{ name: role }])
    const roles = [owner, 'postgres']
    expect(
      await notRefused([
        ...roles.flatMap((each) => [
          `set role ${each}`,
          `set session authorization ${each}`,
          `alter role ${each} password 'mine'`,
          `grant ${each} to ${role}`,
          `reassign owned by ${each} to ${role}`,
          `drop owned by ${each}`,
        ]),
        `alter role ${role} superuser`,
        `alter role ${role} createrole`,
        `grant pg_write_all_data to ${role}`,
        `grant pg_execute_server_program to ${role}`,
        // PostgreSQL only warns that nothing was granted.
        `grant update on postings to ${role}; update postings set units = units`,
        'grant all on all tables in schema public to public; delete from postings',
        `grant create on schema public to ${role}; create table mine (id int)`,
        `grant all on database ${nameOf(test.url)} to ${role}; create schema mine`,
        `alter default privileges for role ${owner} grant all on tables to ${role}`,
        `alter schema public owner to ${role}`,
        `select setval('invoices_position_seq', 1)`,
        `select nextval('invoices_position_seq')`,
      ]),
    ).toEqual([])
  })

  it('leave the database', async () => {
    expect(
      await notRefused([
        `copy (select 1) to program 'true'`,
        `copy payouts to '/tmp/sluice-was-here'`,
        `select pg_read_file('/etc/passwd')`,
        `select pg_ls_dir('/')`,
        `select lo_import('/etc/passwd')`,
        `select lo_export(1, '/tmp/sluice-was-here')`,
        `load '/tmp/any.so'`,
        `alter system set archive_command = 'id'`,
        'select pg_reload_conf()',
        'select rolpassword from pg_authid',
        'insert into schema_migrations values (9999, $$mine$$, $$$$)',
      ]),
    ).toEqual([])
  })
})

it('a trigger does not look at a temporary table of the same name', async () => {
  const client = new pg.Client({ connectionString: test.serviceUrl })
  await query(test.url, `grant temporary on database ${nameOf(test.url)} to ${role}`)
  await client.connect()
  try {
    await client.query('create temp table postings (transaction_id uuid, account_id bigint, units numeric)')
    await client.query('begin')
    const { rows } = await client.query(
      `with account as (
         insert into ledger_accounts (environment, network, currency, decimals, kind)
         values ('test', 'bitcoin', 'BTC', 8, 'fees') returning id),
       posted as (
         insert into ledger_transactions (id, entry_type, subject, occurrence)
         values (gen_random_uuid(), 'deposit', gen_random_uuid(), 1) returning id)
       insert into public.postings (transaction_id, account_id, units) select posted.id, account.id, 7 from posted, account
       returning units`,
    )
    expect(rows).toHaveLength(1)
    await expect(client.query('commit')).rejects.toThrow('does not sum to zero')
  } finally {
    await client.end()
    await grantPrivileges(test.url, role)
  }
})

describe('by the catalogue', () => {
  it('every table says what the service may write, and the service may do that, read, and no more', async () => {
    const tables = await query<{ name: string; has: string[] }>(
      test.url,
      `select relname as name, array(
         select lower(privilege_type) from aclexplode(relacl) where grantee = $1::regrole or grantee = 0 order by 1) as has
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by 1`,
      [role],
    )
    const sequences = tables.filter(({ name }) => /_seq$/.test(name))
    expect(sequences.length).toBeGreaterThan(5)
    expect(sequences.filter(({ has }) => has.length > 0)).toEqual([])
    expect(tables.filter((each) => !sequences.includes(each))).toEqual(
      [...tableWrites].sort().map(([name, writes]) => ({ name, has: ['select', ...writes].sort() })),
    )
    const columns = `select attrelid::regclass::text, attname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and attacl is not null`
    expect(await query(test.url, columns)).toEqual([])
  })

  it('the service owns nothing, is a member of nothing, and may create nothing', async () => {
    const owned = `select classid::regclass::text as kind, objid from pg_shdepend
      where refclassid = 'pg_authid'::regclass and refobjid = $1::regrole and deptype = 'o'`
    expect(await query(test.url, owned, [role])).toEqual([])
    expect(await query(test.url, 'select from pg_auth_members where member = $1::regrole', [role])).toEqual(
      [],
    )
    const [rights] = await query(
      test.url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         has_database_privilege(oid, current_database(), 'create') as database,
         has_database_privilege(oid, current_database(), 'temporary') as temporary,
         exists (select from pg_namespace where has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'create')) as schema,
         exists (select from pg_default_acl) as defaults
       from pg_roles where rolname = $1`,
      [role],
    )
    expect(Object.entries(rights ?? {}).filter(([, has]) => has !== false)).toEqual([])
    expect(Object.keys(rights ?? {})).toHaveLength(9)
  })

  it('every function looks for tables in our schema only, and all but the listed run with the rights of their caller', async () => {
    const functions = await query<{ name: string; path: string | null; definer: boolean; all: boolean }>(
      test.url,
      `select oid::regprocedure::text as name, prosecdef as definer, array_to_string(proconfig, ' ') as path,
         proacl is null or exists (select from aclexplode(proacl) where grantee = 0) as all
       from pg_proc where pronamespace = 'public'::regnamespace`,
    )
    expect(functions.length).toBeGreaterThan(15)
    const fixed = 'search_path=pg_catalog, public, pg_temp'
    expect(functions.filter(({ path }) => path !== fixed)).toEqual([])
    const definers = functions.filter(({ definer }) => definer)
    expect(definers.map(({ name }) => name.replace(',', ', ')).sort()).toEqual([...callable].sort())
    expect(definers.filter(({ all }) => all)).toEqual([])
  })
})

it('stray rights are taken back at the next start', async () => {
  await query(test.url, `grant all on postings, events to ${role}, public`)
  await query(test.url, `grant update (units) on ledger_entries to ${role}`)
  await query(test.url, `grant create on schema public to ${role}`)
  await query(test.url, `revoke select on payouts from ${role}`)
  await grantPrivileges(test.url, role)
  expect(
    await notRefused([
      'delete from postings',
      'truncate events',
      'update ledger_entries set units = 1',
      'create table mine (id int)',
    ]),
  ).toEqual([])
  expect(await refusal('select from payouts')).toBeUndefined()
})
