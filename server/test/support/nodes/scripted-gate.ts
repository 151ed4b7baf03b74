import type { Block, BlockRef, Transfer } from '../../../src/domain/chain.ts'
import { gateId, keychainOf } from '../../../src/domain/networks/network.ts'
import { type Gate, nativeOf } from '../../../src/gates/gate.ts'
import { testAssets } from '../../../src/simulator/gate/test-assets.ts'
import { testFamily } from '../../../src/simulator/gate/test-families.ts'
import { publicKeys } from '../../simulator/gate/keys.ts'
import { currencies, networkOf } from '../shop/registry.ts'

export type Script = {
  /** The node's branch, from its first block up. */
  blocks: Block[]
  mempool: Transfer[]
  /** How often each call was made. */
  readonly calls: { tip: number; block: number; pending: number }
  /** The addresses whose balances were requested, call by call. */
  readonly asked: (readonly string[])[]
  /** Whether the node still has the state of its blocks. */
  hasState: boolean
  /** Runs before each call is answered: may wait, throw, or change the chain. */
  before: (call: 'tip' | 'block' | 'pending', height?: bigint) => Promise<void> | void
  /** Appends blocks; the first of them contains the transfers and the other changes of balances. */
  mine(count: number, transfers?: readonly Transfer[], changes?: Changes): void
  /** Replaces the last `depth` blocks by `count` others, on a branch of that name. */
  fork(depth: number, count: number, transfers?: readonly Transfer[], changes?: Changes): void
  readonly tip: BlockRef
}

/** By address: native currency that comes or goes without a transfer in the block. */
export type Changes = Readonly<Record<string, bigint>>

const genesisTime = Date.parse('2026-01-01T00:00:00Z')
let branches = 0

/** A gate whose node does exactly what a test tells it to. It stands in for a real one, not for the simulator. */
export function scriptedGate(options: { startHeight?: number; network?: string; balances?: boolean } = {}): {
  gate: Gate
  script: Script
} {
  const network = networkOf(options.network ?? 'bitcoin')
  const changesIn = new Map<string, Changes>()
  let branch = `branch ${++branches}`
  const script: Script = {
    blocks: [blockOn(null, BigInt(options.startHeight ?? 0), [])],
    mempool: [],
    calls: { tip: 0, block: 0, pending: 0 },
    asked: [],
    hasState: true,
    before: () => {},
    mine(count, transfers = [], changes = {}) {
      for (let made = 0; made < count; made++) {
        const last = script.blocks.at(-1) as Block
        const block = blockOn(last, last.height + 1n, made === 0 ? transfers : [])
        script.blocks.push(block)
        if (made === 0) changesIn.set(block.hash, changes)
      }
    },
    fork(depth, count, transfers = [], changes = {}) {
      branch = `branch ${++branches}`
      script.blocks = script.blocks.slice(0, script.blocks.length - depth)
      script.mine(count, transfers, changes)
    },
    get tip() {
      const { height, hash } = script.blocks.at(-1) as Block
      return { height, hash }
    },
  }

  function blockOn(parent: Block | null, height: bigint, transfers: readonly Transfer[]): Block {
    return {
      height,
      hash: `${branch}: ${height}`,
      parentHash: parent?.hash ?? 'nothing',
      minedAt: new Date(genesisTime + Number(height) * 1_000),
      transfers,
    }
  }

  const assets = testAssets(currencies, network)
  const native = nativeOf(assets).currency

  /** The balance of an address after these blocks. */
  function heldAfter(blocks: readonly Block[], address: string): bigint {
    let units = 0n
    for (const { hash, transfers } of blocks) {
      for (const transfer of transfers)
        if (transfer.address === address && transfer.currency === native) units += transfer.units
      units += changesIn.get(hash)?.[address] ?? 0n
    }
    return units
  }

  const gate: Gate = {
    ...testFamily(network, publicKeys, currencies),
    id: gateId(network.id, 'test'),
    network,
    environment: 'test',
    keychain: keychainOf(network, 'test'),
    chain: 'scripted',
    assets,
    simulated: null,
    async tip() {
      script.calls.tip++
      await script.before('tip')
      return script.tip
    },
    async block(height) {
      script.calls.block++
      await script.before('block', height)
      return script.blocks.find((block) => block.height === height) ?? null
    },
    async pending() {
      script.calls.pending++
      await script.before('pending')
      return [...script.mempool]
    },
    feeRate: async () => 1n,
    broadcast: async () => 'This node accepts nothing.',
    unspent: null,
    transactions: null,
    fate: async () => ({ kind: 'unknown' }),
    nextNonce: async () => 0n,
    ...(options.balances === true && {
      async balances(addresses: readonly string[], { hash }: BlockRef) {
        script.asked.push(addresses)
        const last = script.blocks.findIndex((block) => block.hash === hash)
        if (last === -1 || !script.hasState) return null
        const blocks = script.blocks.slice(0, last + 1)
        return new Map(addresses.map((address) => [address, heldAfter(blocks, address)]))
      },
    }),
  }
  return { gate, script }
}

/** A promise that another party settles. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
