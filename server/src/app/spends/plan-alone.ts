import type { Gate } from '../../gates/gate.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/**
 * Runs `work` in one transaction as the only one that plans spends of the gate; what it returns. Zero, and nothing is
 * done, while another plans, or while nobody knows which branch of the chain is right.
 */
export async function planAlone(
  app: Pick<App, 'transaction'>,
  gate: Pick<Gate, 'id'>,
  work: (tx: Store) => Promise<number>,
): Promise<number> {
  return app.transaction(async (tx) => {
    if (!(await tx.holdings.isOnlyPlanner(gate.id))) return 0
    const chain = await tx.followedChains.find(gate.id)
    if (chain === null || chain.haltReason !== null) return 0
    return work(tx)
  })
}
