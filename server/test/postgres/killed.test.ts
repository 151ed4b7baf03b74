import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { stopClusterProcesses } from '../../src/postgres/leftovers.ts'
import { restartDelayMs } from '../../src/postgres/supervise.ts'
import {
  cleanUpAfterTests,
  dataFolder,
  eventually,
  isRoot,
  madeDataFolder,
  postmasterOf,
  processesOf,
  query,
  startChild,
  temporaryFolder,
  versions,
} from './support.ts'

cleanUpAfterTests()

const quiet = { purpose: 'service', log: () => {} } as const

async function unfinished(dataDir: string): Promise<string | undefined> {
  const names = await readdir(dataDir).catch(() => [])
  const name = names.find((candidate) => candidate.startsWith('postgres.new-'))
  return name === undefined ? undefined : join(dataDir, name)
}

/** A moment before the new cluster is in place; if we look too late, a slightly later moment counts. */
const isThere = async (dataDir: string, ...path: string[]) =>
  existsSync(join((await unfinished(dataDir)) ?? '/-', ...path)) || existsSync(join(dataDir, 'postgres'))

// Where the server's socket is.
const socketFolder = isRoot ? 'postgres-socket' : 'postgres'

const moments: { moment: string; reached(dataDir: string): Promise<boolean> | boolean }[] = [
  { moment: 'the password exists', reached: (dataDir) => existsSync(join(dataDir, 'postgres-password')) },
  {
    moment: 'initdb has begun to write',
    reached: (dataDir) => isThere(dataDir, 'cluster', 'base'),
  },
  {
    moment: 'initdb fills the database',
    reached: (dataDir) => isThere(dataDir, 'cluster', 'base', '4'),
  },
  { moment: 'the cluster is in place', reached: (dataDir) => existsSync(join(dataDir, 'postgres')) },
  {
    moment: 'the server listens',
    reached: (dataDir) => existsSync(join(dataDir, socketFolder, '.s.PGSQL.5432')),
  },
]

// Every day amid initdb and at the end; in `npm run soak` all of them.
const everyDay = ['initdb fills the database', 'the server listens']
const chosen =
  process.env.SLUICE_KILLS === undefined ? moments.filter(({ moment }) => everyDay.includes(moment)) : moments

describe('a first start killed with -9', () => {
  test.each(chosen)('when $moment is repeated by the next start', async ({ reached }) => {
    const dataDir = await dataFolder()
    const child = startChild({ dataDir, purpose: 'service' })
    await eventually('the moment has come', () => reached(dataDir))
    await child.kill()
    const database = await startEmbeddedPostgres({ ...quiet, dataDir })
    expect(await query(database.url, 'select current_user as role')).toEqual([{ role: 'sluice_service' }])
    expect(await unfinished(dataDir)).toBeUndefined()
    await database.stop()
  })

  test('before the roles or their database exist is completed by the next start', async () => {
    const dataDir = await madeDataFolder()
    const drop = async (sql: string): Promise<void> => {
      const database = await startEmbeddedPostgres({ ...quiet, dataDir })
      expect(await query(database.url, 'select current_user as role')).toEqual([{ role: 'sluice_service' }])
      for (const statement of sql.split(';')) await query(database.superuserUrl, statement)
      await database.stop()
    }
    await drop('drop database sluice')
    await drop('drop database sluice; drop role sluice')
    await drop('drop role sluice_service')
    await drop('select 1')
  })
})

