import { afterEach, beforeEach, expect, it } from 'vitest'
import { beginFollowing } from '../../../src/app/chain/begin-following.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import type { Commitment } from '../../../src/gates/solana/node-blocks.ts'
import { readingGate } from '../../gates/solana/harness.ts'
import { type ChainBench, openChainBench, priceOn } from '../../support/nodes/chain-bench.ts'
import { startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import {
  keyOf,
  type ScriptedSolana,
  solTo,
  startScriptedSolana,
} from '../../support/nodes/scripted-solana.ts'

let bench: ChainBench
let node: ScriptedSolana
let closers: (() => void)[]
beforeEach(async () => {
  bench = await openChainBench({ maxDepth: 50 })
  node = await startScriptedSolana()
  for (let at = 0; at < 120; at++) node.mine([], at % 9 === 0 ? 1 : 0)
  closers = []
})
afterEach(async () => {
  for (const close of closers) close()
  await node.close()
  await bench.close()
})

/** A gate that reads the node, as a process has it that has just started. */
function openGate(commitment: Commitment, confirmations: number): Gate {
  const { gate, close } = readingGate([node.url], { commitment, showsUnfinal: commitment === 'finalized' })
  closers.push(close)
  return Object.defineProperty(gate, 'network', { value: { ...gate.network, confirmations } })
}

const paid = async () =>
  bench.sql<{ units: string; height: string | null }>(
    'select units::text, block_height::text as height from payments order by seen_at, id',
  )

it('a payment is pending once confirmed and counts once final, across restarts, empty slots and a long absence', async () => {
  node.unfinal = 32
  const before = openGate('finalized', 1)
  await beginFollowing(bench.app.store, before, 50)
  await bench.settle(before)
  const [first, second] = [keyOf('first'), keyOf('second')]
  const [seen, missed] = [
    await bench.makeInvoice(before, { address: first }),
    await bench.makeInvoice(before, { address: second }),
  ]
  node.mine([solTo(first, Number(priceOn(before)))], 4)
  await bench.settle(before)
  expect(await bench.statusOf(seen.id)).toBe('pending')
  expect(await bench.eventsOf(seen.id)).toEqual(['invoice.payment_detected'])
  node.mineMany(32)
  await bench.settle(before)
  expect(await bench.statusOf(seen.id)).toBe('paid')

  // While the follower is stopped, hundreds of blocks pass, one of them with a payment.
  for (let at = 0; at < 300; at++)
    node.mine(at === 150 ? [solTo(second, Number(priceOn(before)))] : [], at % 11 === 0 ? 3 : 0)
  const after = openGate('finalized', 1)
  await bench.settle(after)
  expect(await bench.statusOf(missed.id)).toBe('paid')
  expect(await paid()).toEqual([
    { units: String(priceOn(after)), height: '121' },
    { units: String(priceOn(after)), height: '304' },
  ])
  expect(bench.halts).toEqual([])
})

it('a payment in a confirmed block that is replaced is reversed, and counts again where it comes back', async () => {
  const gate = openGate('confirmed', 3)
  await beginFollowing(bench.app.store, gate, 50)
  const to = keyOf('third')
  const { id } = await bench.makeInvoice(gate, { address: to })
  const payment = solTo(to, Number(priceOn(gate)))
  node.mine([payment])
  node.mineMany(3)
  await bench.settle(gate)
  expect(await bench.statusOf(id)).toBe('paid')

  node.fork(4)
  node.mine()
  await bench.settle(gate)
  expect(await paid()).toEqual([{ units: String(priceOn(gate)), height: null }])
  expect(await bench.eventsOf(id)).toContain('invoice.deposit_reversed')

  // After a restart on the new branch, it is executed again in a later block.
  const restarted = openGate('confirmed', 3)
  node.mine([payment], 2)
  node.mineMany(3)
  await bench.settle(restarted)
  expect(await paid()).toEqual([{ units: String(priceOn(gate)), height: '126' }])
  expect(await bench.statusOf(id)).toBe('paid')
  expect(bench.halts).toEqual([])
})

it.each([
  { showsUnfinal: true, requests: 16 },
  { showsUnfinal: false, requests: 8 },
])('a poll that finds five blocks makes $requests requests', async ({ showsUnfinal, requests }) => {
  const proxy = await startFaultProxy(node.url)
  node.unfinal = 32
  const { gate, close } = readingGate([proxy.url], { commitment: 'finalized', showsUnfinal })
  closers.push(close)
  await beginFollowing(bench.app.store, gate, 50)
  await bench.settle(gate)
  const before = proxy.requests
  node.mineMany(5)
  expect(await followChain(bench.app, gate)).toBe('advanced')
  expect(proxy.requests - before).toBe(requests)
  await proxy.close()
})
