import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { onPath } from '../../src/postgres/error.ts'
import { boundLog, openLog } from '../../src/postgres/log-file.ts'
import { chooseUser } from '../../src/postgres/run-as.ts'
import { chooseSocketFolder } from '../../src/postgres/socket-folder.ts'
import {
  asSuperuser,
  cleanUpAfterTests,
  dataFolder,
  isRoot,
  madeDataFolder,
  ordinaryDataFolder,
  processesOf,
  query,
  startOrdinaryChild,
  temporaryFolder,
  tracked,
  versions,
} from './support.ts'

cleanUpAfterTests()

const quiet = { purpose: 'service', log: () => {} } as const

/** What a superuser could do, and no other role must: run programs, read files, become someone else. */
const waysOut = [
  `copy (select 1) to program 'true'`,
  `create temp table got (line text); copy got from program 'id'`,
  `create temp table got (line text); copy got from '/etc/passwd'`,
  `copy (select 1) to '/tmp/sluice-was-here'`,
  `select pg_read_file('/etc/passwd')`,
  `select lo_import('/etc/passwd')`,
  `select pg_ls_dir('/')`,
  `load '/tmp/any.so'`,
  `create function run(text) returns int language c as '/lib/libc.so.6', 'system'`,
  'create extension file_fdw',
  'create extension dblink',
  `alter system set archive_command = 'id'`,
  'select pg_reload_conf()',
  'set role postgres',
  'set session authorization postgres',
  'alter role sluice superuser',
  'alter role sluice createrole',
  'grant pg_execute_server_program to sluice',
  'create role helper superuser login',
  `alter role postgres password 'mine'`,
  'select rolpassword from pg_authid',
]

