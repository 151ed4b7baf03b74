/**
 * Blocks of 4,000 transfers with a million watched addresses: the time in our own code (matching, attributing, writing,
 * assessing) compared with fetching and parsing the same block from a node.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../server/src/app/app.ts'
import { doJobs } from '../../server/src/app/chain/do-jobs.ts'
import { followChain } from '../../server/src/app/chain/follow-chain.ts'
import type { BlockRef } from '../../server/src/domain/chain.ts'
import type { Gate, WatchedAddresses } from '../../server/src/gates/gate.ts'
import { makeTemporaryFolder } from '../../server/test/support/processes/temporary-folder.ts'
import { startServer } from '../load.ts'
import { type Ratio, shown } from '../measure.ts'
import { fillWithMadeUpAddresses, withDatabase } from '../service.ts'
import { openBenchApp } from './app.ts'
import { blockText, parseBlock } from './blocks.ts'

const watchedAddresses = 1_000_000
const transfersPerBlock = 4_000
const warmUps = 3
// How many of a block's transfers are to us, and how many such blocks.
const runs = [
  { name: '40 of 4000 transfers to us', toUs: 40, blocks: 9 },
  { name: 'all 4000 transfers to us', toUs: transfersPerBlock, blocks: 3 },
]
const paidInvoices = (runs[0]?.toUs ?? 0) * 12 + transfersPerBlock * 6

export async function run(): Promise<Record<string, Ratio>> {
  const folder = await makeTemporaryFolder('sluice-bench-', 'disk')
  const bench = await openBenchApp(folder.path)
  try {
    await fillWithMadeUpAddresses(bench.url, 'bitcoin-test', watchedAddresses)
    const ours = await makeInvoices(bench.url, bench.merchantId)
    const gate = bench.app.gates.find('bitcoin-test')
    if (gate === null) throw new Error('there is no gate')
    let tip = await gate.tip()
    const results: Record<string, Ratio> = {}
    for (const { name, toUs, blocks } of runs) {
      console.log(name)
      const chain = await writeBlocks(folder.path, tip, warmUps + blocks, () => ours.splice(0, toUs))
      const node = await startServer<{ url: string }>(
        [join(import.meta.dirname, 'node-server.ts'), ...chain.files],
        {},
      )
      const measured = await follow(bench.app, gate, node.ready.url, chain.refs)
      await node.stop()
      tip = chain.refs.at(-1) as BlockRef
      const isShare = toUs < transfersPerBlock
      results[`follow: ${name}, following${isShare ? ' (at most 1.00)' : ''}`] = measured.following
      results[`follow: ${name}, following and assessing`] = measured.everything
    }
    return results
  } finally {
    await bench.close()
    await folder.remove()
  }
}

async function follow(app: App, real: Gate, nodeUrl: string, refs: readonly BlockRef[]) {
  let reading = 0
  let at = 0
  const firstHeight = refs[0]?.height ?? 0n
  const gate: Gate = {
    ...real,
    tip: async () => refs[at] as BlockRef,
    look: async () => ({ tip: refs[at] as BlockRef, pending: [] }),
    pending: async () => [],
    async block(height: bigint, watched: WatchedAddresses) {
      const startedAt = performance.now()
      const text = await (await fetch(`${nodeUrl}/${height - firstHeight}`)).text()
      const block = parseBlock(text)
      reading = performance.now() - startedAt
      const ours = await watched.among(block.transfers.map(({ address }) => address))
      return { ...block, transfers: block.transfers.filter(({ address }) => ours.has(address)) }
    },
  }
  const following: Ratio[] = []
  const everything: Ratio[] = []
  for (; at < refs.length; at++) {
    const startedAt = performance.now()
    if ((await followChain(app, gate, { evenIfHeld: true })) !== 'advanced') throw new Error('not followed')
    const followed = performance.now() - startedAt - reading
    const workedAt = performance.now()
    while ((await doJobs(app)) > 0);
    const worked = performance.now() - workedAt
    if (at < warmUps) continue
    following.push(ratio(followed, reading))
    everything.push(ratio(followed + worked, reading))
    console.log(
      `  block ${at + 1 - warmUps}: read in ${shown(reading, 'ms')}, followed in ${shown(followed, 'ms')}, assessed in ${shown(worked, 'ms')}`,
    )
  }
  return { following: middle(following), everything: middle(everything) }
}

function ratio(ours: number, baseline: number): Ratio {
  return { ours, baseline, ratio: ours / baseline, unit: 'ms' }
}

function middle(ratios: readonly Ratio[]): Ratio {
  const sorted = [...ratios].sort((a, b) => a.ratio - b.ratio)
  return sorted[Math.floor(sorted.length / 2)] as Ratio
}

/** Writes consecutive blocks, each with some transfers to us and the rest to foreign addresses. */
async function writeBlocks(
  folder: string,
  base: BlockRef,
  count: number,
  takeOurs: () => readonly string[],
): Promise<{ files: string[]; refs: BlockRef[] }> {
  const refs: BlockRef[] = []
  const files: string[] = []
  let parent = base
  for (let nth = 0; nth < count; nth++) {
    const ref = { height: parent.height + 1n, hash: randomBytes(32).toString('hex') }
    const ours = takeOurs()
    const strangers = Array.from(
      { length: transfersPerBlock - ours.length },
      () => `tb1q${randomBytes(19).toString('hex')}`,
    )
    const file = join(folder, `block-${ref.height}.json`)
    const place = { hash: ref.hash, parentHash: parent.hash, height: Number(ref.height) }
    await writeFile(file, blockText(place, [...ours, ...strangers]))
    refs.push(ref)
    files.push(file)
    parent = ref
  }
  return { files, refs }
}

/** Creates invoices at the first addresses of the pool; returns the addresses. */
async function makeInvoices(databaseUrl: string, merchantId: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ deposit_address: string }>(
      `insert into invoices (id, merchant_id, environment, status, source, deferred, currency, network, gate_id, decimals,
         amount_units, required_confirmations, keychain, deposit_position, deposit_address, base_currency, tolerance_bps,
         fee_bps, link, window_seconds, expires_at, due_at, live_at)
       select gen_random_uuid(), $1, 'test', 'pending', 'api', false, 'BTC', 'bitcoin', 'bitcoin-test', 8, 150000, 2,
         keychain, position, address, 'USD', 0, 50, md5(address), 1800, clock_timestamp() + interval '1 hour',
         clock_timestamp() + interval '1 hour', clock_timestamp()
       from deposit_addresses where keychain = 'bitcoin-test' order by position desc limit $2
       returning deposit_address`,
      [merchantId, paidInvoices],
    )
    await client.query('vacuum analyze invoices')
    return rows.map((row) => row.deposit_address)
  })
}
