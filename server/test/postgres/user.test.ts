import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { stopClusterProcesses } from '../../src/postgres/leftovers.ts'
import { systemHome } from '../../src/postgres/place.ts'
import { canAccess, chooseUser } from '../../src/postgres/run-as.ts'
import {
  cleanUpAfterTests,
  dataFolder,
  eventually,
  isRoot,
  madeDataFolder,
  nobody,
  ordinaryDataFolder,
  postmasterOf,
  processesOf,
  query,
  startChild,
  startOrdinaryChild,
  temporaryFolder,
  unpackedPrograms,
} from './support.ts'

cleanUpAfterTests()

const quiet = { purpose: 'service', log: () => {} } as const

test('an ordinary user runs the database as itself', async () => {
  const dataDir = await ordinaryDataFolder()
  const child = await startOrdinaryChild({ dataDir, purpose: 'service' })
  const { url, supervised } = await child.ready()
  expect(supervised).toBe(true)
  const uid = isRoot ? nobody.uid : process.getuid?.()
  expect(new Set((await processesOf(dataDir)).map((server) => server.uid))).toEqual(new Set([uid]))
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(uid)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await child.kill()
  await eventually('its server has ended with it', async () => (await processesOf(dataDir)).length === 0)
  const again = await startOrdinaryChild({ dataDir, purpose: 'service' })
  await again.ready()
  await again.stop()
})

test('the database never runs as root, and its user can read nothing else in the data folder', async () => {
  const dataDir = await madeDataFolder()
  const database = await startEmbeddedPostgres({ ...quiet, dataDir })
  await writeFile(join(dataDir, 'wallet'), 'seed', { mode: 0o600 })
  const { uid } = await stat(join(dataDir, 'postgres'))
  expect(uid).not.toBe(0)
  expect(new Set((await processesOf(dataDir)).map((server) => server.uid))).toEqual(new Set([uid]))
  // An ordinary user's database runs as the same user: then only other users must not read anything.
  for (const name of ['wallet', 'postgres-password', 'postgres.log']) {
    const file = await stat(join(dataDir, name))
    expect([name, file.mode & 0o077]).toEqual([name, 0])
    expect(file.uid).toBe(process.getuid?.())
    if (isRoot) expect(await canAccess({ uid, gid: uid, drop: true }, join(dataDir, name), 'r')).toBe(false)
  }
  if (isRoot) expect(await canAccess({ uid, gid: uid, drop: true }, dataDir, 'r')).toBe(false)
  await database.stop()
})

test('a private data folder keeps its database; if root runs it, the database is in /var/lib/sluice behind a link', async () => {
  const dataDir = await dataFolder('My shop')
  await mkdir(dataDir, { mode: 0o700 })
  const said: string[] = []
  const options = { ...quiet, dataDir, log: (message: string) => said.push(message) }
  const database = await startEmbeddedPostgres(options)
  await query(database.ownerUrl, 'create table kept (id int); insert into kept values (7)')
  await database.stop()
  const home = systemHome(dataDir)
  expect(home).toMatch(/^\/var\/lib\/sluice\/My_shop-[0-9a-f]{16}$/)
  if (isRoot) {
    expect(await readlink(join(dataDir, 'postgres'))).toBe(join(home, 'postgres'))
    expect(said.filter((line) => line.includes(home) && line.includes('cannot enter'))).toHaveLength(1)
  } else expect((await lstat(join(dataDir, 'postgres'))).isDirectory()).toBe(true)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  const again = await startEmbeddedPostgres(options)
  expect(await query(again.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
  await again.stop()

  // Killed between creating the database and the link: the database is found again.
  if (isRoot) await rm(join(dataDir, 'postgres'))
  const third = await startEmbeddedPostgres(options)
  expect(await query(third.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
  await third.stop()

  // The operator removed the data folder to start over: the old database is not given to the new folder.
  await rm(dataDir, { recursive: true })
  await mkdir(dataDir, { mode: 0o700 })
  const fresh = await startEmbeddedPostgres(options)
  expect(await query(fresh.ownerUrl, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }])
  await fresh.stop()
  if (isRoot) expect(said.join('\n')).toMatch(/Moved the database of an earlier .* to /)
})

test('a link to a missing database is an error, never a new empty database', async () => {
  const dataDir = await dataFolder()
  await mkdir(dataDir)
  await symlink(join(dataDir, 'gone'), join(dataDir, 'postgres'))
  await expect(startEmbeddedPostgres({ ...quiet, dataDir })).rejects.toThrow('the database is missing')
})

test('programs that the database’s user cannot run in place are copied, once', async () => {
  const place = await temporaryFolder()
  const programs = await unpackedPrograms(join(place, 'home'))
  const dataDir = await ordinaryDataFolder()
  // Root: a checkout in a private home. Ordinary user: a package folder without links, which it may not write.
  await chmod(isRoot ? join(place, 'home') : join(programs.tree.root, 'lib'), isRoot ? 0o700 : 0o555)
  const child = startChild({ dataDir, purpose: 'service', programs })
  const { url } = await child.ready()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(child.said.filter((line) => String(line.log).includes('Copying them to'))).toHaveLength(1)
  const copy = join(isRoot ? systemHome(dataDir) : dataDir, 'postgres-programs-test')
  expect((await stat(join(copy, 'bin', 'postgres'))).uid).toBe(process.getuid?.())
  await child.stop()
  const again = startChild({ dataDir, purpose: 'service', programs })
  await again.ready()
  expect(again.said.filter((line) => String(line.log).includes('copying'))).toEqual([])
  await again.stop()
  await chmod(isRoot ? join(place, 'home') : join(programs.tree.root, 'lib'), 0o755)
})

test('programs in a folder whose path initdb does not support are copied and run', async () => {
  const programs = await unpackedPrograms(join(await temporaryFolder(), 'a "quoted" $HOME'))
  const dataDir = await dataFolder()
  const child = startChild({ dataDir, purpose: 'service', programs })
  const { url } = await child.ready()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await child.stop()
})

test('a package folder without its library links that an ordinary user may not write is copied', async () => {
  const programs = await unpackedPrograms(await temporaryFolder())
  if (!isRoot) await chmod(join(programs.tree.root, 'lib'), 0o555)
  const dataDir = await ordinaryDataFolder()
  const child = await startOrdinaryChild({ dataDir, purpose: 'service', programs })
  const { url } = await child.ready()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(dataDir, 'postgres-programs-test', 'lib', 'libpq.so.5'))).isFile()).toBe(true)
  await child.stop()
  await chmod(join(programs.tree.root, 'lib'), 0o755)
})