describe.each(versions)('$name', ({ programs }) => {
  const given = programs === undefined ? {} : { programs }

  test('a service killed with -9 leaves no server that blocks the next start, and loses no committed row', async () => {
    const dataDir = await madeDataFolder(programs)
    const child = startChild({ dataDir, purpose: 'service', ...given })
    const { ownerUrl } = await child.ready()
    await query(ownerUrl, 'create table kept (id int); insert into kept values (7)')
    const server = await postmasterOf(dataDir)
    await child.kill()
    const database = await startEmbeddedPostgres({ ...quiet, ...given, dataDir })
    expect(database.supervised).toBe(true)
    expect(await postmasterOf(dataDir)).not.toBe(server)
    expect(await query(database.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
    await database.stop()
  })

  test('a server ends by itself after its supervisor was killed with -9', async () => {
    const dataDir = await madeDataFolder(programs)
    const child = startChild({ dataDir, purpose: 'service', ...given })
    await child.ready()
    expect(await processesOf(dataDir)).not.toEqual([])
    await child.kill()
    await eventually('the server has ended', async () => (await processesOf(dataDir)).length === 0)
  })

  test('busy backends that outlived their postmaster are ended before the next start', async () => {
    const dataDir = await madeDataFolder(programs)
    const child = startChild({ dataDir, purpose: 'service', ...given })
    const { url } = await child.ready()
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    const [row] = (await client.query('select pg_backend_pid() as pid')).rows
    const busy = client.query('select count(*) from generate_series(1, 1000000000000)').catch(() => {})
    await eventually('it is busy', async () => {
      const rows = await query(
        url,
        `select from pg_stat_activity where pid = ${row.pid} and state = 'active'`,
      )
      return rows.length === 1
    })
    const server = await postmasterOf(dataDir)
    // The supervisor must not restart the server, and the server must not end its backends in order.
    child.process.kill('SIGSTOP')
    process.kill(server, 'SIGKILL')
    await child.kill()
    await eventually('only orphans are left', async () => {
      const pids = (await processesOf(dataDir)).map(({ pid }) => pid)
      return !pids.includes(server) && pids.includes(row.pid)
    })
    const said: string[] = []
    const database = await startEmbeddedPostgres({
      ...quiet,
      ...given,
      dataDir,
      log: (message) => said.push(message),
    })
    expect(said.join()).toMatch(/Ended \d+ PostgreSQL processes left by an earlier run/)
    expect((await processesOf(dataDir)).map(({ pid }) => pid)).not.toContain(row.pid)
    await busy
    await client.end().catch(() => {})
    await database.stop()
  })

  test('a server or backend killed with -9 is restarted automatically', async () => {
    const dataDir = await madeDataFolder(programs)
    const said: string[] = []
    const database = await startEmbeddedPostgres({
      ...quiet,
      ...given,
      dataDir,
      log: (message) => said.push(message),
    })
    const answers = (): Promise<unknown> =>
      eventually('it answers', () => query(database.url, 'select 1').catch(() => null))
    for (const time of [1, 2]) {
      const server = await postmasterOf(dataDir)
      process.kill(server, 'SIGKILL')
      await eventually(
        'it was restarted',
        () => said.filter((line) => line === 'The database server is running again.').length === time,
      )
      await answers()
      expect(await postmasterOf(dataDir)).not.toBe(server)
    }
    expect(said.filter((line) => line.startsWith('The database server ended'))).toEqual([
      'The database server ended on its own (SIGKILL): restarting it now.',
      'The database server ended on its own (SIGKILL): restarting it in 200 ms.',
    ])
    const server = await postmasterOf(dataDir)
    const client = new pg.Client({ connectionString: database.url })
    const lost = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    process.kill((await client.query('select pg_backend_pid() as pid')).rows[0].pid, 'SIGKILL')
    await lost
    await client.end().catch(() => {})
    await answers()
    expect(await postmasterOf(dataDir)).toBe(server)
    await database.stop()
    expect(await processesOf(dataDir)).toEqual([])
  })
})

test('without setpriv and flock a warning is logged, and the next start ends the server that was left', async () => {
  const dataDir = await madeDataFolder()
  const path = join(await temporaryFolder(), 'bin')
  await mkdir(path)
  for (const name of ['sh', 'true']) await symlink(`/bin/${name}`, join(path, name))
  const child = startChild({ dataDir, purpose: 'service' }, { path })
  const { ownerUrl } = await child.ready()
  expect(child.said.map((line) => String(line.log)).join('\n')).toMatch(
    /setpriv .* is missing[\s\S]*flock .* is missing/,
  )
  await query(ownerUrl, 'create table kept (id int); insert into kept values (7)')
  const server = await postmasterOf(dataDir)
  await child.kill()
  expect(await postmasterOf(dataDir)).toBe(server)
  const said: string[] = []
  const database = await startEmbeddedPostgres({ ...quiet, dataDir, log: (message) => said.push(message) })
  expect(said.join()).toMatch(/Ended \d+ PostgreSQL processes left by an earlier run/)
  expect(await postmasterOf(dataDir)).not.toBe(server)
  expect(await query(database.ownerUrl, 'select id from kept')).toEqual([{ id: 7 }])
  await database.stop()
})

test('restarts come at once, then after 0.2 s, rising to 5 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(restartDelayMs)).toEqual([
    0, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000,
  ])
})

