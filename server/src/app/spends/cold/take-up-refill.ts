import { uuidv7 } from '../../../domain/ids.ts'
import type { SignedTransaction, SpendPlan } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { Refill } from '../../../store/spends/refills.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { nativeAsset } from '../hot-wallet/native-asset.ts'
import { planInTurn } from '../planning/plan-alone.ts'

/**
 * Takes up the transaction of a dead refill again, as a new one: what has ended stays ended, and the ledger has each of them
 * once. Returns the new one. Does nothing and returns null while another refill claims one of its coins or books its
 * transaction, or while nothing can be planned. `alsoDo` runs last in the same transaction.
 */
export async function takeUp(
  app: App,
  gate: Gate,
  { spendId, txHash, preparedBy }: Refill & { readonly preparedBy: string },
  plan: SpendPlan,
  signed: SignedTransaction,
  alsoDo: (tx: Store, again: string) => Promise<void> = async () => {},
): Promise<string | null> {
  if (plan.kind !== 'coins') return null
  const id = uuidv7(app.now())
  const taken = await planInTurn(app, gate, async (tx) => {
    const newest = await tx.refills.withHash(gate.id, txHash)
    const coins = await tx.refills.coins(gate.id, plan.inputs)
    const areFree = coins.length === plan.inputs.length && coins.every(({ pinnedBy }) => pinnedBy === null)
    if (newest?.status !== 'dead' || !areFree) return 0
    const feeCurrency = nativeAsset(gate).currency
    await tx.spends.insert({ id, gateId: gate.id, kind: 'refill', plan, feeCurrency, afterSpendId: null })
    if (!(await tx.refills.pin(gate.id, plan.inputs, id)))
      throw new Error('A coin was pinned by another refill although this process plans alone.')
    await tx.refills.insert({ spendId: id, txHash, preparedBy, againOf: spendId })
    await tx.spends.saveSigned(id, 1, signed)
    await tx.spends.noteSent(id, 1, null)
    await alsoDo(tx, id)
    return 1
  })
  return taken > 0 ? id : null
}
