import { isAccountRefill } from '../../../domain/account-refills.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { GateId } from '../../../domain/networks/network.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import { noteAct } from '../../audit/note-act.ts'
import { giveUpAccountRefill } from '../cold/give-up-account-refill.ts'
import { giveUpUnsigned } from '../cold/give-up-refill.ts'
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
  refill: {
    name: 'refill',
    unproved: 'THESE FUNDS CAN NEVER ARRIVE FROM THE COLD WALLET',
    danger: 'the books will not know what it brings',
  },
} as const

const actions = {
  consolidation: 'consolidation.given_up',
  cold: 'cold_move.given_up',
  refill: 'refill.given_up',
} as const

/**
 * Ends a consolidation, a refill or a move to the cold wallet whose transaction can never be mined, or a refill that was not
 * handed in, and frees what it used. Returns its gate, and why it is dead.
 */
export async function giveUpMove(
  app: App,
  spendId: string,
  given: GivingUp,
): Promise<{ readonly gateId: GateId; readonly reason: string }> {
  const spend = await app.store.spends.find(spendId)
  if (spend === null || (spend.kind !== 'consolidation' && spend.kind !== 'cold' && spend.kind !== 'refill'))
    throw new ServiceError('not_found', 'There is no such consolidation, refill or move to the cold wallet.')
  const { gateId, kind, status: was } = spend
  const what = kinds[kind]
  const isOfAccount = isAccountRefill(spend)
  if (!isOfAccount && was !== 'open' && was !== 'final')
    throw new ServiceError(
      'conflict',
      `Only an open ${what.name}, or one that has left the chain, can be given up; this one is ${was}.`,
    )
  const note = (tx: Store, why: string) =>
    noteAct(tx, given.by, null, {
      environment: app.gates.find(gateId)?.environment ?? null,
      action: actions[kind],
      subject: spendId,
      details: { was, reason: why },
    })
  const gate = app.gates.find(gateId)
  const isUnsigned = spend.transactions.every(({ signed }) => signed === null)
  if (isOfAccount && gate !== null)
    return { gateId, reason: await giveUpAccountRefill(app, gate, spend, note) }
  const reason =
    kind === 'refill' && isUnsigned && gate !== null
      ? await giveUpUnsigned(app, gate, spend, note)
      : await giveUpSpend(app, spend, given, what, (tx, _, why) => note(tx, why))
  return { gateId, reason }
}
