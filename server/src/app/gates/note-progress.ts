import type { BlockRef } from '../../domain/chain.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** A node that shows a chain so much shorter than it did before does not know what happens now. */
const maxLag = 3n

/** How far a look at a chain has come. */
export type Look = {
  /** How far the chain is followed after it, and where the node's chain ends. */
  readonly tip: BlockRef
  readonly nodeTip: BlockRef
  /** What it says about balances after its last block: they were read, they could not be, nobody asked. */
  readonly balances: 'known' | 'unknown' | 'not_asked'
}

/** Notes how far a look has come: by that new business is taken on the gate's network, or refused. */
export async function noteProgress(app: Pick<App, 'store'>, gate: Gate, look: Look): Promise<void> {
  if (gate.simulated !== null) return
  const { gateProgress } = app.store
  const { tip, nodeTip, balances } = look
  if (nodeTip.height > tip.height) return gateProgress.noteBehind(gate.id, nodeTip.height - tip.height)
  if (nodeTip.height < tip.height) {
    const lag = tip.height - nodeTip.height
    // Behind a load balancer some nodes are a block or two behind others: that passes, or the follower's silence tells.
    if (lag <= maxLag) return
    return gateProgress.noteTrouble(
      ...([gate.id, 'outage'] as const),
      `The node shows ${lag} blocks fewer than it did before (${nodeTip.height}, after ${tip.height}). Let it catch up, or ask ` +
        'another one.',
    )
  }
  await gateProgress.noteEnd(gate.id, balances === 'known' || gate.balances === undefined)
  if (balances === 'unknown')
    await gateProgress.noteTrouble(
      ...([gate.id, 'state'] as const),
      `The node does not have the state of its newest block, ${tip.height}: what tokens bring, and what arrives inside ` +
        'contracts, cannot be checked. Ask a full node, which keeps that of the last 128 blocks at least: set it in rpc_url, or ' +
        'add it to rpc_urls.',
    )
}
