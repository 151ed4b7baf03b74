import type { BlockRef } from '../../domain/chain.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { type NodeBlock, readBlock, readLogs, transferTopic, type UnreadLog } from './node-answers.ts'

/** A block with its transfers of listed tokens. */
export type BlockContents = { readonly block: NodeBlock; readonly logs: readonly UnreadLog[] }

export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/**
 * These blocks with their logs, as far as the node has them. `end` is a block whose hash is already known: if it is the only
 * one requested, one request is enough.
 */
export async function readContents(
  rpc: NodeRpc,
  heights: readonly bigint[],
  listed: ReadonlySet<string>,
  end?: BlockRef,
): Promise<BlockContents[]> {
  if (end !== undefined && heights.length === 1 && heights[0] === end.height && listed.size > 0) {
    const found = await readEnd(rpc, end, listed)
    if (found !== null) return [found]
  }
  const answers = await askAll(
    rpc,
    heights.map((height) => ['eth_getBlockByNumber', quantity(height), true]),
  )
  const blocks: NodeBlock[] = []
  for (const [at, answer] of answers.entries()) {
    if (answer === null) break
    blocks.push(readBlock(answer, { height: heights[at] as bigint }))
  }
  if (listed.size === 0) return blocks.map((block) => ({ block, logs: [] }))
  const logs = await askAll(
    rpc,
    blocks.map(({ hash }) => logsCall(hash, listed)),
  )
  return blocks.map((block, at) => ({ block, logs: readLogs(logs[at], block.hash, listed) }))
}

/** The block with its logs; null when the node has a different block at that height, or none. */
async function readEnd(
  rpc: NodeRpc,
  { height, hash }: BlockRef,
  listed: ReadonlySet<string>,
): Promise<BlockContents | null> {
  const [shown, logs] = await rpc.batch([
    ['eth_getBlockByNumber', quantity(height), true],
    logsCall(hash, listed),
  ])
  const answer = resultOf(shown)
  const block = answer === null ? null : readBlock(answer, { height })
  return block?.hash === hash ? { block, logs: readLogs(resultOf(logs), hash, listed) } : null
}

/** Requests logs by block hash: logs by number could belong to a different block. */
function logsCall(blockHash: string, listed: ReadonlySet<string>): RpcCall {
  return ['eth_getLogs', { blockHash, address: [...listed], topics: [transferTopic] }]
}

/** Sends all calls in one batch, or a single call without one. */
async function askAll(rpc: NodeRpc, calls: readonly RpcCall[]): Promise<unknown[]> {
  const [only] = calls
  if (only !== undefined && calls.length === 1) return [await rpc.call(...only)]
  return (await rpc.batch(calls)).map(resultOf)
}
