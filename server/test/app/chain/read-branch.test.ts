import { describe, expect, it } from 'vitest'
import { readBranch } from '../../../src/app/chain/read-branch.ts'
import type { Block, BlockRef, Transfer } from '../../../src/domain/chain.ts'
import { GateOutageError } from '../../../src/gates/gate.ts'
import { scriptedGate } from '../../support/nodes/scripted-gate.ts'

const maxDepth = 100
const all = async (addresses: readonly string[]) => new Set(addresses)
const watched = { among: all, amongLower: all }

/** A node with this many blocks, followed up to its tip. */
function followed(height: number) {
  const { gate, script } = scriptedGate()
  script.mine(height)
  let tip = script.tip
  let ours = [...script.blocks]
  const read = async () =>
    readBranch(gate, tip, watched, {
      nodeTip: await gate.tip(),
      hashes: async () =>
        new Map(
          ours
            .filter((block) => block.height >= tip.height - BigInt(maxDepth))
            .map((block) => [block.height, block.hash]),
        ),
      maxDepth,
    })
  const take = (base: BlockRef, blocks: readonly Block[]) => {
    ours = [...ours.filter(({ height }) => height <= base.height), ...blocks]
    tip = ours.at(-1) as Block
  }
  return { gate, script, read, take, tip: () => tip }
}

const heights = (blocks: readonly Block[]) => blocks.map(({ height }) => Number(height))
const transfer = (n: number): Transfer => ({
  txHash: `tx ${n}`,
  outputIndex: 0,
  currency: 'BTC',
  address: 'a',
  tag: null,
  units: 1n,
})

describe('a branch that continues', () => {
  it('an unchanged tip yields nothing, and costs one request', async () => {
    const { script, read } = followed(5)
    expect(await read()).toEqual({ kind: 'nothing', nodeTip: script.tip })
    expect(script.calls).toEqual({ tip: 1, block: 0, pending: 0 })
  })

  it('new blocks are read in order', async () => {
    const { script, read } = followed(5)
    script.mine(3)
    const step = await read()
    expect(step.kind === 'extend' && heights(step.blocks)).toEqual([6, 7, 8])
    expect(script.calls.block).toBe(3)
  })

  it('several blocks are read at once where the gate can, as few as it likes, and none is skipped', async () => {
    const { gate, script, read } = followed(5)
    script.mine(8)
    const runs: [number, number][] = []
    Object.assign(gate, {
      blocks: async (first: bigint, last: bigint) => {
        runs.push([Number(first), Number(last)])
        return script.blocks.filter(({ height }) => height >= first && height <= last).slice(0, 3)
      },
    })
    const step = await read()
    expect(step.kind === 'extend' && heights(step.blocks)).toEqual([6, 7, 8, 9, 10, 11, 12, 13])
    expect(runs).toEqual([
      [7, 13],
      [10, 13],
    ])
    expect(script.calls.block).toBe(2)
  })

  it('many missed blocks are read in bounded steps, none twice and none skipped', async () => {
    const { script, read, take, tip } = followed(1)
    script.mine(950)
    const taken: number[] = []
    const sizes: number[] = []
    for (let step = await read(); step.kind === 'extend'; step = await read()) {
      taken.push(...heights(step.blocks))
      sizes.push(step.blocks.length)
      take(tip(), step.blocks)
    }
    expect(taken).toEqual(Array.from({ length: 950 }, (_, n) => n + 2))
    expect(sizes).toEqual([200, 200, 200, 200, 150])
  })

  it('a step also ends when it holds many transfers', async () => {
    const { script, read } = followed(1)
    for (let block = 0; block < 5; block++)
      script.mine(
        1,
        Array.from({ length: 3_000 }, (_, n) => transfer(block * 3_000 + n)),
      )
    const step = await read()
    expect(step.kind === 'extend' && heights(step.blocks)).toEqual([2, 3])
  })
})

