/**
 * Blocks of 1,500 transactions with a million watched owners: following them (reading, matching, writing) compared with only
 * fetching and parsing the same blocks in the same run. A small server generates the chain: the tests' validator cannot make
 * blocks this full.
 */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { beginFollowing } from '../../server/src/app/chain/begin-following.ts'
import { followChain } from '../../server/src/app/chain/follow-chain.ts'
import type { Gate } from '../../server/src/gates/gate.ts'
import { solanaReading } from '../../server/src/gates/solana/node-reading.ts'
import { solanaRpc } from '../../server/src/gates/solana/node-rpc.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { openBenchApp } from '../follow/app.ts'
import { startServer } from '../load.ts'
import { type Ratio, shown } from '../measure.ts'
import { withDatabase } from '../service.ts'
import { genesis, ownAddress, toUsPerBlock, transactionsPerBlock } from './chain.ts'

const watchedOwners = 1_000_000
const blocks = 60
const rounds = 4
// Followed before the measurement, so that both sides run warm.
const warmUp = 20
const ownersAtOnce = 100_000

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const bench = await openBenchApp(folder.path)
  const real = bench.app.gates.find('solana-test')
  const mint = real?.assets.find(({ currency }) => currency === 'USDC')?.contractAddress
  if (real === null || mint == null) throw new Error('there is no gate')
  const node = await startServer<{ url: string; blockBytes: number }>(
    [join(import.meta.dirname, 'node-server.ts'), String(warmUp + blocks), String(watchedOwners), mint],
    {},
  )
  const rpc = solanaRpc({ url: node.ready.url })
  const { ask, close } = connect(node.ready.url)
  try {
    await fillWithOwn(bench.url)
    const reading = solanaReading({
      id: real.id,
      assets: real.assets,
      genesis,
      endpoints: [{ place: 'bench', rpc }],
      agreement: 1,
      commitment: 'finalized',
      showsUnfinal: false,
    })
    const { blocks: _, ...rest } = real
    const gate: Gate = {
      ...rest,
      get chain() {
        return reading.chain()
      },
      tip: reading.tip,
      look: reading.look,
      block: reading.block,
      pending: reading.pending,
    }
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
      const slots = await Promise.all(
        Array.from({ length: each }, (_, at) => ask('bench_slot', from + at) as Promise<number>),
      )
      const readAlone = async () => {
        for (const slot of slots) await ask('getBlock', slot, { transactionDetails: 'accounts' })
      }
      await readAlone()
      const before = await timed(readAlone)
      await ask('bench_calls')
      const followed = await timed(follow)
      for (const [method, count] of Object.entries((await ask('bench_calls')) as Record<string, number>))
        counted.set(method, (counted.get(method) ?? 0) + count)
      const after = await timed(readAlone)
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
    console.log(`  a block has ${node.ready.blockBytes} bytes; calls a block: ${list}`)
    return {
      [`solana-follow: ${blocks} blocks of ${transactionsPerBlock} transactions, ${toUsPerBlock} to us (at most 1.50)`]:
        {
          ...total,
          ratio: total.ours / total.baseline,
          unit: 'ms',
        },
    }
  } finally {
    close()
    rpc.close()
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

/** Addresses without keys: deriving this many would take minutes, and the follower cannot tell the difference. */
async function fillWithOwn(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    for (let first = 0; first < watchedOwners; first += ownersAtOnce) {
      const addresses = Array.from({ length: ownersAtOnce }, (_, at) => ownAddress(first + at))
      await client.query(
        `with kept as (
           insert into deposit_address_counters (keychain, derived) values ('solana-test', $2)
           on conflict (keychain) do update set derived = deposit_address_counters.derived + $2
           returning derived - $2 as start
         )
         insert into deposit_addresses (keychain, position, address)
         select 'solana-test', kept.start + nth - 1, address
         from kept, unnest($1::text[]) with ordinality as made (address, nth)`,
        [addresses, ownersAtOnce],
      )
    }
    await client.query('vacuum analyze deposit_addresses')
    // The service follows its simulation since its start.
    await client.query(`delete from followed_blocks where gate_id = 'solana-test'`)
    await client.query(`delete from followed_chains where gate_id = 'solana-test'`)
  })
}

async function countPayments(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>('select count(*) from payments')
    return Number(rows[0]?.count)
  })
}