test('a server of a user that we may not signal is reported with its pid and instructions', async () => {
  const dataDir = await madeDataFolder()
  const service = startChild({ dataDir, purpose: 'service' })
  await service.ready()
  const server = await postmasterOf(dataDir)
  if (isRoot) {
    // The supervisor dies and its server stays, because it is stopped; then an ordinary user starts.
    process.kill(server, 'SIGSTOP')
    await service.kill()
    if ((await chooseUser(null)).uid === nobody.uid) await chown(join(dataDir, 'postgres'), 1, 1)
    const child = await startOrdinaryChild({ dataDir, purpose: 'service' })
    const message = await child.failure()
    expect(message).toContain('Start Sluice as that user or as root')
    expect(message).toContain(`sudo kill -INT ${server}`)
  }
  const refuse = (): never => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  }
  await expect(stopClusterProcesses(join(dataDir, 'postgres'), refuse)).rejects.toThrow(
    new RegExp(
      `still uses .* \\(pid ${server}\\) and belongs to another user\\. End it with "sudo kill -INT ${server}"`,
    ),
  )
})

test('root continues with the database that an ordinary user created, as that user', async () => {
  const dataDir = await ordinaryDataFolder()
  const ordinary = await startOrdinaryChild({ dataDir, purpose: 'service' })
  await ordinary.ready()
  await ordinary.stop()
  const before = (await stat(join(dataDir, 'postgres'))).uid
  const database = await startEmbeddedPostgres({ ...quiet, dataDir })
  expect((await processesOf(dataDir)).every(({ uid }) => uid === before)).toBe(true)
  await database.stop()
  const again = await startOrdinaryChild({ dataDir, purpose: 'service' })
  await again.ready()
  await again.stop()
})

test('leftovers are found even if the working folders of other users are hidden, as in a container', async () => {
  const dataDir = await madeDataFolder()
  const first = startChild({ dataDir, purpose: 'service' })
  await first.ready()
  const server = await postmasterOf(dataDir)
  process.kill(server, 'SIGSTOP')
  await first.kill()
  // It must not be found by its pid file.
  await rm(join(dataDir, 'postgres', 'postmaster.pid'))
  const before = isRoot ? ['setpriv', '--bounding-set', '-sys_ptrace'] : []
  const second = startChild({ dataDir, purpose: 'service' }, { before })
  process.kill(server, 'SIGCONT')
  const { url } = await second.ready()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await postmasterOf(dataDir)).not.toBe(server)
  await second.stop()
  expect(await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('18\n')
})
