/**
 * 300 blocks full of transactions on a real litecoind: following them (reading, matching, writing) compared with only
 * fetching and parsing the same blocks in the same run.
 */
import { Agent, request } from 'node:http'
import { fillPool } from '../../server/src/app/addresses/fill-pool.ts'
import { beginFollowing } from '../../server/src/app/chain/begin-following.ts'
import { followChain } from '../../server/src/app/chain/follow-chain.ts'
import { startCoinNode } from '../../server/test/support/nodes/coin-node.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { openBenchApp } from '../follow/app.ts'
import { type Ratio, shown } from '../measure.ts'
import { withDatabase } from '../service.ts'
import { makeFiller } from './full-blocks.ts'

const blocks = 300
const transactionsPerBlock = 30
const outputsPerTransaction = 80
const toUsPerBlock = 5
const watchedAddresses = 400
const rounds = 3

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const node = await startCoinNode('litecoin', '-disablewallet', '-rpcservertimeout=60')
  const gates = [
    { network: 'litecoin', environment: 'test', kind: 'bitcoin', rpc_url: node.url, chain: 'regtest' },
  ]
  const bench = await openBenchApp(folder.path, { gates })
  try {
    const fill = await makeFiller(node, transactionsPerBlock, outputsPerTransaction)
    const gate = bench.app.gates.find('litecoin-test')
    if (gate === null) throw new Error('there is no gate')
    const keychain = { id: gate.keychain, depositAddress: (index: number) => gate.depositAddress(index) }
    await fillPool(bench.app, [keychain], { low: watchedAddresses, full: watchedAddresses })
    const ours = Array.from({ length: watchedAddresses }, (_, at) => gate.depositAddress(at)?.address ?? '')
    await beginFollowing(bench.app.store, gate, bench.app.following.maxDepth)
    const first = Number((await gate.tip()).height) + 1
    // Each round follows a third of the blocks, and reads the same third alone before and after it.
    const each = blocks / rounds
    const measured: { ours: number; baseline: number }[] = []
    for (let round = 0; round < rounds; round++) {
      for (let made = 0; made < each; made++)
        await fill(Array.from({ length: toUsPerBlock }, (_, at) => ours[(made * 7 + at) % ours.length] ?? ''))
      const from = first + round * each
      await readAlone(node.url, from, each)
      const before = await timed(() => readAlone(node.url, from, each))
      const followed = await timed(async () => {
        while ((await followChain(bench.app, gate, { evenIfHeld: true })) === 'advanced');
      })
      const after = await timed(() => readAlone(node.url, from, each))
      measured.push({ ours: followed, baseline: (before + after) / 2 })
      console.log(
        `  ${each} blocks: read alone in ${shown(before, 'ms')} and ${shown(after, 'ms')}, followed in ${shown(followed, 'ms')}`,
      )
    }
    const found = await countPayments(bench.url)
    if (found !== blocks * toUsPerBlock) throw new Error(`${found} payments were found`)
    const total = { ours: 0, baseline: 0 }
    for (const { ours: took, baseline } of measured) {
      total.ours += took
      total.baseline += baseline
    }
    return {
      [`bitcoin-follow: ${blocks} blocks of ${transactionsPerBlock * outputsPerTransaction} outputs (at most 1.50)`]:
        {
          ...total,
          ratio: total.ours / total.baseline,
          unit: 'ms',
        },
    }
  } finally {
    await bench.close()
    await node.close()
    await folder.remove()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Fetches and parses blocks in the simplest way, one after the other over one connection. */
async function readAlone(nodeUrl: string, from: number, count: number): Promise<void> {
  const url = new URL(nodeUrl)
  const auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (method: string, ...params: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const asked = request(
        { agent, host: url.hostname, port: url.port, method: 'POST', auth },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')).result))
        },
      )
      asked.once('error', reject)
      asked.end(JSON.stringify({ id: 1, method, params }))
    })
  for (let height = from; height < from + count; height++)
    await ask('getblock', await ask('getblockhash', height), 2)
  agent.destroy()
}

async function countPayments(databaseUrl: string): Promise<number> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>('select count(*) from payments')
    return Number(rows[0]?.count)
  })
}
