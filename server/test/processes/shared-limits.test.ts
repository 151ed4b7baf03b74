import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataFolder } from '../support/processes/data-folder.ts'
import { uidsOf } from '../support/processes/process-facts.ts'
import { runCommand } from '../support/processes/run-command.ts'
import { childrenOf, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { startRedis, type TestRedis } from '../support/servers/redis.ts'
import { call } from '../support/shop/contract-client.ts'

let folder: TemporaryFolder
let redis: TestRedis
let first: SluiceProcess
let second: SluiceProcess

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  await makeDataFolder(folder.path)
  redis = await startRedis()
  const env = { SLUICE_DATA_DIR: folder.path, REDIS_URL: redis.url }
  first = await startSluice(env)
  second = await startSluice(env, ['--role', 'api'])
})
afterAll(async () => {
  await second.end('SIGTERM')
  await first.end('SIGTERM')
  await redis.stop()
  await folder.remove()
})

// With more, a busy machine would exceed the time after which each process decides without Redis.
const lanes = 16

/** The statuses of this many requests, alternately to both processes, several at once. */
async function askBoth(count: number, operation: string, options: { key?: string } = {}) {
  const statuses: number[] = []
  const lane = async (from: number) => {
    for (let n = from; n < count; n += lanes)
      statuses.push((await call((n % 2 ? first : second).ready.url, operation, options)).status)
  }
  await Promise.all(Array.from({ length: lanes }, (_, from) => lane(from)))
  return statuses
}

it('two processes that share Redis admit exactly 300 of 320 parallel requests of one key', async () => {
  const answers = await askBoth(320, 'listEvents', { key: first.ready.test_key as string })
  expect(answers.filter((status) => status === 200)).toHaveLength(300)
  expect(answers.filter((status) => status === 429)).toHaveLength(20)
})

it('two processes that share Redis admit exactly 120 of 140 requests of one IP address to public operations', async () => {
  const answers = await askBoth(140, 'listCurrencies')
  expect(answers.filter((status) => status === 200)).toHaveLength(120)
})

it.runIf(process.getuid?.() === 0)(
  'an API beside a running service is neither root nor the user of the database or the wallet',
  async () => {
    const [child] = childrenOf(second.child)
    const owned = ['postgres', 'wallet'].map(async (name) => (await stat(join(folder.path, name))).uid)
    const taken = [0, ...(await Promise.all(owned))]
    expect(child?.role).toBe('api')
    expect([...(await uidsOf(child?.pid ?? 0))].filter((uid) => taken.includes(uid))).toEqual([])
  },
)

it('a key revoked by a command is refused by both processes within 5 seconds', async () => {
  const env = { SLUICE_DATA_DIR: folder.path }
  const merchantId = first.ready.merchant_id as string
  const options = [
    '--merchant',
    merchantId,
    '--environment',
    'test',
    '--permissions',
    'events:read',
    '--json',
  ]
  const made = JSON.parse((await runCommand(['key', 'create', ...options], env)).stdout)
  const statuses = () =>
    Promise.all(
      [first, second].map(
        async ({ ready }) => (await call(ready.url, 'listEvents', { key: made.key })).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200])
  await runCommand(['key', 'revoke', made.key_id], env)
  await expect.poll(statuses).toEqual([401, 401])
})
