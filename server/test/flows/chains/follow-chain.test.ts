import { afterAll, beforeAll, expect, it } from 'vitest'
import { doJobs } from '../../../src/app/chain/do-jobs.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { type ChainBench, openChainBench, transferTo } from '../../support/nodes/chain-bench.ts'
import { scriptedGate, signal } from '../../support/nodes/scripted-gate.ts'

const networks = [
  'bitcoin',
  'litecoin',
  'ethereum',
  'polygon',
  'bsc',
  'base',
  'arbitrum',
  'optimism',
  'solana',
]
let bench: ChainBench
let used = 0
beforeAll(async () => {
  bench = await openChainBench()
})
afterAll(() => bench.close())

/** A gate that no other test of this file follows. */
const freshGate = (startHeight = 10) => bench.follow({ network: networks[used++] ?? 'none', startHeight })
const blocksOf = async (gateId: string) =>
  (
    await bench.sql<{ height: string; hash: string }>(
      'select height, hash from followed_blocks where gate_id = $1 order by height',
      [gateId],
    )
  ).map(({ height, hash }) => `${height} ${hash}`)
const stateOf = async (gateId: string) =>
  (await bench.sql('select * from followed_chains where gate_id = $1', [gateId]))[0]
const paymentsOf = (invoiceId: string) =>
  bench.sql<{ waiting: boolean; block_height: string | null; seen_at: Date }>(
    'select waiting, block_height, seen_at from payments where invoice_id = $1 order by tx_hash',
    [invoiceId],
  )

it('many concurrent followers write every block and payment once', async () => {
  const { gate, script } = await freshGate()
  const { id, place } = await bench.makeInvoice(gate)
  const processes = Array.from({ length: 6 }, () => bench.process())
  for (let round = 0; round < 5; round++) {
    script.mine(3, [transferTo(gate, place)])
    await Promise.all(processes.map((each) => bench.catchUp(gate, each)))
  }
  await bench.catchUp(gate)
  expect(await blocksOf(gate.id)).toEqual(script.blocks.map(({ height, hash }) => `${height} ${hash}`))
  expect(await paymentsOf(id)).toHaveLength(5)
})

it('a follower that hung while another went on writes nothing', async () => {
  const { gate, script } = await freshGate()
  const { id, place } = await bench.makeInvoice(gate)
  script.mine(2, [transferTo(gate, place)])
  const reached = signal()
  const resume = signal()
  // The stale follower has read everything of the old branch when it is stopped.
  const stale = {
    ...gate,
    pending: async () => {
      const seen = [...script.mempool]
      reached.give()
      await resume.given
      return seen
    },
    tip: (() => {
      const old = script.tip
      return async () => old
    })(),
  }
  const outcome = followChain(bench.process(), stale, { evenIfHeld: true })
  await reached.given
  script.fork(1, 3)
  await bench.catchUp(gate)
  const before = {
    state: await stateOf(gate.id),
    blocks: await blocksOf(gate.id),
    payments: await paymentsOf(id),
  }
  resume.give()
  expect(await outcome).toBe('held')
  expect({
    state: await stateOf(gate.id),
    blocks: await blocksOf(gate.id),
    payments: await paymentsOf(id),
  }).toEqual(before)
})

it('the follower that holds a chain keeps others from it, and another takes over when the hold expires', async () => {
  const { gate, script } = await freshGate()
  const first = bench.process()
  const second = bench.process()
  script.mine(1)
  expect(await followChain(first, gate)).toBe('advanced')
  script.mine(1)
  const { calls } = script
  const asked = { ...calls }
  expect(await followChain(second, gate)).toBe('held')
  expect(calls).toEqual(asked)
  expect(await followChain(first, gate)).toBe('advanced')
  await bench.sql(
    `update followed_chains set held_until = clock_timestamp() - interval '1 second' where gate_id = $1`,
    [gate.id],
  )
  script.mine(1)
  expect(await followChain(second, gate)).toBe('advanced')
  script.mine(1)
  expect(await followChain(first, gate)).toBe('held')
})

it('300 missed blocks are processed in two transactions, and no payment in them is lost', async () => {
  const { gate, script } = await freshGate()
  const early = await bench.makeInvoice(gate)
  const late = await bench.makeInvoice(gate)
  script.mine(150, [transferTo(gate, early.place)])
  script.mine(150, [transferTo(gate, late.place)])
  const before = await stateOf(gate.id)
  await bench.settle(gate)
  const after = await stateOf(gate.id)
  expect(Number(after?.revision) - Number(before?.revision)).toBe(2)
  expect([await bench.statusOf(early.id), await bench.statusOf(late.id)]).toEqual(['paid', 'paid'])
  // Only as many blocks are kept as a reorganisation may replace.
  expect(await blocksOf(gate.id)).toHaveLength(101)
})

it('a transaction mined between reading the blocks and reading the mempool does not count as vanished', async () => {
  const { gate, script } = await freshGate()
  const { id, place } = await bench.makeInvoice(gate)
  const payment = transferTo(gate, place)
  script.mempool = [payment]
  await bench.settle(gate)
  expect(await paymentsOf(id)).toMatchObject([{ waiting: true }])
  script.mine(1)
  script.before = (call) => {
    if (call !== 'pending') return
    script.before = () => {}
    script.mempool = []
    script.mine(1, [payment])
  }
  await followChain(bench.app, gate)
  expect(await paymentsOf(id)).toMatchObject([{ waiting: true, block_height: null }])
  await bench.settle(gate)
  expect(await paymentsOf(id)).toMatchObject([{ waiting: false, block_height: String(script.tip.height) }])
  expect(await bench.eventsOf(id)).not.toContain('invoice.deposit_reversed')
})

