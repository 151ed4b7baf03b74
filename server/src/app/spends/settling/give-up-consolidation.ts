import { ServiceError } from '../../../domain/errors.ts'
import type { GateId } from '../../../domain/networks/network.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { giveUpSpend } from './give-up-spend.ts'
import type { GivingUp } from './prove-dead.ts'

const what = {
  name: 'consolidation',
  unproved: 'THESE COINS CAN NEVER BE CONSOLIDATED',
  danger: 'the books will not know the coin that it creates',
}

/** Ends a consolidation whose transaction can never be mined and frees its coins. Returns its gate, and why it is dead. */
export async function giveUpConsolidation(
  app: App,
  spendId: string,
  given: GivingUp,
): Promise<{ readonly gateId: GateId; readonly reason: string }> {
  const spend = await app.store.spends.find(spendId)
  if (spend === null || spend.kind !== 'consolidation')
    throw new ServiceError('not_found', 'There is no such consolidation.')
  const { gateId, status: was } = spend
  if (was !== 'open' && was !== 'final')
    throw new ServiceError(
      'conflict',
      `Only an open consolidation, or one that has left the chain, can be given up; this one is ${was}.`,
    )
  const reason = await giveUpSpend(app, spend, given, what, async (tx, _, why) =>
    noteAct(tx, given.by, null, {
      environment: app.gates.find(gateId)?.environment ?? null,
      action: 'consolidation.given_up',
      subject: spendId,
      details: { was, reason: why },
    }),
  )
  return { gateId, reason }
}