describe('a reorganisation', () => {
  it.each([1, 2, 3, 10, 50, 99, 100])('%s deep is found down to the common block', async (depth) => {
    const { script, read, take } = followed(150)
    const base = script.blocks.at(-1 - depth) as Block
    script.fork(depth, depth + 1, [transfer(1)])
    const step = await read()
    if (step.kind !== 'rewind') throw new Error(step.kind)
    expect(step.base).toEqual({ height: base.height, hash: base.hash })
    expect(step.blocks).toEqual(script.blocks.slice(-depth - 1))
    take(step.base, step.blocks)
    expect((await read()).kind).toBe('nothing')
  })

  it('is also found when the new branch has the same height or is shorter', async () => {
    for (const count of [3, 2]) {
      const { script, read } = followed(20)
      script.fork(3, count)
      const step = await read()
      expect(step.kind === 'rewind' && heights(step.blocks)).toEqual([18, 19, 20].slice(0, count))
    }
  })

  it('is read as a whole, even if its branch is much longer than a step', async () => {
    const { script, read } = followed(20)
    script.fork(3, 700)
    const step = await read()
    expect(step.kind === 'rewind' && step.blocks.length).toBe(700)
  })

  it.each([101, 140])('%s deep is deeper than allowed', async (depth) => {
    const { script, read } = followed(150)
    script.fork(depth, depth + 1)
    expect(await read()).toMatchObject({ kind: 'too_deep' })
  })

  it('may reach the first block of a chain that is shorter than the limit', async () => {
    const { script, read } = followed(5)
    script.fork(5, 6)
    const step = await read()
    expect(step.kind === 'rewind' && step.base.height).toBe(0n)
  })

  it('that replaces the first block too counts as another chain', async () => {
    const { script, read } = followed(5)
    const other = scriptedGate().script
    other.mine(9)
    script.blocks = other.blocks
    expect(await read()).toMatchObject({ kind: 'too_deep' })
  })

  it('is searched for its common block without asking for transfers', async () => {
    const { gate, script, read } = followed(20)
    script.fork(5, 6)
    const asked: { height: number; ours: boolean }[] = []
    const block = gate.block
    Object.assign(gate, {
      block: async (height: bigint, watch: typeof watched) => {
        asked.push({ height: Number(height), ours: (await watch.among(['a'])).has('a') })
        return block(height, watch)
      },
    })
    await read()
    expect(asked.filter(({ ours }) => !ours).map(({ height }) => height)).toEqual([20, 19, 18, 17, 16, 15])
  })
})

describe('a node that cannot be trusted', () => {
  it('that lags behind its own past changes nothing', async () => {
    for (const missing of [1, 30, 100]) {
      const { script, read } = followed(150)
      script.blocks = script.blocks.slice(0, -missing)
      expect(await read()).toMatchObject({ kind: 'lagging' })
    }
  })

  it('that lags further than we search halts nothing, because it has shown no other branch', async () => {
    const { script, read } = followed(150)
    script.blocks = script.blocks.slice(0, -120)
    expect(await read()).toMatchObject({ kind: 'lagging' })
  })

  it('that leaves out a block is an outage', async () => {
    const { script, read } = followed(5)
    script.mine(3)
    script.blocks = script.blocks.filter(({ height }) => height !== 7n)
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
  })

  it('that answers with another height than asked for is an outage', async () => {
    const { gate, script, read } = followed(5)
    script.mine(3)
    Object.assign(gate, { block: async () => script.blocks.at(-1) })
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
  })

  it.each<[what: string, change: (blocks: Block[]) => Block[]]>([
    ['none', () => []],
    ['others', (blocks) => blocks.slice(1)],
    ['a gap', (blocks) => blocks.filter(({ height }) => height !== 8n)],
    [
      'a break',
      (blocks) => blocks.map((block) => (block.height === 8n ? { ...block, parentHash: 'x' } : block)),
    ],
  ])('that answers several blocks with %s is an outage', async (_, change) => {
    const { gate, script, read } = followed(5)
    script.mine(5)
    Object.assign(gate, {
      blocks: async (first: bigint, last: bigint) =>
        change(script.blocks.filter(({ height }) => height >= first && height <= last)),
    })
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
  })

  it('that answers with blocks that do not build on each other is an outage', async () => {
    const { script, read } = followed(5)
    script.mine(3)
    script.blocks = script.blocks.map((block) =>
      block.height === 8n ? { ...block, parentHash: 'another parent' } : block,
    )
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
  })

  it('that reorganises while the new blocks are read is an outage, and the next attempt succeeds', async () => {
    const { script, read } = followed(20)
    script.mine(5)
    script.before = (call, height) => {
      if (call === 'block' && height === 23n) {
        script.before = () => {}
        script.fork(8, 10)
      }
    }
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
    const step = await read()
    expect(step.kind === 'rewind' && step.base.height).toBe(17n)
  })

  it('that reorganises while a new branch is read is an outage', async () => {
    const { script, read } = followed(20)
    script.fork(5, 6)
    let reads = 0
    script.before = (call) => {
      // Six requests find the common block; then the branch is read.
      if (call === 'block' && ++reads === 8) script.fork(7, 9)
    }
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
    script.before = () => {}
    expect(await read()).toMatchObject({ kind: 'rewind', base: { height: 14n } })
  })

  it('whose chain becomes shorter while it is read is an outage', async () => {
    const { script, read } = followed(20)
    script.mine(5)
    script.before = (call, height) => {
      if (call === 'block' && height === 23n) script.blocks = script.blocks.slice(0, -4)
    }
    await expect(read()).rejects.toBeInstanceOf(GateOutageError)
  })
})