it('a payment returned to the mempool by a reorganisation is not given up while the mempool cannot be read', async () => {
  const { gate, script } = await freshGate()
  const { id, place } = await bench.makeInvoice(gate)
  const payment = transferTo(gate, place)
  script.mine(1, [payment])
  await bench.settle(gate)
  // The window has ended and the chain was scanned since: only the payment, seen in time, keeps the invoice from expiring.
  await bench.sql(
    `update invoices set expires_at = clock_timestamp(), due_at = clock_timestamp() where id = $1`,
    [id],
  )
  script.mine(1)
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('pending')

  script.fork(2, 3)
  script.mempool = [payment]
  // The chain grows while the mempool is read, so this scan says nothing about it.
  script.before = (call) => {
    if (call !== 'pending') return
    script.before = () => {}
    script.mine(1)
  }
  expect(await followChain(bench.app, gate)).toBe('advanced')
  await doJobs(bench.app)
  expect(await bench.statusOf(id)).toBe('pending')

  script.mempool = []
  script.mine(gate.network.confirmations, [payment])
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('paid')
  expect(await bench.eventsOf(id)).not.toContain('invoice.expired')
})

it('a payment counts as seen at the earlier of our first sight and its block’s time, even if first seen in the mempool', async () => {
  const { gate, script } = await freshGate()
  const made = await Promise.all([1, 2, 3].map(() => bench.makeInvoice(gate)))
  const [past, future, waited] = made.map(({ place }) => transferTo(gate, place))
  if (past === undefined || future === undefined || waited === undefined) throw new Error('three were made')
  const seenAt = async (nth: number) => (await paymentsOf(made[nth]?.id ?? ''))[0]?.seen_at as Date

  script.mempool = [waited]
  await bench.catchUp(gate)
  const sighted = await seenAt(2)
  script.mempool = []
  script.mine(1, [past, waited])
  const old = script.blocks.at(-1)?.minedAt
  script.mine(1, [future])
  script.blocks = script.blocks.map((block) =>
    block.transfers.includes(future) ? { ...block, minedAt: new Date('2999-01-01') } : block,
  )
  const before = await bench.sql<{ now: Date }>('select clock_timestamp() as now')
  await bench.catchUp(gate)
  expect(await seenAt(0)).toEqual(old)
  const ours = await seenAt(1)
  expect(Math.abs(ours.getTime() - (before[0]?.now.getTime() ?? 0))).toBeLessThan(60_000)
  expect(await seenAt(2)).toEqual(old)
  expect(sighted.getTime()).toBeGreaterThan(old?.getTime() ?? Number.POSITIVE_INFINITY)
})

it('a reorganisation deeper than allowed halts the gate, is reported once, and nothing more is written', async () => {
  const deepBench = await openChainBench({ maxDepth: 5 })
  try {
    const { gate, script } = await deepBench.follow()
    const { id, place } = await deepBench.makeInvoice(gate)
    script.mine(10, [transferTo(gate, place)])
    await deepBench.settle(gate)
    script.fork(6, 8)
    expect(await followChain(deepBench.app, gate)).toBe('halted')
    expect(await followChain(deepBench.process(), gate)).toBe('halted')
    expect(deepBench.halts).toEqual([expect.stringContaining('deeper than 5 blocks below height 10')])
    script.mine(1)
    expect(await followChain(deepBench.app, gate)).toBe('halted')
    expect(await deepBench.app.store.followedChains.heights()).toEqual(new Map())
    expect(await deepBench.statusOf(id)).toBe('paid')
  } finally {
    await deepBench.close()
  }
})

it('following begins once, at the chain’s tip, whichever process comes first', async () => {
  const { gate, script } = scriptedGate({ network: 'solana', startHeight: 77 })
  await Promise.all(Array.from({ length: 8 }, () => followChain(bench.process(), gate)))
  expect(await blocksOf(gate.id)).toEqual([`77 ${script.tip.hash}`])
})

it('a mempool that still shows a mined transaction changes nothing', async () => {
  const { gate, script } = await bench.follow({ network: 'xrp', startHeight: 10 })
  const { id, place } = await bench.makeInvoice(gate)
  const payment = transferTo(gate, place)
  script.mempool = [payment]
  script.mine(1, [payment])
  await bench.catchUp(gate)
  expect(await followChain(bench.app, gate, { evenIfHeld: true })).toBe('idle')
  expect(await paymentsOf(id)).toMatchObject([{ waiting: false, block_height: '11' }])
})

it('a lagging node changes nothing, not even the time of the last scan', async () => {
  const { gate, script } = await freshGate()
  script.mine(20)
  await bench.catchUp(gate)
  await bench.makeInvoice(gate, { windowSeconds: -1 })
  const before = await stateOf(gate.id)
  script.blocks = script.blocks.slice(0, -5)
  expect(await followChain(bench.app, gate)).toBe('idle')
  expect(await stateOf(gate.id)).toEqual(before)
})
