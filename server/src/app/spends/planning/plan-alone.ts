import type { Gate } from '../../../gates/gate.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'

type Planning = (tx: Store) => Promise<number>

/**
 * Runs `work` in one transaction as the only planner of the gate's spends, and returns its result. Does nothing and returns
 * zero while another process plans, while the chain is halted, or before the signer has checked whether this database was
 * restored from an older backup.
 */
export async function planAlone(
  app: Pick<App, 'transaction'>,
  gate: Pick<Gate, 'id' | 'keychain'>,
  work: Planning,
): Promise<number> {
  return app.transaction(async (tx) =>
    (await tx.holdings.isOnlyPlanner(gate.id)) ? onKnownBranch(tx, gate, work) : 0,
  )
}

/** The same, but waits briefly for its turn: for rare work that holds up other spends. */
export async function planInTurn(
  app: Pick<App, 'transaction'>,
  gate: Pick<Gate, 'id' | 'keychain'>,
  work: Planning,
): Promise<number> {
  return app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    return onKnownBranch(tx, gate, work)
  })
}

async function onKnownBranch(
  tx: Store,
  gate: Pick<Gate, 'id' | 'keychain'>,
  work: Planning,
): Promise<number> {
  const chain = await tx.followedChains.find(gate.id)
  if (chain === null || chain.haltReason !== null) return 0
  if (await tx.spendRestore.isBehind(gate.id)) return 0
  return (await tx.addressGrants.isLookedAt(gate.keychain)) ? work(tx) : 0
}
