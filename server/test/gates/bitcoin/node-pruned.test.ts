import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BlockRef } from '../../../src/domain/chain.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import type { CoinPlan } from '../../../src/domain/spends.ts'
import { noAddresses } from '../../../src/gates/gate.ts'
import { startCoinNode } from '../../support/nodes/coin-node.ts'
import { describeCoin, mainCoin } from '../../support/nodes/each-coin.ts'
import { type FaultProxy, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import { nodeHarness, openNodeGate } from './harness.ts'

const coin = mainCoin()
let harness: Awaited<ReturnType<typeof nodeHarness>>
let proxy: FaultProxy
let opened: ReturnType<typeof openNodeGate>
beforeAll(async () => {
  harness = await nodeHarness(coin)
  proxy = await startFaultProxy(harness.node.url)
})
beforeEach(() => {
  proxy.fault = null
  opened = openNodeGate(coin, { url: proxy.url })
})
afterAll(async () => {
  opened.close()
  await proxy.close()
  await harness.close()
})

/**
 * Makes the node answer for every block below a height as a pruned one does. A real one removes only whole files of 128 MB,
 * which the few blocks of regtest never fill.
 */
async function prune(height: bigint, message = 'Block not available (pruned data)'): Promise<void> {
  const gone = new Set<string>()
  for (let at = 0; at < height; at++) gone.add(await harness.node.ask('getblockhash', at))
  proxy.fault = async ({ body, ask }) => {
    if (body.method !== 'getblock' || !gone.has(body.params[0])) return ask()
    const error = { code: -1, message }
    return JSON.stringify({ result: null, error, id: body.id })
  }
}

async function signed() {
  const purse = await harness.purse()
  const to = harness.stranger
  const made = (feeTimes: bigint) => {
    const { signed: bytes, plan } = purse.sign({ to, units: 1_000_000n, feeTimes })
    return { bytes, candidate: { hash: bytes.hash, plan: plan as CoinPlan } }
  }
  return { first: made(1n), rival: made(9n) }
}

it('a block that a pruned node has removed is an outage that says what to do, and all others are read', async () => {
  const { gate } = opened
  const tip = await gate.tip()
  await prune(tip.height)
  const watched = harness.watch([])
  await expect(gate.block(1n, watched)).rejects.toBeInstanceOf(OutageError)
  await expect(gate.block(1n, watched)).rejects.toThrow(/no longer has block 1 .*prune/)
  expect(await gate.block(tip.height, watched)).toMatchObject(tip)
  // Headers stay, so the point where two branches part can always be found.
  expect(await gate.block(1n, noAddresses)).toMatchObject({ height: 1n })
})

it('the gate waits for blocks that a node has yet to download below a UTXO snapshot', async () => {
  const { gate } = opened
  const tip = await gate.tip()
  await prune(tip.height, 'Block not available (not fully downloaded)')
  await expect(gate.block(1n, harness.watch([]))).rejects.toBeInstanceOf(OutageError)
  await expect(gate.block(1n, harness.watch([]))).rejects.toThrow(/has not downloaded block 1 yet/)
  expect(await gate.block(tip.height, harness.watch([]))).toMatchObject(tip)
})

// Only Bitcoin Core can use small block files, which let it remove a few blocks.
describeCoin('bitcoin', () => {
  it('a node that has really removed its old blocks says so in words that we recognise', async () => {
    const node = await startCoinNode('bitcoin', '-disablewallet', '-fastprune', '-prune=1')
    const { gate, close } = openNodeGate('bitcoin', { url: node.url })
    try {
      await node.mine(700)
      const coinbases = new Map<number, { hash: string; block: BlockRef }>()
      for (const height of [1, 700]) {
        const hash = await node.ask('getblockhash', height)
        const { tx } = await node.ask('getblock', hash)
        coinbases.set(height, { hash: tx[0], block: { height: BigInt(height), hash } })
      }
      await node.ask('pruneblockchain', 400)
      const watched = harness.watch([])
      await expect(gate.block(1n, watched)).rejects.toThrow(/no longer has block 1 .*prune/)
      expect(await gate.block(1n, noAddresses)).toMatchObject({ height: 1n })
      expect(await gate.block(700n, watched)).toMatchObject(await gate.tip())
      const [gone, kept] = [coinbases.get(1), coinbases.get(700)]
      if (gone === undefined || kept === undefined) throw new Error('Both blocks were read.')
      const [refused, bytes] = (await gate.transactions?.fetch([gone, kept])) ?? []
      expect(refused).toMatchObject({
        refused: expect.stringMatching(/cannot show it from block 1 .*not available/),
      })
      expect(
        gate.spending.kind === 'coins' &&
          gate.spending.readOutputs(kept.hash, bytes as Uint8Array, [0])?.size,
      ).toBe(1)
    } finally {
      close()
      await node.close()
    }
  })
})

it('fates are found without the removed blocks, from unspent outputs and the newest blocks', async () => {
  const { gate } = opened
  const { first, rival } = await signed()
  expect(await gate.broadcast(first.bytes)).toBeNull()
  await harness.mine(1)
  const mined = await gate.tip()
  await harness.mine(2)

  await prune(mined.height)
  expect(await gate.fate([rival.candidate])).toMatchObject({ kind: 'ruled_out', block: mined })
  await prune(mined.height + 3n)
  // Its change is unspent, and shows its block.
  expect(await gate.fate([first.candidate, rival.candidate])).toMatchObject({ kind: 'mined', block: mined })
})

it('a fate that only a removed block could prove is never guessed', async () => {
  const { first, rival } = await signed()
  expect(await opened.gate.broadcast(first.bytes)).toBeNull()
  await harness.mine(1)
  await prune((await opened.gate.tip()).height + 1n)
  await expect(opened.gate.fate([rival.candidate])).rejects.toThrow('no longer has block')
})
