import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { listAlerts } from '../../src/app/operator/list-alerts.ts'
import { createLog } from '../../src/log.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { grantPrivileges } from '../../src/store/grant-privileges.ts'
import { takeOwnership } from '../../src/store/take-ownership.ts'
import { Closers } from '../../src/wire/closers.ts'
import { openSupplies } from '../../src/wire/supplies.ts'
import {
  asSuperuser,
  createEmptyDatabase,
  createTestDatabase,
  onDatabase,
  query,
  type TestDatabase,
} from '../support/database/database.ts'
import { startTestService } from '../support/shop/service.ts'

/** A database of one's own, with one role that did everything before: it owns the database and all that is in it. */
let database: TestDatabase
let before: string
let second: string
let made: string[]
beforeEach(() => {
  made = []
})
afterEach(async () => {
  await database.drop()
  for (const role of made) await query(asSuperuser(inject('postgresUrl')), `drop role if exists ${role}`)
})

const password = 'correct-horse'
const name = () => new URL(database.url).pathname.slice(1)
const superuser = () => onDatabase(asSuperuser(inject('postgresUrl')), name())
const urlOf = (role: string) =>
  onDatabase(inject('postgresUrl').replace(/\/\/[^@]+@/, `//${role}:${password}@`), name())

async function makeRole(options = ''): Promise<string> {
  const role = `role_${randomBytes(6).toString('hex')}`
  await query(
    asSuperuser(inject('postgresUrl')),
    `create role ${role} login ${options} password '${password}'`,
  )
  made.push(role)
  return role
}

/** Opens the database as a start does, and returns what it warned of. */
async function start(url: string, migrationUrl: string | null): Promise<string[]> {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => lines.push(line) })
  const settings = readSettings({
    DATABASE_URL: url,
    SLUICE_SECRET_KEY: '5e'.repeat(32),
    ...(migrationUrl !== null && { DATABASE_MIGRATION_URL: migrationUrl }),
  })
  const closers = new Closers()
  await openSupplies(settings, 'service', log, closers)
  await closers.close()
  return lines
}

describe('a database in which one role did everything', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase()
    before = await makeRole()
    second = await makeRole()
    await query(superuser(), `alter database ${name()} owner to ${before}`)
    const [warning, ...others] = await start(urlOf(before), null)
    expect(others).toEqual([])
    expect(warning).toContain('one database role does everything')
    expect(warning).toContain('DATABASE_MIGRATION_URL')
  })

  const canDelete = async (role: string) => {
    const [row] = await query(superuser(), `select has_table_privilege($1, 'events', 'delete') as can`, [
      role,
    ])
    return row?.can
  }

  it('keeps its owner for migrations, and the service gets a second role', async () => {
    expect(await start(urlOf(second), urlOf(before))).toEqual([])
    expect(await canDelete(second)).toBe(false)
    expect(await query(urlOf(second), 'select from invoices')).toEqual([])
    // Another host of the service knows the one role only.
    expect(await start(urlOf(second), null)).toEqual([])
  })

  it('passes to a new owner, if the new one may act for the old one', async () => {
    await query(superuser(), `grant ${before} to ${second}`)
    expect(await start(urlOf(before), urlOf(second))).toEqual([])
    expect(await canDelete(before)).toBe(false)
    expect(await canDelete(second)).toBe(true)
    const owners = `select distinct tableowner as owner from pg_tables where schemaname = 'public'
      union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`
    expect(await query(urlOf(second), owners)).toEqual([{ owner: second }])
    expect(await start(urlOf(before), urlOf(second))).toEqual([])
  })

  it('otherwise stays as it is, and the message says what a superuser must run', async () => {
    const refused = start(urlOf(before), urlOf(second))
    await expect(refused).rejects.toThrow(`reassign owned by "${before}" to "${second}"`)
    await query(superuser(), `reassign owned by "${before}" to "${second}"`)
    expect(await start(urlOf(before), urlOf(second))).toEqual([])
    expect(await canDelete(before)).toBe(false)
  })
})

describe('a role that no grant holds back is refused:', () => {
  beforeEach(async () => {
    database = await createTestDatabase()
  })

  it('a superuser, one who makes roles, a member of the owner, one who may run programs, and the owner', async () => {
    for (const [options, words] of [
      ['superuser', 'superuser'],
      ['createrole', 'superuser'],
      ['in role sluice', 'is a member of sluice'],
      ['in role pg_execute_server_program', 'superuser'],
      ['in role pg_write_all_data', 'superuser'],
    ] as const)
      await expect(takeOwnership(database.url, await makeRole(options)), options).rejects.toThrow(words)
    await expect(takeOwnership(database.url, 'sluice')).rejects.toThrow('both log in as sluice')
  })

  it('one that has more by another role', async () => {
    const group = await makeRole()
    const member = await makeRole(`in role ${group}`)
    await query(superuser(), `grant update on postings to ${group}`)
    await expect(grantPrivileges(database.url, member)).rejects.toThrow('may do more than the service needs')
    await query(superuser(), `drop owned by ${group}`)
    await query(superuser(), `drop owned by ${member}`)
  })
})

it('a service whose role may not migrate says which migration is missing, and what to do', async () => {
  database = await createEmptyDatabase()
  const role = await makeRole()
  await expect(start(urlOf(role), null)).rejects.toThrow(
    /lacks 0001_merchants, and the role of DATABASE_URL may not change the schema\. Run “npx sluice migrate” with DATABASE_MIGRATION_URL/,
  )
})

it('the operator’s page says that one role does everything, and nothing where two do', async () => {
  database = await createTestDatabase()
  const alerts = async (env: Record<string, string>) => {
    const service = await startTestService({ database, env })
    const found = (await listAlerts(service.app)).map(({ kind }) => kind)
    await service.stop()
    return found.filter((kind) => kind === 'one_database_role')
  }
  expect(await alerts({})).toEqual([])
  expect(await alerts({ DATABASE_URL: database.url, DATABASE_MIGRATION_URL: '' })).toEqual([
    'one_database_role',
  ])
})
