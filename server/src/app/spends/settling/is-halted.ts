import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'

/** Whether the gate's chain is halted or not followed: while the right branch is unknown, no new transaction is sent. */
export async function isHalted({ store }: Pick<App, 'store'>, gate: Gate): Promise<boolean> {
  const chain = await store.followedChains.find(gate.id)
  return chain === null || chain.haltReason !== null
}
