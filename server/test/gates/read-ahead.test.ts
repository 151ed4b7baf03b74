import { beforeEach, expect, it } from 'vitest'
import type { Block } from '../../src/domain/chain.ts'
import type { WatchedAddresses } from '../../src/gates/gate.ts'
import { type BlockReader, readAhead } from '../../src/gates/read-ahead.ts'

const watch = (): WatchedAddresses => ({ among: async () => new Set(), amongLower: async () => new Set() })
const watched = watch()

let branch: string
let broken: bigint | null
let asked: { from: bigint; count: number; watched: WatchedAddresses }[]
let reader: BlockReader
beforeEach(() => {
  branch = 'a'
  broken = null
  asked = []
  reader = readAhead(async (from, count, forWhom) => {
    asked.push({ from, count, watched: forWhom })
    const heights = Array.from({ length: count }, (_, at) => from + BigInt(at))
    if (heights.some((height) => height === broken)) throw new Error(`no block ${broken}`)
    return heights.map(blockAt)
  }, 8)
})

function blockAt(height: bigint): Block {
  const [hash, parentHash] = [`${branch}${height}`, `${branch}${height - 1n}`]
  return { height, hash, parentHash, minedAt: new Date(0), transfers: [] }
}

async function readAll(from: bigint, last: bigint): Promise<string[]> {
  const hashes: string[] = []
  for (let height = from; height <= last; height++)
    hashes.push((await reader.read(height, last, watched))?.hash ?? 'none')
  return hashes
}

it('consecutive blocks are read several at a time, each once', async () => {
  expect(await readAll(1n, 100n)).toEqual(Array.from({ length: 100 }, (_, at) => `a${at + 1}`))
  expect(asked.length).toBeLessThan(20)
  const heights = asked.flatMap(({ from, count }) =>
    Array.from({ length: count }, (_, at) => Number(from) + at),
  )
  expect(heights.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
})

it('neither a block that was not asked for nor one beyond the tip is read', async () => {
  await reader.read(1n, 100n, watched)
  expect(asked).toHaveLength(1)
  await reader.read(2n, 3n, watched)
  expect(asked.map(({ from, count }) => [from, count])).toEqual([
    [1n, 1],
    [2n, 1],
    [3n, 1],
  ])
})

it('blocks read ahead on an abandoned branch are read again', async () => {
  await readAll(1n, 3n)
  await reader.read(4n, 40n, watched)
  branch = 'b'
  const [next] = await readAll(5n, 5n)
  // It was read ahead on the branch of its parent; the follower notices the change at the next block.
  expect(next).toBe('a5')
  expect((await reader.read(3n, 40n, watched))?.hash).toBe('b3')
  expect((await reader.read(4n, 40n, watched))?.hash).toBe('b4')
  expect((await reader.read(5n, 40n, watched))?.hash).toBe('b5')
})

it('a faulty block does not affect those before it', async () => {
  broken = 7n
  expect(await readAll(1n, 6n)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
  for (let height = 1n; height <= 6n; height++)
    expect((await reader.read(height, 40n, watched))?.hash).toBe(`a${height}`)
  await expect(reader.read(7n, 40n, watched)).rejects.toThrow('no block 7')
  broken = null
  expect((await reader.read(7n, 40n, watched))?.hash).toBe('a7')
})

it('blocks read ahead for some addresses are not returned to a caller that watches others', async () => {
  await reader.read(1n, 40n, watched)
  await reader.read(2n, 40n, watched)
  const others = watch()
  await reader.read(3n, 40n, others)
  expect(asked.filter(({ from }) => from === 3n).map((each) => each.watched)).toContain(others)
})
