import { hex } from '@scure/base'
import type { BlockRef, PlainTransaction, Transfer } from '../../domain/chain.ts'
import { coinName } from '../../domain/uses.ts'
import type { NodeRpc, RpcCall } from '../json-rpc.ts'
import { unbelievable } from '../unbelievable.ts'
import type { NodeTransaction } from './node-answers.ts'
import { outputsOf, plainTransaction } from './plain-transaction.ts'

/** How many transactions one request asks for. One takes up to 8 MB in hexadecimal, an answer may have 64 MB. */
export const maxTransactionsAtOnce = 5

/**
 * The bytes of the transactions that made these transfers. What the node says about a transfer must be in the bytes as
 * well, since the signer believes only those.
 */
export function bytesOf(
  transactions: readonly NodeTransaction[],
  transfers: readonly Transfer[],
): PlainTransaction[] {
  const byHash = new Map(transactions.map((transaction) => [transaction.txid, transaction]))
  return [...Map.groupBy(transfers, ({ txHash }) => txHash)].map(([hash, ours]) => {
    const bytes = shownIn(byHash.get(hash)?.hex, hash).plain
    const paid = outputsOf(
      bytes,
      ours.map(({ outputIndex }) => outputIndex),
    )
    const other = ours.find(({ outputIndex, units }) => paid.get(outputIndex)?.units !== units)
    if (other !== undefined) unbelievable(`the bytes of ${coinName(other)} have a different amount`)
    return { hash, bytes }
  })
}

/**
 * Asks for transactions in blocks. It needs no index, because it names the block; a pruned node must still have it. In place
 * of bytes that it cannot give, the node's reason.
 */
export async function fetchTransactions(
  rpc: NodeRpc,
  wanted: readonly Wanted[],
): Promise<(Uint8Array | { refused: string })[]> {
  const answers = await ask(rpc, wanted)
  return answers.map((answer) => ('refused' in answer ? answer : answer.plain))
}

/** The same for one transaction, with its witnesses. */
export async function fetchWhole(rpc: NodeRpc, wanted: Wanted): Promise<Uint8Array | { refused: string }> {
  const [answer] = await ask(rpc, [wanted])
  if (answer === undefined) return unbelievable('it leaves out a transaction')
  return 'refused' in answer ? answer : answer.whole
}

type Wanted = { readonly hash: string; readonly block: BlockRef }
type Shown = { readonly whole: Uint8Array; readonly plain: Uint8Array }

async function ask(rpc: NodeRpc, wanted: readonly Wanted[]): Promise<(Shown | { refused: string })[]> {
  const answers = await rpc.batch(
    wanted.map(({ hash, block }): RpcCall => ['getrawtransaction', hash, false, block.hash]),
  )
  return wanted.map(({ hash, block }, at) => {
    const answer = answers[at]
    if (answer === undefined) return unbelievable('it leaves out a transaction')
    return 'refusal' in answer
      ? {
          refused: `The node cannot show it from block ${block.height} (${answer.refusal.message}).`,
        }
      : shownIn(answer.result, hash)
  })
}

function shownIn(text: unknown, hash: string): Shown {
  const whole = bytesIn(text)
  const plain = whole === null ? null : plainTransaction(whole, hash)
  if (whole === null || plain === null)
    return unbelievable(`the bytes of transaction ${hash} do not have its hash`)
  return { whole, plain }
}

function bytesIn(text: unknown): Uint8Array | null {
  if (typeof text !== 'string') return null
  try {
    return hex.decode(text)
  } catch {
    // Not hexadecimal.
    return null
  }
}
