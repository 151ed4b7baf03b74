import type { NodeRpc } from '../json-rpc.ts'
import { readDrops, readObject } from './node-answers.ts'

/** The lowest and the highest fee of a transaction, in drops. */
export type FeeBounds = { readonly floor: bigint; readonly ceiling: bigint }

/** What a transaction costs at the moment, in drops. */
type Fees = {
  /** With this it gets into the next ledger. */
  readonly open: bigint
  /** With less it is not even queued. */
  readonly least: bigint
}

/** The fee with which a transaction gets into the next ledger, within the bounds. */
export async function nodeFeeRate(rpc: NodeRpc, { floor, ceiling }: FeeBounds): Promise<bigint> {
  const { open } = await askFees(rpc)
  if (open < floor) return floor
  return open > ceiling ? ceiling : open
}

/** The least fee that is accepted at all, where that is more than the ceiling; null otherwise. */
export async function feeAbove(rpc: NodeRpc, { ceiling }: FeeBounds): Promise<bigint | null> {
  const { least } = await askFees(rpc)
  return least > ceiling ? least : null
}

async function askFees(rpc: NodeRpc): Promise<Fees> {
  const answer = readObject(await rpc.call('fee', {}), 'it does not say what a transaction costs')
  const drops = readObject(answer.drops, 'it does not say what a transaction costs')
  return {
    open: readDrops(drops.open_ledger_fee, 'a fee'),
    least: readDrops(drops.minimum_fee, 'a fee'),
  }
}
