import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { readHash, readReceipt } from './node-answers.ts'
import type { BlockContents } from './node-blocks.ts'

const proveEveryMs = 60_000

/**
 * Makes sure, once a minute, that a node tells what became of transactions. They are asked for only when somebody pays us, and
 * before that nobody would know that a payment could not be credited.
 */
export function receiptProof(rpc: NodeRpc): (blocks: readonly BlockContents[]) => Promise<void> {
  let provedMs = Number.NEGATIVE_INFINITY
  return async (blocks) => {
    const nowMs = performance.now()
    if (nowMs - provedMs < proveEveryMs) return
    const shown = blocks.find(({ block }) => block.transactions.length > 0)?.block
    if (shown === undefined) return
    const txHash = readHash(shown.transactions[0]?.hash)
    const receipt = readReceipt(await rpc.call('eth_getTransactionReceipt', txHash), txHash)
    if (receipt === null) throw withoutReceipts(shown.height)
    provedMs = nowMs
  }
}

export function withoutReceipts(height: bigint): GateOutageError {
  return new GateOutageError(
    `The node has no receipts of block ${height}, or left it while it was read, so nothing in it can be credited. If that stays, ` +
      'have the node download and keep receipts, or set rpc_url to one that does.',
  )
}
