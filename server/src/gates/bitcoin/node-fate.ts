import type { BlockRef } from '../../domain/chain.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { CoinPlan, Fate, SpendPlan } from '../../domain/spends.ts'
import { coinName } from '../../domain/uses.ts'
import { GateOutageError } from '../gate.ts'
import { type NodeRpc, type RpcAnswer, type RpcCall, resultOf } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import { readHash, readHeight } from './node-answers.ts'
import type { SpendSearch } from './spend-search.ts'

type Candidate = { readonly hash: string; readonly plan: CoinPlan }
type Outpoint = { readonly txHash: string; readonly outputIndex: number }

// The branch may change between two requests; then all are repeated.
const maxTries = 5
const notInMempool = -5

/**
 * What has become of transactions that spend the same coins. It needs only what every node has, even a pruned one without
 * any index: the mempool, the unspent outputs and, when both give no answer, the newest blocks.
 *
 * An unspent output of a candidate is in a block, and tells which. While the coins that the candidates spend are unspent,
 * none of the candidates is in a block. A missing coin was spent in a block, by a candidate or by another transaction that
 * rules the candidates out.
 */
export function nodeFate(rpc: NodeRpc, search: SpendSearch) {
  return async (given: readonly { readonly hash: string; readonly plan: SpendPlan }[]): Promise<Fate> => {
    const candidates = given.map(({ hash, plan }) => {
      if (plan.kind !== 'coins') throw new Error('This network has no accounts; a plan must spend coins.')
      return { hash, plan }
    })
    for (let tries = 0; tries < maxTries; tries++) {
      const fate = await look(rpc, search, candidates)
      if (fate !== null) return fate
    }
    throw new GateOutageError('The chain changed during the search for a transaction.')
  }
}

/** Null when the branch changed meanwhile. */
async function look(
  rpc: NodeRpc,
  search: SpendSearch,
  candidates: readonly Candidate[],
): Promise<Fate | null> {
  const made = candidates.flatMap(({ hash, plan }) =>
    plan.outputs.map((_, outputIndex) => ({ txHash: hash, outputIndex })),
  )
  const used = [
    ...new Map(candidates.flatMap(({ plan }) => plan.inputs.map((coin) => [coinName(coin), coin]))).values(),
  ]
  const answers = await rpc.batch([
    ['getbestblockhash'],
    ...candidates.map(({ hash }): RpcCall => ['getmempoolentry', hash]),
    ...[...made, ...used].map(({ txHash, outputIndex }): RpcCall => ['gettxout', txHash, outputIndex, false]),
    ['getbestblockhash'],
  ])
  const tipHash = readHash(resultOf(answers.at(0)))
  if (readHash(resultOf(answers.at(-1))) !== tipHash) return null
  const tip = { hash: tipHash, height: await heightOf(rpc, tipHash) }
  const entries = answers.slice(1, 1 + candidates.length)
  const outputs = answers.slice(1 + candidates.length, -1).map((answer) => depthIn(answer, tipHash))

  const minedAt = made.findIndex((_, at) => typeof outputs[at] === 'number')
  const mined = made[minedAt]
  if (mined !== undefined) {
    const block = await blockAbove(rpc, tip, outputs[minedAt] as number)
    return block === null ? null : minedFate(candidates, mined.txHash, block)
  }
  const waiting = candidates.find((_, at) => isEntry(entries[at]))
  if (waiting !== undefined) return { kind: 'waiting', hash: waiting.hash }
  const gone = await spentIn(
    rpc,
    used.filter((_, at) => outputs[made.length + at] === null),
  )
  if (gone.length === 0) return { kind: 'unknown' }

  const spender = await search.find(tip, gone)
  if (readHash(await rpc.call('getbestblockhash')) !== tipHash) return null
  if (spender === null) return { kind: 'unknown' }
  if (candidates.some(({ hash }) => hash === spender.hash))
    return minedFate(candidates, spender.hash, spender.block)
  return {
    kind: 'ruled_out',
    block: spender.block,
    reason: say('coins_spent_by', { hash: spender.hash, height: spender.block.height }),
  }
}

// The hash covers inputs and outputs, so the fee is exactly the planned one.
function minedFate(candidates: readonly Candidate[], hash: string, block: BlockRef): Fate {
  const feeUnits = candidates.find((candidate) => candidate.hash === hash)?.plan.feeUnits ?? 0n
  return { kind: 'mined', hash, block, feeUnits, succeeded: true }
}

/** The missing coins, except those whose own transaction is still in the mempool: no block can have spent these. */
async function spentIn(rpc: NodeRpc, missing: readonly Outpoint[]): Promise<Outpoint[]> {
  const entries = await rpc.batch(missing.map(({ txHash }): RpcCall => ['getmempoolentry', txHash]))
  return missing.filter((_, at) => !isEntry(entries[at]))
}

/** The block with this many confirmations; null when the branch has changed since. */
async function blockAbove(rpc: NodeRpc, tip: BlockRef, confirmations: number): Promise<BlockRef | null> {
  const height = tip.height - BigInt(confirmations) + 1n
  if (height < 0n) return unbelievable('an output is deeper than its chain')
  const [hash, newest] = await rpc.batch([['getblockhash', Number(height)], ['getbestblockhash']])
  if (resultOf(newest) !== tip.hash) return null
  return { height, hash: readHash(resultOf(hash)) }
}

async function heightOf(rpc: NodeRpc, hash: string): Promise<bigint> {
  const header = (await rpc.call('getblockheader', hash)) as { height?: unknown } | null
  return readHeight(header?.height)
}

/** The confirmations of an unspent output; null when it is spent, or never was on this branch. */
function depthIn(answer: RpcAnswer, tipHash: string): number | null {
  const output = resultOf(answer) as { bestblock?: unknown; confirmations?: unknown } | null
  if (output === null) return null
  const { bestblock, confirmations } = output
  if (bestblock !== tipHash || !Number.isSafeInteger(confirmations) || (confirmations as number) < 1)
    return unbelievable('an unspent output has no confirmations')
  return confirmations as number
}

function isEntry(answer: RpcAnswer | undefined): boolean {
  if (answer !== undefined && 'refusal' in answer && answer.refusal.code === notInMempool) return false
  return resultOf(answer) !== null
}
