import { randomBytes } from 'node:crypto'
import type { App } from '../../server/src/app/app.ts'
import { doJobs } from '../../server/src/app/chain/do-jobs.ts'
import { followChain } from '../../server/src/app/chain/follow-chain.ts'
import type { Block } from '../../server/src/domain/chain.ts'
import type { Gate, WatchedAddresses } from '../../server/src/gates/gate.ts'
import type { BenchApp } from '../follow/app.ts'
import { withDatabase } from '../service.ts'

const blocks = 25
const warmUps = 5
const transfers = 4_000
const toUs = 40
const id = 'bitcoin-test'

/**
 * The least time for following and booking a block of 4,000 transfers, 40 of them to open invoices; on both in turn. Null if
 * an earlier run has paid the open invoices.
 */
export async function followBlocks(small: BenchApp, large: BenchApp): Promise<[number, number] | null> {
  const times: [number[], number[]] = [[], []]
  const chains = [await openChain(small), await openChain(large)] as const
  if (chains.some(({ payable }) => payable < blocks)) return null
  for (let nth = 0; nth < blocks; nth++) {
    for (const [at, chain] of chains.entries()) {
      const took = await chain.follow()
      if (nth >= warmUps) times[at]?.push(took)
    }
  }
  return [Math.min(...times[0]), Math.min(...times[1])]
}

/**
 * A chain that goes on where the stored one ends. `follow` adds a block that pays 40 open invoices, and returns the time it
 * took; there are enough for `payable` blocks.
 */
export async function openChain({
  app,
  url,
}: BenchApp): Promise<{ readonly payable: number; follow(): Promise<number> }> {
  await beginFollowing(app)
  const real = app.gates.find(id)
  const chain = await app.store.followedChains.find(id)
  if (real === null || chain === null) throw new Error(`There is no gate ${id}.`)
  const addresses = await withDatabase(url, async (client) => {
    const { rows } = await client.query<{ address: string }>(
      `select deposit_address as address from invoices where gate_id = $1 and status = 'pending' and due_at is not null`,
      [id],
    )
    return rows.map(({ address }) => address)
  })
  let tip = chain.tip
  return {
    payable: Math.floor(addresses.length / toUs),
    async follow() {
      const ours = addresses.splice(0, toUs)
      if (ours.length < toUs) throw new Error('There are too few open invoices.')
      const block = makeBlock(tip, ours)
      tip = { height: block.height, hash: block.hash }
      const gate = gateOn(real, chain.chain, block)
      const startedAt = performance.now()
      await followOne(app, gate)
      return performance.now() - startedAt
    },
  }
}

async function beginFollowing(app: App): Promise<void> {
  const gate = app.gates.find(id)
  if (gate !== null && (await app.store.followedChains.find(id)) === null) await followChain(app, gate)
}

async function followOne(app: App, gate: Gate): Promise<void> {
  if ((await followChain(app, gate, { evenIfHeld: true })) !== 'advanced') throw new Error('not followed')
  while ((await doJobs(app)) > 0);
}

function makeBlock(parent: { height: bigint; hash: string }, ours: readonly string[]): Block {
  const strangers = Array.from(
    { length: transfers - ours.length },
    () => `tb1q${randomBytes(16).toString('hex')}`,
  )
  return {
    height: parent.height + 1n,
    hash: randomBytes(32).toString('hex'),
    parentHash: parent.hash,
    minedAt: new Date(),
    transfers: [...ours, ...strangers].map((address) => ({
      txHash: randomBytes(32).toString('hex'),
      outputIndex: 0,
      currency: 'BTC',
      address,
      tag: null,
      units: 150_000n,
    })),
  }
}

function gateOn(real: Gate, chain: string, block: Block): Gate {
  return {
    ...real,
    chain,
    tip: async () => block,
    look: async () => ({ tip: block, pending: [] }),
    pending: async () => [],
    async block(_height: bigint, watched: WatchedAddresses) {
      const ours = await watched.among(block.transfers.map(({ address }) => address))
      return { ...block, transfers: block.transfers.filter(({ address }) => ours.has(address)) }
    },
  }
}
