import { once } from 'node:events'
import { readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteStatus } from '../../src/backup/status.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import {
  runSluice,
  type SluiceProcess,
  spawnSluice,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { eventually, type HookReceiver, startHookReceiver, verify } from '../support/servers/hook-receiver.ts'
import { call } from '../support/shop/contract-client.ts'

const kills = Number(process.env.SLUICE_KILLS ?? 1)

let folder: TemporaryFolder
let env: Record<string, string>
let receiver: HookReceiver
let running: SluiceProcess[]

beforeEach(async () => {
  folder = await makeTemporaryFolder("sluice a b'c ü ")
  env = { SLUICE_DATA_DIR: join(folder.path, 'data') }
  await makeDataFolder(join(folder.path, 'data'))
  receiver = await startHookReceiver()
  running = []
})
afterEach(async () => {
  for (const service of running) await service.end('SIGTERM')
  await receiver.close()
  expect(await processesAt(folder.path)).toEqual([])
  await folder.remove()
})

async function start(args: readonly string[] = []): Promise<SluiceProcess> {
  const service = await startSluice(env, args)
  running.push(service)
  return service
}

/** The processes whose working folder is inside a folder: PostgreSQL's is its cluster. */
async function processesAt(path: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, n) => places[n]?.startsWith(path))
}

it(`a first start creates a secret key and, as it is asked to, a demo merchant; killed with -9 at any moment, ${kills} times, it starts again, has lost nothing and makes neither anew, and it outlasts a kill of its PostgreSQL`, async () => {
  const dataDir = join(folder.path, 'new')
  env = { SLUICE_DATA_DIR: dataDir }
  const missing = await runCommand(['demo'], env)
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('npx sluice key create --help')])
  env = { ...env, HOST: '0.0.0.0' }
  const first = await start(['--demo'])
  const { url, test_key: key = '' } = first.ready
  expect(key).toMatch(/^sk_test_[0-9a-f]{64}$/)
  expect((await call(url, 'listEvents', { key })).status).toBe(200)
  const path = join(dataDir, 'secret-key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const secretKey = await readFile(path, 'utf8')
  expect(secretKey).toMatch(/^[0-9a-f]{64}\n$/)
  const body = JSON.stringify({ url: receiver.url })
  const endpoint = (await call(url, 'createWebhookEndpoint', { key, body })).body.data
  expect(first.stderr()).not.toContain(secretKey.trim())
  expect(await first.end('SIGTERM')).toBe(0)

  for (let round = 0; round < kills; round++) {
    // Somewhere between the first instruction and well after it is ready.
    const child = spawnSluice(env)
    await delay(Math.random() * 1_500)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const added = await runCommand(['merchant', 'create', '--name', `Round ${round}`, '--json'], env)
    expect(added.code, added.stderr).toBe(0)
  }

  const second = await start(['--demo'])
  expect(second.ready.test_key).toBeUndefined()
  const { url: _, ...shownFirst } = first.ready
  const shownAgain = await runCommand(['demo', '--json'], env)
  expect(JSON.parse(shownAgain.stdout)).toEqual(shownFirst)
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600)
  const { stdout } = await runCommand(['merchant', 'list', '--json'], env)
  expect(JSON.parse(stdout).merchants).toHaveLength(1 + kills)
  expect((await call(second.ready.url, 'listEvents', { key })).status).toBe(200)
  expect(await readFile(path, 'utf8')).toBe(secretKey)
  const options = { key, path: { endpointID: endpoint.id } }
  expect((await call(second.ready.url, 'testWebhookEndpoint', options)).status).toBe(201)
  await eventually(() => expect(receiver.hooks).toHaveLength(1))
  const [hook] = receiver.hooks
  if (hook === undefined) throw new Error('nothing came')
  expect(verify(endpoint.secret, hook)).toEqual(hook.body)
  await outlastsItsDatabase(second, key)
  expect(await second.end('SIGTERM')).toBe(0)

  await writeFile(path, secretKey.slice(0, 20))
  const damaged = await runSluice(['start', '--role', 'worker', '--json'], env)
  expect(damaged.code).not.toBe(0)
  expect(damaged.stderr).toContain('secret-key is damaged. Restore it from a backup')
  expect(await readFile(path, 'utf8')).toBe(secretKey.slice(0, 20))
})

it('a service that other machines can reach has no demo merchant unless asked for one, metrics on its internal port, and commands that work beside it and alone', async () => {
  env = { ...env, HOST: '0.0.0.0' }
  await noteStatus(env.SLUICE_DATA_DIR ?? '', { baseAt: '2026-01-01T00:00:00Z' })
  const service = await start()
  expect(Object.keys(service.ready)).toEqual(['url'])
  await call(service.ready.url, 'listCurrencies')
  await expect.poll(() => service.stderr()).toMatch(/"port":\d+,"msg":"metrics/)
  const port = /"port":(\d+),"msg":"metrics/.exec(service.stderr())?.[1]
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(text).toMatch(
    /sluice_http_request_duration_seconds_count\{operation="listCurrencies",status="200"\} 1/,
  )
  expect(text).toMatch(/sluice_database_connections \d/)
  // The supervisor has read it: the process that serves metrics cannot.
  expect(text).toMatch(/sluice_backup_base_timestamp_seconds 1767225600\n/)
  expect((await fetch(`${service.ready.url}/metrics`)).status).toBe(404)
  const beside = await runSluice(['merchant', 'create', '--name', 'Beside', '--json'], env)
  expect(beside.code, beside.stderr).toBe(0)
  await service.end('SIGTERM')
  const alone = await runCommand(['merchant', 'list', '--json'], env)
  expect(JSON.parse(alone.stdout).merchants.map(({ name }: { name: string }) => name)).toEqual(['Beside'])
})

/** After a kill -9 of PostgreSQL, requests are refused as an outage until it is back by itself. */
async function outlastsItsDatabase({ ready }: SluiceProcess, key: string): Promise<void> {
  const cluster = join(env.SLUICE_DATA_DIR ?? '', 'postgres')
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const statuses = new Set<number>()
  await expect
    .poll(
      async () => {
        const { status } = await call(ready.url, 'listEvents', { key })
        statuses.add(status)
        const next = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
        return status === 200 && next !== '' && !next.startsWith(`${pid}\n`)
      },
      { interval: 20 },
    )
    .toBe(true)
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect((await fetch(`${ready.url}/readyz`)).status).toBe(200)
}
