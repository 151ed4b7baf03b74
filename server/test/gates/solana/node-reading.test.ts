import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Block } from '../../../src/domain/chain.ts'
import { OutageError } from '../../../src/domain/errors.ts'
import { noAddresses, WrongChainError } from '../../../src/gates/gate.ts'
import type { SolanaReadingOptions } from '../../../src/gates/solana/node-reading.ts'
import { changing, type FaultProxy, limiting, startFaultProxy } from '../../support/nodes/fault-proxy.ts'
import {
  keyOf,
  madeTransaction,
  type ScriptedSolana,
  solTo,
  startScriptedSolana,
} from '../../support/nodes/scripted-solana.ts'
import { watching } from '../watch.ts'
import { openReading } from './reading.ts'

const ours = keyOf('ours')
const watched = () => watching([{ address: ours, tag: null }])

let node: ScriptedSolana
let proxy: FaultProxy
let opened: ReturnType<typeof openReading>[]
beforeEach(async () => {
  node = await startScriptedSolana()
  proxy = await startFaultProxy(node.url)
  opened = []
})
afterEach(async () => {
  for (const { close } of opened) close()
  await proxy.close()
  await node.close()
})

function open(options: Partial<SolanaReadingOptions> = {}, urls = [proxy.url]) {
  const made = openReading(urls, { ...options, rpc: { timeoutMs: 4_000 } })
  opened.push(made)
  return made.reading
}

/** The blocks above a height up to the tip, each on top of the one before. */
async function follow(reading: ReturnType<typeof open>, from: bigint, ours = watched()): Promise<Block[]> {
  const tip = await reading.tip()
  const blocks: Block[] = []
  let parent = (await reading.block(from, noAddresses))?.hash
  for (let height = from + 1n; height <= tip.height; height++) {
    const block = (await reading.block(height, ours)) as Block
    expect(block).toMatchObject({ height, parentHash: parent })
    parent = block.hash
    blocks.push(block)
  }
  expect(parent).toBe(tip.hash)
  return blocks
}
const paidIn = (blocks: readonly Block[]) =>
  blocks.flatMap(({ height, transfers }) => transfers.map(({ units }) => [Number(height), Number(units)]))
const calls = (method: string) => proxy.calls.get(method) ?? 0

describe('heights', () => {
  it('count blocks, so that empty slots leave no gap', async () => {
    for (const skip of [0, 3, 0, 0, 40, 1]) node.mine([solTo(ours, 1_000_000 + skip)], skip)
    const reading = open()
    expect(await reading.tip()).toEqual({ height: 6n, hash: node.top.hash })
    expect(node.top.slot).toBe(50)
    expect(paidIn(await follow(reading, 0n))).toEqual([
      [1, 1_000_000],
      [2, 1_000_003],
      [3, 1_000_000],
      [4, 1_000_000],
      [5, 1_000_040],
      [6, 1_000_001],
    ])
  })

  it('of blocks to come are null, and then are not', async () => {
    node.mineMany(2)
    const reading = open()
    expect(await reading.block(3n, watched())).toBeNull()
    expect(await reading.block(3n, noAddresses)).toBeNull()
    expect(await reading.block(2n ** 60n, watched())).toBeNull()
    node.mine([], 5)
    expect(await reading.block(3n, watched())).toMatchObject({ height: 3n, hash: node.top.hash })
  })

  it('are found again after a restart without walking there', async () => {
    for (let at = 0; at < 4_000; at++) node.mine([], at % 10 === 0 ? 2 : 0)
    const before = open()
    const stored = await before.block(1_234n, noAddresses)
    const reading = open()
    proxy.calls.clear()
    const next = await reading.block(1_235n, watched())
    expect(next).toMatchObject({ height: 1_235n, parentHash: stored?.hash })
    expect(Object.fromEntries(proxy.calls)).toMatchObject({ getBlocks: 1, getBlock: 2 })
  })

  it('thousands behind are caught up with, several blocks at a time, each fetched once', async () => {
    for (let at = 1; at <= 1_500; at++)
      node.mine(at % 500 === 0 ? [solTo(ours, at)] : [], at % 10 === 0 ? 1 : 0)
    const reading = open({}, [node.url])
    await reading.tip()
    node.calls.clear()
    const blocks = await follow(reading, 0n)
    expect(paidIn(blocks)).toEqual([500, 1_000, 1_500].map((at) => [at, at]))
    // Besides, the newest one and block 0 are looked at without their transactions.
    expect(node.calls.get('getBlock')).toBe(1_502)
    expect(node.calls.get('getBlocks')).toBe(1)
  })

  it('go on while the chain does, by listing only what is new', async () => {
    node.mineMany(50)
    const reading = open()
    await follow(reading, 40n)
    proxy.calls.clear()
    for (let round = 0; round < 5; round++) {
      node.mine([], 2)
      node.mine([solTo(ours, 7)])
      expect(paidIn(await follow(reading, BigInt(50 + round * 2)))).toEqual([[52 + round * 2, 7]])
    }
    expect(calls('getBlocks')).toBe(5)
  })

  it('of a node that names slots before it shows their blocks end where it shows them', async () => {
    node.mineMany(9)
    node.mine([], 30)
    node.showsLate = true
    const reading = open()
    expect((await reading.tip()).height).toBe(9n)
    node.showsLate = false
    expect((await reading.tip()).height).toBe(10n)
    expect(await follow(reading, 5n)).toHaveLength(5)
  })

  it('may fall behind for a while, as when another node answers under the same address', async () => {
    node.mineMany(20)
    const reading = open()
    await follow(reading, 10n)
    proxy.fault = changing('getSlot', () => 18)
    expect((await reading.tip()).height).toBe(18n)
    expect(await follow(reading, 15n)).toHaveLength(3)
    proxy.fault = null
    expect((await reading.tip()).height).toBe(20n)
    expect(await follow(reading, 15n)).toHaveLength(5)
  })
})

