import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { type NodeBlock, readBlock, readLogs, transferTopic, type UnreadLog } from './node-answers.ts'

/** A block with the transfers of listed tokens in it. */
export type BlockContents = { readonly block: NodeBlock; readonly logs: readonly UnreadLog[] }

export function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** These blocks with their logs, as far as the node has them. */
export async function readContents(
  rpc: NodeRpc,
  heights: readonly bigint[],
  listed: ReadonlySet<string>,
): Promise<BlockContents[]> {
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
  // By hash: logs by number could be those of another block than was just shown.
  const address = [...listed]
  const logs = await askAll(
    rpc,
    blocks.map(({ hash }) => ['eth_getLogs', { blockHash: hash, address, topics: [transferTopic] }]),
  )
  return blocks.map((block, at) => ({ block, logs: readLogs(logs[at], block.hash, listed) }))
}

/** All in one request, or a plain one where that is enough. */
export async function askAll(rpc: NodeRpc, calls: readonly RpcCall[]): Promise<unknown[]> {
  const [only] = calls
  if (only !== undefined && calls.length === 1) return [await rpc.call(...only)]
  return (await rpc.batch(calls)).map(resultOf)
}
