import type { Fate, Spend } from '../../domain/spends.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { isDeep } from './is-deep.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/**
 * Takes back what a sweep was booked to have brought, when a deep reorganisation has taken its deposit and its transaction was run again
 * and failed, deep enough. The hot wallet would be believed to have what it has not, and everybody's payouts would be planned from
 * that. Once; false, and nothing is changed, while it is not deep, or while what it brought is claimed by others.
 */
export async function undoSweep(app: App, gate: Gate, seen: Spend, mined: Mined): Promise<boolean> {
  if (seen.kind !== 'sweep' || seen.status !== 'final' || mined.succeeded) return false
  if (!(await isDeep(app, gate, gate.network.confirmations, mined.block))) return false
  return app.transaction(async (tx) => {
    await tx.holdings.becomeOnlyPlanner(gate.id)
    const { id, status, moved } = await tx.spends.lock(seen.id)
    if (status !== 'final' || moved === null) return false
    const free = (await tx.holdings.lockHot(gate.id, [moved.currency])).get(moved.currency) ?? 0n
    if (free < moved.units) return false
    await tx.holdings.changeHot(gate.id, new Map([[moved.currency, -moved.units]]))
    await tx.unswept.undo(id)
    await tx.holdings.release(id)
    return true
  })
}