describe('a node without some of the blocks', () => {
  it('that it has cleaned up is an outage that says so, and the others can be read', async () => {
    node.mineMany(100)
    const reading = open()
    await reading.tip()
    node.prune(20)
    await expect(reading.block(40n, watched())).rejects.toThrow('no longer has the block at height 40')
    expect(await reading.block(40n, noAddresses)).toBeNull()
    expect(await follow(reading, 81n)).toHaveLength(19)
  })

  it('that it cleans up after listing them is the same', async () => {
    node.mineMany(100)
    const reading = open()
    await reading.block(40n, watched())
    node.prune(20)
    await expect(reading.block(41n, watched())).rejects.toThrow('no longer has the block at height 41')
  })

  it('that it lost in the middle never makes two heights of one, nor one of two', async () => {
    for (let at = 1; at <= 30; at++) node.mine([solTo(ours, at)])
    node.lose(20)
    const reading = open()
    for (const height of [20n, 19n, 5n])
      await expect(reading.block(height, watched())).rejects.toBeInstanceOf(OutageError)
    expect(paidIn([(await reading.block(22n, watched())) as Block])).toEqual([[22, 22]])
  })
})

describe('confirmed blocks', () => {
  it('may be replaced, which shows in the hash of the parent, and payments are read from the new branch', async () => {
    node.mineMany(5)
    const gone = solTo(ours, 111)
    const moved = solTo(ours, 222)
    node.mine([gone])
    node.mine([moved])
    node.mine()
    const reading = open({ commitment: 'confirmed' })
    const old = await follow(reading, 4n)
    expect(paidIn(old)).toEqual([
      [6, 111],
      [7, 222],
    ])
    node.fork(3, [[], [], [moved]])
    node.mine()
    const now = await follow(reading, 4n)
    expect(paidIn(now)).toEqual([[8, 222]])
    expect(now[0]?.hash).toBe(old[0]?.hash)
    expect(now[1]?.hash).not.toBe(old[1]?.hash)
    expect(now.flatMap(({ transfers }) => transfers)[0]).toEqual(old.flatMap(({ transfers }) => transfers)[1])
  })

  it('that are replaced between two requests are read from the new branch as well', async () => {
    node.mineMany(10)
    const reading = open({ commitment: 'confirmed' })
    await reading.tip()
    node.fork(4, [[solTo(ours, 5)]])
    expect(await reading.block(7n, watched())).toMatchObject({ height: 7n, transfers: [{ units: 5n }] })
    expect(await reading.tip()).toEqual({ height: 10n, hash: node.top.hash })
  })

  it('are not followed up to finality, but their payments are shown as pending', async () => {
    node.mineMany(40)
    node.unfinal = 32
    node.mine([solTo(ours, 9)])
    const [plain, eager] = [open(), open({ showsUnfinal: true })]
    for (const reading of [plain, eager]) {
      expect((await reading.tip()).height).toBe(9n)
      expect(await reading.block(41n, watched())).toBeNull()
    }
    expect(await plain.pending(watched())).toEqual([])
    expect(await plain.look(watched())).toMatchObject({ tip: { height: 9n }, pending: [] })
    const [pending] = await eager.pending(watched())
    expect(pending).toMatchObject({ address: ours, units: 9n })
    expect(await eager.look(watched())).toEqual({ tip: await eager.tip(), pending: [pending] })
    // Each is read once for that.
    proxy.calls.clear()
    node.mineMany(2)
    expect(await eager.pending(watched())).toEqual([pending])
    expect(calls('getBlock')).toBe(4)
    node.fork(20)
    expect(await eager.pending(watched())).toEqual([])
    node.fork(5, [[solTo(ours, 9)]])
    expect(await eager.pending(watched())).toHaveLength(1)
    node.mineMany(32)
    expect(await eager.pending(watched())).toEqual([])
    expect(paidIn(await follow(eager, 30n))).toEqual([[39, 9]])
  })
})

