import { GateOutageError } from '../gate.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { readHash, readReceipt } from './node-answers.ts'
import type { BlockContents } from './node-blocks.ts'

const proveEveryMs = 60_000

/**
 * Checks once a minute that a node has receipts. Otherwise they would be requested only for payments to us, and the
 * operator would notice a node without receipts only when a payment cannot be credited.
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
    `The node has no receipts for block ${height}, or left that block while it was read, so nothing in it can be credited. ` +
      'If this persists, configure the node to download and keep receipts, or point rpc_url at one that does.',
  )
}
