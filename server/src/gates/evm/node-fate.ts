import type { BlockRef } from '../../domain/chain.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { AccountPlan, Fate, SpendPlan } from '../../domain/spends.ts'
import { GateOutageError } from '../gate.ts'
import { type NodeRpc, type RpcCall, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { isMissingState } from './missing-state.ts'
import { readBlock, readQuantity, readReceipt, readTransaction } from './node-answers.ts'
import { quantity } from './node-blocks.ts'

type Candidate = { readonly hash: string; readonly plan: AccountPlan }

// The branch may change between two requests; then all are repeated.
const maxTries = 5

/**
 * What has become of transactions with the same nonce of one account, up to the block that `tipOf` returns. A transaction
 * with a receipt is in a block. While the account's count shows the nonce as free, none of them is in a block. Once the
 * nonce is used, the state after each block shows which block used it, and that block shows which transaction did. A
 * missing receipt alone never rules a transaction out.
 */
export async function nodeFate(
  rpc: NodeRpc,
  given: readonly { readonly hash: string; readonly plan: SpendPlan }[],
  tipOf: (rpc: NodeRpc) => Promise<BlockRef>,
): Promise<Fate> {
  const candidates = given.map(({ hash, plan }) => {
    if (plan.kind !== 'account')
      throw new Error('This network has no coins; a plan must pay from an account.')
    return { hash, plan }
  })
  for (let tries = 0; tries < maxTries; tries++) {
    const fate = await look(rpc, candidates, await tipOf(rpc))
    if (fate !== null) return fate
  }
  throw new GateOutageError('The chain changed during the search for a transaction.')
}

/** Null when the branch changed meanwhile. */
async function look(rpc: NodeRpc, candidates: readonly Candidate[], tip: BlockRef): Promise<Fate | null> {
  const [first] = candidates
  if (first === undefined) return { kind: 'unknown' }
  const { nonce, from } = first.plan
  const answers = await rpc.batch([
    ['eth_getTransactionCount', from.address, { blockHash: tip.hash }],
    ...candidates.map(({ hash }): RpcCall => ['eth_getTransactionReceipt', hash]),
    ...candidates.map(({ hash }): RpcCall => ['eth_getTransactionByHash', hash]),
  ])
  const used = readQuantity(resultOf(answers[0]))
  const receipts = candidates.map(({ hash }, at) => readReceipt(resultOf(answers[1 + at]), hash))
  const mined = receipts.find((receipt) => receipt !== null && receipt.block.height <= tip.height)
  if (mined) {
    const { txHash: hash, block, feeUnits, succeeded } = mined
    if ((await hashAt(rpc, block.height)) !== block.hash) return null
    return { kind: 'mined', hash, block, feeUnits, succeeded }
  }
  if (used > nonce) return usedUp(rpc, candidates, tip)
  const waiting = candidates.find(
    (_, at) => receipts[at] !== null || resultOf(answers[1 + candidates.length + at]) !== null,
  )
  if (waiting === undefined) return { kind: 'unknown' }
  return { kind: 'waiting', hash: waiting.hash }
}

/** Finds out who used the nonce when it is used up and no candidate has a receipt. */
async function usedUp(
  rpc: NodeRpc,
  [first, ...others]: readonly Candidate[],
  tip: BlockRef,
): Promise<Fate | null> {
  if (first === undefined) return { kind: 'unknown' }
  const { nonce, from } = first.plan
  const { height, isFirst } = await firstWith(rpc, from.address, nonce, tip.height)
  const block = readBlock(await rpc.call('eth_getBlockByNumber', quantity(height), true), { height })
  if ((await hashAt(rpc, tip.height)) !== tip.hash) return null
  const ref = { height, hash: block.hash }
  const user = block.transactions
    .map(readTransaction)
    .find(
      (transaction) =>
        transaction.from === from.address.toLowerCase() && readQuantity(transaction.nonce) === nonce,
    )
  if (user !== undefined && [first, ...others].some(({ hash }) => hash === user.hash))
    throw new GateOutageError(`The node shows ${user.hash} in block ${height} but has no receipt for it yet.`)
  if (user === undefined && isFirst)
    return unbelievable(`block ${height} uses nonce ${nonce} of ${from.address} without a transaction`)
  return {
    kind: 'ruled_out',
    block: ref,
    reason:
      user === undefined
        ? say('nonce_used_before', { nonce, height })
        : say('nonce_used_by', { nonce, hash: user.hash, height }),
  }
}

/**
 * The first block after which the account's count is above `nonce`, as far back as the node has state. `isFirst` is false
 * when it may have been an earlier block.
 */
export async function firstWith(
  rpc: NodeRpc,
  address: string,
  nonce: bigint,
  tipHeight: bigint,
): Promise<{ height: bigint; isFirst: boolean }> {
  let [below, above] = [-1n, tipHeight]
  let isFirst = true
  let stride = 1n
  // It is usually one of the newest blocks: search there first, in growing strides, then halve the rest.
  while (above - below > 1n) {
    let height = (above + below) >> 1n
    if (above - stride > height) height = above - stride
    stride *= 2n
    const [answer] = await rpc.batch([['eth_getTransactionCount', address, quantity(height)]])
    if (answer !== undefined && 'refusal' in answer && isMissingState(answer.refusal)) {
      below = height
      isFirst = false
    } else if (readQuantity(resultOf(answer)) > nonce) above = height
    else {
      below = height
      isFirst = true
    }
  }
  return { height: above, isFirst }
}

/** The hash of the block at this height; null above the node's tip. */
export async function hashAt(rpc: NodeRpc, height: bigint): Promise<string | null> {
  const block = await rpc.call('eth_getBlockByNumber', quantity(height), false)
  return block === null ? null : readBlock(block, { height }).hash
}

/** Whether the node knows a transaction, waiting or mined. */
export async function isKnown(rpc: NodeRpc, hash: string): Promise<boolean> {
  const answer = await rpc.call('eth_getTransactionByHash', hash)
  if (answer === null) return false
  return (
    readTransaction(answer).hash === hash ||
    unbelievable('it shows a different transaction from the requested one')
  )
}