describe.each(versions)('$name', ({ programs, major }) => {
  const options = { ...quiet, ...(programs === undefined ? {} : { programs }) }

  test('the database is durable and checked, reached only by socket with a password, and its roles are ordinary, in a path with spaces, quotes and letters of any script', async () => {
    const dataDir = await dataFolder(`it's "a" ünï 数据, 50% $HOME \\ x`)
    const database = await startEmbeddedPostgres({ ...options, dataDir })
    expect(database.supervised).toBe(true)
    const show = async (name: string) => (await query(database.url, `show ${name}`))[0]?.[name]
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
      expect([name, await show(name)]).toEqual([name, 'on'])
    expect(await show('listen_addresses')).toBe('')
    expect(await show('server_version')).toMatch(new RegExp(`^${major}\\.`))
    const [facts] = await query(
      database.url,
      `select current_user as role, rolsuper, rolcreatedb, rolcreaterole, pg_get_userbyid(datdba) as owner,
        pg_encoding_to_char(encoding) as encoding, datcollate, datctype
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    expect(facts).toEqual({
      role: 'sluice_service',
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      owner: 'sluice',
      encoding: 'UTF8',
      datcollate: 'C',
      datctype: 'C',
    })
    await query(database.ownerUrl, 'create table kept (id int); insert into kept values (7)')

    const wrong = database.url.replace(/:[0-9a-f]{64}@/, `:${'0'.repeat(64)}@`)
    await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed')
    await expect(query(asSuperuser(wrong), 'select 1')).rejects.toThrow('password authentication failed')
    // The application's password must not open the superuser's account, which can run programs and read any file.
    await expect(query(asSuperuser(database.url), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    expect(await query(database.superuserUrl, 'select current_user as role')).toEqual([{ role: 'postgres' }])
    for (const url of [database.url, database.ownerUrl])
      for (const statement of waysOut)
        await expect(query(url, statement), statement).rejects.toThrow(
          /permission denied|must be superuser|must have admin|is not allowed|is not available/,
        )
    // Nor can it be the owner, who can switch off the triggers that guard the books.
    const asOwner = database.url.replace('//sluice_service:', '//sluice:')
    await expect(query(asOwner, 'select 1')).rejects.toThrow('password authentication failed')
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
    const socketFolder = decodeURIComponent(/@([^:]+):/.exec(database.url)?.[1] ?? '')
    expect(socketFolder).toBe(join(dataDir, isRoot ? 'postgres-socket' : 'postgres'))
    expect((await stat(socketFolder)).mode & 0o777).toBe(isRoot ? 0o710 : 0o700)
    expect((await stat(join(socketFolder, '.s.PGSQL.5432'))).mode & 0o777).toBe(isRoot ? 0o770 : 0o700)

    await Promise.all([database.stop(), database.stop()])
    await database.stop()
    expect(await processesOf(dataDir)).toEqual([])

    const again = await startEmbeddedPostgres({ ...options, dataDir })
    expect(await query(again.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
    await again.stop()
  })

  test.each([
    ['the superuser’s password', (password: string) => password],
    [
      'the password that the service is given',
      (_: string, { url }: EmbeddedPostgres) => new URL(url).password,
    ],
  ])('an owner with %s, as in earlier versions, gets one of its own', async (_, had) => {
    const dataDir = await madeDataFolder(programs)
    const first = await startEmbeddedPostgres({ ...options, dataDir })
    await query(first.ownerUrl, 'create table kept (id int); insert into kept values (7)')
    const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim()
    const old = had(password, first)
    await query(first.superuserUrl, `alter role sluice password '${old}'`)
    await query(first.superuserUrl, 'drop role sluice_service')
    await first.stop()
    const second = await startEmbeddedPostgres({ ...options, dataDir })
    expect([second.url, second.ownerUrl]).toEqual([first.url, first.ownerUrl])
    for (const url of [second.url, second.ownerUrl]) expect(url).not.toContain(password)
    const asBefore = second.ownerUrl.replace(/:[0-9a-f]{64}@/, `:${old}@`)
    await expect(query(asBefore, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await query(second.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
    await expect(query(second.url, 'select id from kept')).rejects.toThrow('permission denied')
    await second.stop()
  })

  test('a database whose password file was lost gets a new password and keeps its data', async () => {
    const dataDir = await madeDataFolder(programs)
    const first = await startEmbeddedPostgres({ ...options, dataDir })
    await query(first.ownerUrl, 'create table kept (id int); insert into kept values (7)')
    await first.stop()
    await rm(join(dataDir, 'postgres-password'))
    const second = await startEmbeddedPostgres({ ...options, dataDir })
    expect(second.url).not.toBe(first.url)
    expect(await query(second.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
    await second.stop()
  })
})

test('a path too long for a socket gets a private socket folder in the temporary folder', async () => {
  const dataDir = await dataFolder(join('x'.repeat(60), 'y'.repeat(60)))
  const database = await startEmbeddedPostgres({ ...quiet, dataDir })
  const host = decodeURIComponent(/@([^:]+):/.exec(database.url)?.[1] ?? '')
  expect(host).toMatch(/^\/tmp\/sluice-[0-9a-f]{16}-1$/)
  const folder = await stat(host)
  // Root's service has other users, of the database's group: they may pass through to the socket.
  expect(folder.mode & 0o777).toBe(isRoot ? 0o710 : 0o700)
  expect(folder.uid).toBe((await stat(join(dataDir, 'postgres'))).uid)
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const guest = await startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command' })
  expect(guest).toMatchObject({ supervised: false, url: database.url })
  await database.stop()
  await expect(stat(host)).rejects.toThrow('ENOENT')
})

test('a socket folder that another user made or opened, or that is a link, is not used', async () => {
  const temporary = await temporaryFolder()
  await chmod(temporary, 0o1777)
  const user = await chooseUser(null)
  const cluster = join('/', 'z'.repeat(120))
  const first = await chooseSocketFolder(cluster, user, temporary)
  expect(first).toMatch(/-1$/)
  expect(await chooseSocketFolder(cluster, user, temporary)).toBe(first)
  await chmod(first, 0o777)
  const second = await chooseSocketFolder(cluster, user, temporary)
  expect(second).toMatch(/-2$/)
  await rm(second, { recursive: true })
  await symlink(first, second)
  expect(await chooseSocketFolder(cluster, user, temporary)).toMatch(/-3$/)
})

test('a cluster of another major version is refused with instructions, and nothing in it changes', async () => {
  const dataDir = await madeDataFolder()
  const versionFile = join(dataDir, 'postgres', 'PG_VERSION')
  await writeFile(versionFile, '14\n')
  const control = await readFile(join(dataDir, 'postgres', 'global', 'pg_control'))
  await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow(
    /created by PostgreSQL 14, but this Sluice ships PostgreSQL 18\.\d+\. Nothing was changed.*pg_dump/,
  )
  expect(await readFile(join(dataDir, 'postgres', 'global', 'pg_control'))).toEqual(control)
  await writeFile(versionFile, '18\n')
  const again = await startEmbeddedPostgres({ ...quiet, dataDir })
  await again.stop()
})

test('a server that ends while starting is reported with the last lines of its log, and releases the folder', async () => {
  const dataDir = await madeDataFolder()
  const config = join(dataDir, 'postgres', 'postgresql.conf')
  const good = await readFile(config, 'utf8')
  await writeFile(config, `${good}\nwork_mem = nonsense\n`)
  await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow(
    /ended while starting on .*exit code 1[\s\S]*invalid value for parameter "work_mem"/,
  )
  expect(await processesOf(dataDir)).toEqual([])
  await writeFile(config, good)
  const again = await startEmbeddedPostgres({ ...quiet, dataDir })
  await again.stop()
})

test('a folder that is not a database is left alone', async () => {
  const dataDir = await dataFolder()
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  const owner = await chooseUser(null)
  if (isRoot) await chown(join(dataDir, 'postgres'), owner.uid, owner.gid)
  await writeFile(join(dataDir, 'postgres', 'holiday.jpg'), 'x')
  await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow(
    'contains no PostgreSQL database',
  )
  expect(await readFile(join(dataDir, 'postgres', 'holiday.jpg'), 'utf8')).toBe('x')
})

test('a data folder that cannot be written is named, with the reason', async () => {
  const dataDir = await ordinaryDataFolder()
  await mkdir(dataDir)
  await chmod(dataDir, 0o555)
  const child = await startOrdinaryChild({ dataDir, purpose: 'service' })
  expect(await child.failure()).toContain(`Cannot write ${dataDir}/postgres-password: permission denied`)
  const above = await startOrdinaryChild({ dataDir: join(dataDir, 'deeper'), purpose: 'service' })
  expect(await above.failure()).toContain(
    `Cannot create the data folder ${dataDir}/deeper: permission denied`,
  )
})

test('a full disk is reported as such, with the path, and unfinished files are removed', async () => {
  // A device that is always full gives a real ENOSPC to any user.
  await expect(onPath('/dev/full', 'write', () => writeFile('/dev/full', 'x'))).rejects.toThrow(
    'Cannot write /dev/full: the disk is full',
  )
  // Root can also mount a small disk, if the kernel allows it.
  const disk = await temporaryFolder()
  const mount = (size: string) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'none', disk]).status === 0
  if (!isRoot || !mount('12m')) return
  try {
    const dataDir = tracked(join(disk, 'data'))
    await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow(
      `Cannot create the database in ${dataDir}/postgres: the disk is full.`,
    )
    expect(await readdir(dataDir)).toEqual(['postgres-password'])
    spawnSync('mount', ['-o', 'remount,size=100m', disk])
    const database = await startEmbeddedPostgres({ ...quiet, dataDir })
    await database.stop()
    const filler = spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=64k'])
    expect(String(filler.stderr)).toContain('No space left')
    await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow(
      `ended while starting on ${dataDir}/postgres (exit code 1). The disk is full.`,
    )
    await rm(join(disk, 'filler'))
    const again = await startEmbeddedPostgres({ ...quiet, dataDir })
    await again.stop()
  } finally {
    spawnSync('umount', [disk])
  }
})

test('the server’s log stays bounded while it is being appended to', async () => {
  const path = join(await temporaryFolder(), 'postgres.log')
  const log = await openLog(path)
  await log.write('a'.repeat(2_000))
  await boundLog(path, log, 1_000)
  await log.write('after')
  expect(await readFile(path, 'utf8')).toBe('after')
  expect((await stat(`${path}.1`)).size).toBe(2_000)
  await log.close()
})
