import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { runCommand } from '../support/processes/run-command.ts'
import {
  childrenOf,
  isAlive,
  runSluice,
  type SluiceProcess,
  spawnSluice,
  startSluice,
} from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { call } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let env: Record<string, string>
let service: SluiceProcess

/** The tests run in this order on one service. */
beforeAll(async () => {
  folder = await makeTemporaryFolder()
  env = { SLUICE_DATA_DIR: join(folder.path, 'data') }
  await makeDataFolder(join(folder.path, 'data'))
  service = await startSluice(env)
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await folder.remove()
})

const roles = (service: SluiceProcess) =>
  Object.fromEntries(childrenOf(service.child).map(({ pid, role }) => [role, pid]))

const alive = (pids: readonly number[]) => pids.filter(isAlive)

async function postmaster(): Promise<number> {
  const path = join(env.SLUICE_DATA_DIR ?? '', 'postgres', 'postmaster.pid')
  return Number((await readFile(path, 'utf8')).split('\n')[0])
}

/** A request that the service cannot complete until `release`. */
async function holdRequest(service: SluiceProcess) {
  const guest = await startEmbeddedPostgres({
    dataDir: env.SLUICE_DATA_DIR ?? '',
    purpose: 'command',
    log: () => {},
  })
  const blocker = new pg.Client({ connectionString: guest.url })
  blocker.on('error', () => {})
  await blocker.connect()
  // No worker reads this table by itself, so the session that waits for it is the request's.
  await blocker.query('begin; lock table static_addresses in access exclusive mode')
  const answer = call(service.ready.url, 'listAddresses', { key: service.ready.test_key as string })
  answer.catch(() => {})
  const waiting = async () =>
    (await blocker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount
  await expect.poll(waiting).toBe(1)
  return {
    answer,
    async release() {
      await blocker.query('rollback')
      await blocker.end()
    },
    drop: () => blocker.end().catch(() => {}),
  }
}

const isClosed = ({ ready }: SluiceProcess) =>
  fetch(`${ready.url}/healthz`).then(
    () => false,
    () => true,
  )

// The signer has its permissions and, if root started it, a user of its own.
it('a signer that runs as a process of its own takes the operator’s orders', async () => {
  const { signer } = roles(service)
  const listed = JSON.parse((await runCommand(['merchant', 'list', '--json'], env)).stdout)
  const whose = ['--merchant', listed.merchants[0].merchant_id, '--environment', 'test', '--json']
  const state = async () => {
    const { stdout, stderr } = await runCommand(['passkey', 'list', ...whose], env)
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  expect(await state()).toMatchObject({ passkeys_required: false, approvals_required: 1 })
  const done = await runSluice(['passkey', 'require', 'on', '--approvals', '2', ...whose], env)
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(await state()).toMatchObject({ passkeys_required: true, approvals_required: 2 })
  expect([roles(service).signer, signer]).toEqual([signer, expect.any(Number)])
  const left = await readdir(join(env.SLUICE_DATA_DIR ?? '', 'wallet'))
  expect(left.filter((name) => name.includes('order'))).toEqual([])
})

it('a killed signer is restarted automatically, with a loud message, and no other process is affected; on a stop, with any signals beside the first, requests in flight are completed, and API and worker end first, then the signer, then the database', async () => {
  const { signer: first = 0, service: api = 0 } = roles(service)
  process.kill(first, 'SIGKILL')
  await expect.poll(() => service.stderr()).toContain('the signer runs again')
  expect(service.stderr()).toMatch(/"level":50.*THE SIGNER ENDED ON ITS OWN/)
  const { signer = 0, service: same } = roles(service)
  expect(signer).not.toBe(first)
  expect(same).toBe(api)

  const database = await postmaster()
  const held = await holdRequest(service)
  const ended = service.end('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) service.signalAll(signal)
  await expect.poll(() => isClosed(service)).toBe(true)
  expect(alive([api, signer, database])).toEqual([api, signer, database])
  const order: string[] = []
  const watched = { api, signer, database }
  const watching = (async () => {
    while (order.length < 3) {
      const gone = Object.entries(watched).filter(([name, pid]) => !order.includes(name) && !isAlive(pid))
      order.push(...gone.map(([name]) => name))
      await delay(1)
    }
  })()
  await held.release()
  expect((await held.answer).status).toBe(200)
  expect(await ended).toBe(0)
  await watching
  expect(order).toEqual(['api', 'signer', 'database'])
})

// Once it is ready: `killed-webhooks.test.ts`.
it('killed with -9 before it is ready, it leaves no process behind', async () => {
  const early = spawnSluice(env)
  await expect.poll(() => childrenOf(early)).toHaveLength(2)
  const loading = childrenOf(early).map(({ pid }) => pid)
  early.kill('SIGKILL')
  await once(early, 'exit')
  await expect.poll(() => alive(loading)).toEqual([])
})
