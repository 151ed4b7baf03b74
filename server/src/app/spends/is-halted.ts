import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'

/** While nobody knows which branch is right nothing leaves that has not left already. */
export async function isHalted({ store }: Pick<App, 'store'>, gate: Gate): Promise<boolean> {
  const chain = await store.followedChains.find(gate.id)
  return chain === null || chain.haltReason !== null
}
