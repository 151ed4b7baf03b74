import type { Block } from '../../domain/chain.ts'
import type { NodeRpc } from '../json-rpc.ts'
import { shownText } from '../shown-text.ts'
import { Untestable, UntrueAnswer } from '../trial/untrue.ts'
import { headerHash, transactionHash } from './block-hash.ts'
import { readBlock } from './node-answers.ts'
import { quantity } from './node-blocks.ts'

type Answer = Readonly<Record<string, unknown>>

/**
 * Recomputes the hash of a block's header from what the node shows, and the hashes of its transactions. `isUsual` says that the
 * chain is known to have Ethereum's header: then another hash is a lie, and otherwise a form that we do not know.
 */
export async function proveBlock(rpc: NodeRpc, { hash, height }: Block, isUsual: boolean): Promise<string> {
  const call = `eth_getBlockByNumber ${quantity(height)} (block ${height})`
  const answer = ((await rpc.call('eth_getBlockByNumber', quantity(height), true)) ?? {}) as Answer
  const block = readBlock(answer, { height })
  if (block.hash !== hash)
    throw new UntrueAnswer({
      call,
      said: `that it is ${block.hash}`,
      truth: `without its transactions it was said to be ${hash}`,
    })
  const recomputed = headerHash(answer)
  if (recomputed === null && !isUsual)
    throw new Untestable(
      'The headers of this chain have a form of their own, so their hash cannot be recomputed.',
    )
  if (recomputed !== hash) await refuseHeader(rpc, answer, call, isUsual)
  let proved = 0
  for (const each of block.transactions as readonly unknown[] as readonly Answer[])
    if (await proveTransaction(rpc, each, call)) proved++
  return proved > 0
    ? 'header, parent, and the transactions of usual kinds with their amounts'
    : 'header and parent'
}

async function refuseHeader(rpc: NodeRpc, answer: Answer, call: string, isUsual: boolean): Promise<never> {
  const height = BigInt(String(answer.number))
  if (height > 0n) {
    const before = readBlock(await rpc.call('eth_getBlockByNumber', quantity(height - 1n), false))
    if (headerHash({ ...answer, parentHash: before.hash }) === answer.hash)
      throw new UntrueAnswer({
        call,
        said: `that its parent is ${shownText(answer.parentHash)}`,
        truth: `with its hash its parent is ${before.hash}, block ${height - 1n}`,
      })
  }
  if (!isUsual)
    throw new Untestable(
      'The headers of this chain have a form of their own, so their hash cannot be recomputed.',
    )
  throw new UntrueAnswer({
    call,
    said: `that its hash is ${shownText(answer.hash)}`,
    truth: `the hash of what it shows as the header is ${headerHash(answer) ?? 'none, since it lacks parts'}`,
  })
}

/** Whether it could be proved. */
async function proveTransaction(rpc: NodeRpc, shown: Answer, call: string): Promise<boolean> {
  const hash = transactionHash(shown)
  if (hash === null) return false
  if (hash === shown.hash) return true
  const alone = (await rpc.call('eth_getTransactionByHash', shown.hash)) as Answer | null
  const isTrue = alone !== null && transactionHash(alone) === shown.hash
  throw new UntrueAnswer({
    call,
    said: `that transaction ${shownText(shown.hash)} pays ${unitsIn(shown)} units to ${shownText(shown.to)}`,
    truth: isTrue
      ? `by eth_getTransactionByHash, whose answer has this hash, it pays ${unitsIn(alone)} units to ${shownText(alone.to)}`
      : `what it shows has the hash ${hash}`,
  })
}

function unitsIn({ value }: Answer): string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? String(BigInt(value)) : 'unreadable'
}
