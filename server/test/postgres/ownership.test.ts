import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath, rename } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { lockFileName } from '../../src/postgres/leftovers.ts'
import { pathHash } from '../../src/postgres/path-hash.ts'
import {
  cleanUpAfterTests,
  dataFolder,
  eventually,
  madeDataFolder,
  postmasterOf,
  processesOf,
  query,
  startChild,
  temporaryFolder,
  unpackedPrograms,
} from './support.ts'

cleanUpAfterTests()

const quiet = { log: () => {} } as const

test('a command started beside a running service is its guest, and stopping the guest stops nothing else; a query of the lock returns the process and its purpose, and nothing secret', async () => {
  const dataDir = await madeDataFolder()
  const service = startChild({ dataDir, purpose: 'service' })
  const { url } = await service.ready()
  const server = await postmasterOf(dataDir)
  const guest = await startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command' })
  expect(guest).toMatchObject({ supervised: false, url })
  expect(await query(guest.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await guest.stop()
  expect(await postmasterOf(dataDir)).toBe(server)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    createConnection(`\0sluice-${pathHash(dataDir)}`)
      .on('data', (chunk) => {
        text += String(chunk)
      })
      .on('end', () => resolve(text))
      .on('error', reject)
  })
  expect(JSON.parse(answer)).toEqual({ pid: service.process.pid, purpose: 'service' })
  await service.stop()
  expect(await processesOf(dataDir)).toEqual([])
})

test('a service and commands started at once on an empty folder all get the same database', async () => {
  const dataDir = await dataFolder()
  const children = (['command', 'service', 'command', 'command'] as const).map((purpose) => ({
    purpose,
    child: startChild({ dataDir, purpose }),
  }))
  const urls = await Promise.all(
    children.map(async ({ child, purpose }) => {
      const { url } = await child.ready()
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
      if (purpose === 'command') await child.stop()
      return url
    }),
  )
  expect(new Set(urls).size).toBe(1)
  for (const { child, purpose } of children) if (purpose === 'service') await child.stop()
  expect(await processesOf(dataDir)).toEqual([])
})

test('a command waits for another to finish, no longer than it may, and then runs the server itself', async () => {
  const dataDir = await madeDataFolder()
  const first = startChild({ dataDir, purpose: 'command' })
  await first.ready()
  await expect(
    startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command', maxWaitMs: 100 }),
  ).rejects.toThrow(
    `A sluice command (pid ${first.process.pid}) has been using the database of ${await realpath(dataDir)}`,
  )
  const events: string[] = []
  const second = startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command' }).then((database) => {
    events.push('second runs')
    return database
  })
  await first.stop().then(() => events.push('first stopped'))
  const database = await second
  expect(database.supervised).toBe(true)
  expect(events).toEqual(['first stopped', 'second runs'])
  await database.stop()
})

test('the wait starts again for each holder: a new one is not blamed for those before it', async () => {
  const dataDir = await madeDataFolder()
  let turn = 0
  // Holders that follow each other so quickly that every query finds another one.
  const holders = createServer((connection) => {
    turn++
    connection.end(JSON.stringify({ pid: turn, purpose: 'command' }))
    if (turn === 5) holders.close()
  }).listen(`\0sluice-${pathHash(await realpath(dataDir))}`)
  await once(holders, 'listening')
  const database = await startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command', maxWaitMs: 0 })
  expect(turn).toBe(5)
  expect(database.supervised).toBe(true)
  await database.stop()
})

test('waiting for a service without a working database ends with an error that names its pid', async () => {
  const dataDir = await madeDataFolder()
  const service = startChild({ dataDir, purpose: 'service' })
  await service.ready()
  process.kill(service.process.pid ?? 0, 'SIGSTOP')
  // A stopped holder does not answer; the lock is still its own.
  await expect(
    startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command', maxWaitMs: 10 }),
  ).rejects.toThrow('An unknown process has held the database')
  process.kill(service.process.pid ?? 0, 'SIGCONT')
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  await eventually('its database is gone', () =>
    service.said.some((line) => String(line.log).includes('failed')),
  )
  await expect(
    startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'command', maxWaitMs: 10 }),
  ).rejects.toThrow(
    `The service that runs on ${await realpath(dataDir)} (pid ${service.process.pid}) has had no working database`,
  )
  await rename(`${control}.away`, control)
  await eventually('its database is back', () =>
    service.said.some((line) => String(line.log).includes('again')),
  )
  await service.stop()
})

test('a server that is not visible from here, as in another container, is neither disturbed nor started twice', async () => {
  const dataDir = await madeDataFolder()
  const database = await startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'service' })
  await database.stop()
  // How such a server looks from here: a held lock file, and no process in the cluster.
  const holder = spawn('flock', ['--no-fork', join(dataDir, 'postgres', lockFileName), 'sleep', '600'])
  await eventually('it holds the lock', async () => {
    const probe = spawn('flock', ['--nonblock', join(dataDir, 'postgres', lockFileName), 'true'])
    return (await new Promise((resolve) => probe.on('exit', resolve))) === 1
  })
  const waiting = startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'service' })
  await expect(waiting).rejects.toThrow('that is not visible from here')
  holder.kill('SIGKILL')
  const again = await startEmbeddedPostgres({ ...quiet, dataDir, purpose: 'service' })
  await again.stop()
})

test('two processes that create the library links of one package at once both start', async () => {
  const programs = await unpackedPrograms(await temporaryFolder())
  const started = [1, 2].map(async () =>
    startChild({ dataDir: await dataFolder(), purpose: 'service', programs }),
  )
  for (const child of await Promise.all(started)) {
    const { url } = await child.ready()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await child.stop()
  }
})
