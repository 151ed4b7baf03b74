/**
 * 1,000 blocks of 200 transfers with 100,000 watched addresses: following them (reading, matching, checking, writing)
 * compared with only fetching and parsing the same blocks and logs in the same run. A small server generates the chain:
 * the real node of the tests, emulated, would take hours to make 200,000 transfers, and its own slowness would hide
 * ours.
 */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { beginFollowing } from '../../server/src/app/chain/begin-following.ts'
import { followChain } from '../../server/src/app/chain/follow-chain.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { openBenchApp } from '../follow/app.ts'
import { startServer } from '../load.ts'
import { type Ratio, shown } from '../measure.ts'
import { withDatabase } from '../service.ts'
import { ownAddress, token, toUsPerBlock } from './chain.ts'

const blocks = 1_000
const watchedAddresses = 100_000
const rounds = 4
// Followed before the measurement, so that both sides run warm.
const warmUp = 250

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const node = await startServer<{ url: string }>(
    [join(import.meta.dirname, 'node-server.ts'), String(warmUp + blocks), String(watchedAddresses)],
    {},
  )
  const { ask, close } = connect(node.ready.url)
  const tokens = [{ code: 'USDT', contract: token, decimals: 6 }]
  const gates = [
    {
      network: 'ethereum',
      environment: 'test',
      kind: 'evm',
      rpc_url: node.ready.url,
      chain_id: 31_337,
      tokens,
    },
  ]
  const bench = await openBenchApp(folder.path, { gates })
  try {
    await fillWithOwn(bench.url)
    const gate = bench.app.gates.find('ethereum-test')
    if (gate === null) throw new Error('there is no gate')
    await beginFollowing(bench.app.store, gate, bench.app.following.maxDepth)
    const follow = async () => {
      while ((await followChain(bench.app, gate, { evenIfHeld: true })) === 'advanced');
    }
    await ask('bench_tip', warmUp)
    await follow()
    const each = blocks / rounds
    const total = { ours: 0, baseline: 0 }
    const counted = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const from = warmUp + round * each + 1
      await ask('bench_tip', from + each - 1)
      await readAlone(ask, from, each)
      const before = await timed(() => readAlone(ask, from, each))
      await ask('bench_calls')
      const followed = await timed(follow)
      for (const [method, count] of Object.entries((await ask('bench_calls')) as Record<string, number>))
        counted.set(method, (counted.get(method) ?? 0) + count)
      const after = await timed(() => readAlone(ask, from, each))
      total.ours += followed
      total.baseline += (before + after) / 2
      console.log(
        `  ${each} blocks: read alone in ${shown(before, 'ms')} and ${shown(after, 'ms')}, followed in ${shown(followed, 'ms')}`,
      )
    }
    const found = await countPayments(bench.url)
    if (found !== (warmUp + blocks) * toUsPerBlock) throw new Error(`${found} payments were found`)
    counted.delete('bench_calls')
    const list = [...counted].map(([method, count]) => `${method} ${(count / blocks).toFixed(2)}`).join(', ')
    console.log(`  calls a block: ${list}`)
    return {
      [`evm-follow: ${blocks} blocks of 200 transfers, ${toUsPerBlock} to us (at most 1.50)`]: {
        ...total,
        ratio: total.ours / total.baseline,
        unit: 'ms',
      },
    }
  } finally {
    close()
    await bench.close()
    await node.stop()
    await folder.remove()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

/** Calls in the simplest way, one after the other over one connection. */
function connect(url: string): { ask: Ask; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(url)
  return {
    ask: (method, ...params) =>
      new Promise((resolve, reject) => {
        const asked = request({ agent, host: hostname, port, method: 'POST' }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')).result))
        })
        asked.once('error', reject)
        asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
      }),
    close: () => agent.destroy(),
  }
}

async function readAlone(ask: Ask, from: number, count: number): Promise<void> {
  for (let height = from; height < from + count; height++) {
    const { hash } = (await ask('eth_getBlockByNumber', `0x${height.toString(16)}`, true)) as { hash: string }
    await ask('eth_getLogs', { blockHash: hash, address: [token] })
  }
}

/** Addresses without keys: deriving this many would take minutes, and the follower cannot tell the difference. */
async function fillWithOwn(databaseUrl: string): Promise<void> {
  const addresses = Array.from({ length: watchedAddresses }, (_, at) => ownAddress(at))
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `with kept as (
         insert into deposit_address_counters (keychain, derived) values ('evm-test', $2)
         on conflict (keychain) do update set derived = deposit_address_counters.derived + $2
         returning derived - $2 as start
       )
       insert into deposit_addresses (keychain, position, address)
       select 'evm-test', kept.start + nth - 1, address
       from kept, unnest($1::text[]) with ordinality as made (address, nth)`,
      [addresses, watchedAddresses],
    )
    await client.query('vacuum analyze deposit_addresses')
  })
}

async function countPayments(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>('select count(*) from payments')
    return Number(rows[0]?.count)
  })
}
