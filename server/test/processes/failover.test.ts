import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BusyMerchant, openBusyMerchant } from '../support/cluster/busy-merchant.ts'
import { canMakeMachines } from '../support/cluster/machines.ts'
import { type PostgresCluster, startPostgresCluster } from '../support/cluster/postgres-cluster.ts'
import { childrenOf, type SluiceProcess, startSluice } from '../support/processes/sluice-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'
import { type HookReceiver, startHookReceiver } from '../support/servers/hook-receiver.ts'
import { startRedis, type TestRedis } from '../support/servers/redis.ts'
import { call } from '../support/shop/contract-client.ts'
import { makeTestKey } from '../support/shop/merchant.ts'
import { webhookEnv } from '../support/shop/webhook-shop.ts'

/** How often each fault happens. With more rounds there is a second API process. */
const rounds = Number(process.env.SLUICE_FAILOVER_ROUNDS ?? 1)

let folder: TemporaryFolder
let cluster: PostgresCluster
let redis: TestRedis
let hooks: HookReceiver
let signer: SluiceProcess
let merchant: BusyMerchant
const running: SluiceProcess[] = []
/** How long no invoice could be made, in milliseconds, by fault. */
const outages: Record<string, number[]> = {}

/** A process with a data folder of its own, as on a host of its own. */
async function start(role: string, nth: number): Promise<SluiceProcess> {
  const data = join(folder.path, `${role}-${nth}`)
  await mkdir(data)
  const service = await startSluice(
    {
      ...webhookEnv,
      DATABASE_URL: cluster.url,
      REDIS_URL: redis.url,
      SLUICE_DATA_DIR: data,
      SLUICE_CONFIG: join(folder.path, 'config.json'),
      SLUICE_SANDBOX_BLOCK_SECONDS: '1',
    },
    ['--role', role],
  )
  running.push(service)
  return service
}

describe.runIf(canMakeMachines)('with three PostgreSQL servers of which one confirms every commit', () => {
  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    const limits = { key_per_minute: 100_000, ip_per_minute: 100_000 }
    const config = { limits, rates: { sources: [] }, addresses: { ready: 100 } }
    await writeFile(join(folder.path, 'config.json'), JSON.stringify(config))
    ;[redis, hooks] = await Promise.all([startRedis(), startHookReceiver()])
    cluster = await startPostgresCluster()
    const key = await makeTestKey(cluster.url)
    signer = await start('signer', 1)
    const apis = [await start('api', 1), ...(rounds > 1 ? [await start('api', 2)] : [])]
    const urls = apis.map(({ ready }) => ready.url)
    await Promise.all([start('worker', 1), start('worker', 2)])
    const body = JSON.stringify({ url: hooks.url })
    const made = await call(urls[0] ?? '', 'createWebhookEndpoint', { key, body })
    expect(made.status, made.text).toBe(201)
    merchant = await openBusyMerchant(urls, key, rounds > 1 ? 'hurried' : 'steady')
  })
  afterAll(async () => {
    await Promise.all(running.map((each) => each.end('SIGTERM')))
    await hooks?.close()
    await redis?.stop()
    await cluster?.stop()
    await folder?.remove()
    if (rounds > 1) process.stdout.write(`Milliseconds without a new invoice: ${JSON.stringify(outages)}\n`)
  })

  /** Each does harm and returns how to repair what does not repair itself. */
  const faults: Record<string, () => Promise<() => Promise<void>>> = {
    'kill -9 of the primary': async () => {
      await (await cluster.primary()).killPostgres()
      return async () => {}
    },
    'the primary’s machine cut off from the network': async () => {
      const { machine } = await cluster.primary()
      await machine.cutOff()
      return machine.reconnect
    },
    'kill -9 of etcd’s leader': async () => {
      const leader = await cluster.etcdLeader()
      await leader.killEtcd()
      return async () => leader.startEtcd()
    },
    'kill -9 of Redis': async () => {
      await redis.kill()
      return redis.start
    },
    'kill -9 of the signer': async () => {
      for (const { pid } of childrenOf(signer.child)) process.kill(pid, 'SIGKILL')
      return async () => {}
    },
  }

  for (const [name, harm] of Object.entries(faults)) {
    it(`${name}: the service is back by itself, pays out and delivers`, {
      timeout: 600_000 * rounds,
    }, async () => {
      merchant.work()
      for (let round = 0; round < rounds; round++) {
        const repair = await harm()
        outages[name] = [...(outages[name] ?? []), Math.round(await merchant.nextInvoice())]
        await merchant.nextPayout()
        await repair()
        await cluster.whole()
      }
    })
  }

  it('of all this nothing that was acknowledged is lost, and nothing was done twice', async () => {
    await merchant.audit(cluster.ownerUrl, hooks)
  })
})
