import type { Block, BlockRef } from '../../domain/chain.ts'
import { type Gate, GateOutageError, type WatchedAddresses } from '../gate.ts'
import { UntrueAnswer } from './untrue.ts'

// What every gate guarantees, as far as it can be seen by reading alone. The conformance suite of the tests holds every gate
// against it, and `sluice gate try` an operator's server.

type Reading = Pick<Gate, 'block' | 'blocks' | 'tip'>

/** The block at a height that is not above the tip. */
export async function blockAt(gate: Reading, height: bigint, watched: WatchedAddresses): Promise<Block> {
  const block = await gate.block(height, watched)
  if (block !== null) return block
  throw new UntrueAnswer({
    call: `the block at height ${height}`,
    said: 'that there is none',
    truth: 'the newest block is not below it',
  })
}

/** These blocks are consecutive: each is on top of the one before, and the last is the tip. */
export function checkLinked(blocks: readonly Block[], tip: BlockRef): void {
  for (const [at, block] of blocks.entries()) if (at > 0) checkOnTop(blocks[at - 1] as Block, block)
  const last = blocks.at(-1)
  if (last !== undefined && last.hash !== tip.hash)
    throw new UntrueAnswer({
      call: `the block at height ${last.height}`,
      said: `that it is ${last.hash}`,
      truth: `the newest block, at height ${tip.height}, was said to be ${tip.hash}`,
    })
}

/** A block is one higher than its parent, and names it. */
function checkOnTop(before: Block, block: Block): void {
  if (block.height !== before.height + 1n)
    throw new UntrueAnswer({
      call: `the block after height ${before.height}`,
      said: `that its height is ${block.height}`,
      truth: `it must be ${before.height + 1n}`,
    })
  if (block.parentHash !== before.hash)
    throw new UntrueAnswer({
      call: `block ${block.height} (${block.hash})`,
      said: `that its parent is ${block.parentHash}`,
      truth: `block ${before.height} is ${before.hash}`,
    })
}

/** Read again, a block is the same, with the same transfers. */
export async function checkSameAgain(gate: Reading, block: Block, watched: WatchedAddresses): Promise<void> {
  const again = await blockAt(gate, block.height, watched)
  const difference = differenceOf(block, again)
  if (difference === null) return
  throw new UntrueAnswer({
    call: `block ${block.height}, read a second time,`,
    said: difference.second,
    truth: `the first time it said ${difference.first}`,
  })
}

/** A gate that reads several blocks at once reads the same blocks, and none above the tip. */
export async function checkRuns(
  gate: Reading,
  blocks: readonly Block[],
  watched: WatchedAddresses,
): Promise<void> {
  const { blocks: readRun } = gate
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (readRun === undefined || first === undefined || last === undefined) return
  let at = 0
  while (at < blocks.length) {
    const run = await readRun(first.height + BigInt(at), last.height, watched)
    if (run.length === 0) throw new GateOutageError(`The gate reads no block from height ${first.height} on.`)
    for (const block of run) {
      const difference = differenceOf(blocks[at++] as Block, block)
      if (difference !== null)
        throw new UntrueAnswer({
          call: `block ${block.height}, read together with others,`,
          said: difference.second,
          truth: `read alone it said ${difference.first}`,
        })
    }
  }
}

/** Above the tip there is no block, which is no error. */
export async function checkNothingAt(
  gate: Reading,
  height: bigint,
  watched: WatchedAddresses,
): Promise<void> {
  const block = await gate.block(height, watched)
  if (block !== null)
    throw new UntrueAnswer({
      call: `the block at height ${height}`,
      said: `that it is ${block.hash}`,
      truth: 'the chain is not that high yet',
    })
}

/** What two readings of the same block differ in, in words; null when they are the same. */
export function differenceOf(one: Block, other: Block): { first: string; second: string } | null {
  for (const [what, said] of [
    ['that it is', ({ hash }: Block) => hash],
    ['that its height is', ({ height }: Block) => String(height)],
    ['that its parent is', ({ parentHash }: Block) => parentHash],
    ['that it was made at', ({ minedAt }: Block) => minedAt.toISOString()],
    ['that it pays', paidIn],
  ] as const) {
    const [first, second] = [said(one), said(other)]
    if (first !== second) return { first: `${what} ${first}`, second: `${what} ${second}` }
  }
  return null
}

function paidIn({ transfers }: Block): string {
  const each = transfers.map(
    ({ txHash, outputIndex, currency, units, address, tag }) =>
      `${units} units of ${currency} to ${address}${tag === null ? '' : `, tag ${tag},`} by ${txHash}:${outputIndex}`,
  )
  return each.length === 0 ? 'nothing' : each.sort().join(' and ')
}