describe('several nodes', () => {
  it('must agree on a block that pays us, and only one is asked about others', async () => {
    node.mine([solTo(ours, 5)])
    node.mine()
    const other = await startFaultProxy(node.url)
    const reading = open({ agreement: 2 }, [proxy.url, other.url])
    expect(paidIn(await follow(reading, 0n))).toEqual([[1, 5]])
    expect(other.calls.get('getBlock')).toBe(2)
    for (const fault of [
      changing('getBlock', (block) => ({ ...block, transactions: [] })),
      changing('getBlock', (block) => ({ ...block, blockhash: keyOf('another') })),
      changing('getBlock', ({ transactions, ...block }) => ({
        ...block,
        transactions: transactions?.map(({ meta, ...each }: { meta: { postBalances: number[] } }) => ({
          ...each,
          meta: { ...meta, postBalances: meta.postBalances.map((units) => units + 1) },
        })),
      })),
    ]) {
      other.fault = fault
      await expect(reading.block(1n, watched())).rejects.toThrow('do not agree')
    }
    await other.close()
  })

  it('must be on the same chain, and on the right one', async () => {
    const other = await startScriptedSolana(keyOf('another genesis'))
    node.mine()
    other.mine()
    const reading = open({}, [proxy.url, other.url])
    await expect(reading.checkChain()).rejects.toBeInstanceOf(WrongChainError)
    const right = open({ genesis: keyOf('genesis') })
    expect(right.chain()).toBeNull()
    await right.tip()
    expect(right.chain()).toBe(`solana ${keyOf('genesis')}`)
    const wrong = open({ genesis: keyOf('mainnet') })
    await expect(wrong.tip()).rejects.toBeInstanceOf(WrongChainError)
    expect(wrong.chain()).toBeNull()
    await other.close()
  })
})

describe('a provider', () => {
  it('with a rate limit is asked more slowly, and nothing is missed', async () => {
    for (let at = 1; at <= 12; at++) node.mine([solTo(ours, at)])
    const reading = open()
    await reading.tip()
    const limit = limiting(8)
    proxy.fault = limit
    expect(paidIn(await follow(reading, 0n))).toHaveLength(12)
    expect(limit.refused()).toBeGreaterThan(0)
  })

  it('tells an address’s balance', async () => {
    node.balances.set(ours, 123_456)
    expect(await open().nativeBalance(ours)).toBe(123_456n)
  })

  it('sends blocks whole where it is asked to', async () => {
    node.mine([
      solTo(ours, 5),
      madeTransaction({ accounts: [{ address: ours, after: 6, table: 'writable' }] }),
    ])
    expect(paidIn(await follow(open({ details: 'full' }), 0n))).toEqual([
      [1, 5],
      [1, 6],
    ])
  })
})
