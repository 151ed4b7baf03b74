import type { BlockRef } from '../../../domain/chain.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'

/** Whether a block is deep enough on the branch that we follow: the node's word alone is not enough. */
export async function isDeep(
  app: Pick<App, 'store'>,
  gate: Gate,
  needed: number,
  block: BlockRef,
): Promise<boolean> {
  const followed = await app.store.followedChains.tipOver(gate.id, block)
  return followed !== null && followed - block.height + 1n >= BigInt(needed)
}