test('a failing restart is retried, and the server can be stopped meanwhile', async () => {
  const dataDir = await madeDataFolder()
  const said: string[] = []
  const database = await startEmbeddedPostgres({ ...quiet, dataDir, log: (message) => said.push(message) })
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await eventually('two restarts failed', () => said.filter((line) => line.includes('failed')).length >= 2)
  expect(said.find((line) => line.includes('failed'))).toContain('pg_control')
  await database.stop()
  expect(await processesOf(dataDir)).toEqual([])
  await rename(`${control}.away`, control)
  const again = await startEmbeddedPostgres({ ...quiet, dataDir })
  await again.stop()
})

test('a stop during a restart leaves no server', async () => {
  const dataDir = await madeDataFolder()
  const said: string[] = []
  const database = await startEmbeddedPostgres({ ...quiet, dataDir, log: (message) => said.push(message) })
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await eventually('it restarts', () => said.some((line) => line.includes('restarting')))
  await database.stop()
  expect(await processesOf(dataDir)).toEqual([])
})

test('pid files that name a foreign process block nothing, and that process is never signalled', async () => {
  const dataDir = await madeDataFolder()
  const database = await startEmbeddedPostgres({ ...quiet, dataDir })
  await database.stop()
  const cluster = join(dataDir, 'postgres')
  const owner = await stat(cluster)
  // Same user, same working folder, and the pid in the files: everything but a PostgreSQL.
  const stranger = spawn('sleep', ['600'], { cwd: cluster, uid: owner.uid, gid: owner.gid, stdio: 'ignore' })
  try {
    const lines = [stranger.pid, cluster, 1_700_000_000, 5432, cluster, '', '  1 1', 'ready   ', '']
    await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'))
    const sockets = join(dataDir, socketFolder)
    await mkdir(sockets, { recursive: true })
    if (isRoot) await chown(sockets, owner.uid, owner.gid)
    await chmod(sockets, 0o700)
    await writeFile(join(sockets, '.s.PGSQL.5432.lock'), lines.join('\n'))
    const again = await startEmbeddedPostgres({ ...quiet, dataDir })
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await again.stop()
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
  } finally {
    stranger.kill('SIGKILL')
  }
})

test('a server that does not end when asked is killed', async () => {
  const dataDir = await madeDataFolder()
  const child = startChild({ dataDir, purpose: 'service' })
  await child.ready()
  const server = await postmasterOf(dataDir)
  process.kill(server, 'SIGSTOP')
  await child.kill()
  const signals: string[] = []
  const send = (pid: number, signal: NodeJS.Signals): void => {
    signals.push(signal)
    process.kill(pid, signal)
  }
  const steps = (['SIGINT', 'SIGQUIT', 'SIGKILL'] as const).map((signal) => ({
    signal,
    // Each signal is sent even without any time between them.
    waitMs: signal === 'SIGKILL' ? 10_000 : 0,
  }))
  await stopClusterProcesses(join(dataDir, 'postgres'), send, steps)
  expect(signals.slice(0, 2)).toEqual(['SIGINT', 'SIGQUIT'])
  expect(new Set(signals.slice(2))).toEqual(new Set(['SIGKILL']))
  expect(await processesOf(dataDir)).toEqual([])
  const again = await startEmbeddedPostgres({ ...quiet, dataDir })
  await again.stop()
})
