import type { BlockRef } from '../../domain/chain.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** A node whose chain is more than this many blocks shorter than before is out of date. */
const maxLag = 3n

/** How far one reading of a chain got. */
export type Look = {
  /** The last block followed, and the tip of the node's chain. */
  readonly tip: BlockRef
  readonly nodeTip: BlockRef
  /** Whether the balances after the last block were read, could not be read, or were not asked for. */
  readonly balances: 'known' | 'unknown' | 'not_asked'
}

/** Records how far a reading got; this decides whether the gate's network accepts new business. */
export async function noteProgress(app: Pick<App, 'store'>, gate: Gate, look: Look): Promise<void> {
  if (gate.simulated !== null) return
  const { gateProgress } = app.store
  const { tip, nodeTip, balances } = look
  if (nodeTip.height > tip.height) return gateProgress.noteBehind(gate.id, nodeTip.height - tip.height)
  if (nodeTip.height < tip.height) {
    const lag = tip.height - nodeTip.height
    // Behind a load balancer some nodes lag a block or two: that passes, or the follower's silence reveals it.
    if (lag <= maxLag) return
    return gateProgress.noteTrouble(
      gate.id,
      'outage',
      `The node is ${lag} blocks behind where it was before (at ${nodeTip.height}, after ${tip.height}). Let it catch up, or ` +
        'use another one.',
    )
  }
  await gateProgress.noteEnd(gate.id, balances === 'known' || gate.balances === undefined)
  if (balances === 'unknown')
    await gateProgress.noteTrouble(
      gate.id,
      'state',
      `The node does not have the state of its newest block, ${tip.height}: token deposits and transfers inside contracts ` +
        'cannot be checked. Use a full node, which keeps the state of at least the last 128 blocks: set it in rpc_url, or add ' +
        'it to rpc_urls.',
    )
}
