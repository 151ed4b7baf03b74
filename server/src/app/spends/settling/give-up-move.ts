import { ServiceError } from '../../../domain/errors.ts'
import type { GateId } from '../../../domain/networks/network.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { giveUpSpend } from './give-up-spend.ts'
import type { GivingUp } from './prove-dead.ts'

const kinds = {
  consolidation: {
    name: 'consolidation',
    unproved: 'THESE COINS CAN NEVER BE CONSOLIDATED',
    danger: 'the books will not know the coin that it creates',
  },
  cold: {
    name: 'move to the cold wallet',
    unproved: 'THESE FUNDS CAN NEVER ARRIVE AT THE COLD WALLET',
    danger: 'the books will not know what it brings there',
  },
} as const

/**
 * Ends a consolidation or a move to the cold wallet whose transaction can never be mined, and frees what it used. Returns its
 * gate, and why it is dead.
 */
export async function giveUpMove(
  app: App,
  spendId: string,
  given: GivingUp,
): Promise<{ readonly gateId: GateId; readonly reason: string }> {
  const spend = await app.store.spends.find(spendId)
  if (spend === null || (spend.kind !== 'consolidation' && spend.kind !== 'cold'))
    throw new ServiceError('not_found', 'There is no such consolidation or move to the cold wallet.')
  const { gateId, kind, status: was } = spend
  const what = kinds[kind]
  if (was !== 'open' && was !== 'final')
    throw new ServiceError(
      'conflict',
      `Only an open ${what.name}, or one that has left the chain, can be given up; this one is ${was}.`,
    )
  const reason = await giveUpSpend(app, spend, given, what, async (tx, _, why) =>
    noteAct(tx, given.by, null, {
      environment: app.gates.find(gateId)?.environment ?? null,
      action: kind === 'cold' ? 'cold_move.given_up' : 'consolidation.given_up',
      subject: spendId,
      details: { was, reason: why },
    }),
  )
  return { gateId, reason }
}
