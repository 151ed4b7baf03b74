import { ServiceError } from '../../domain/errors.ts'
import type { GateId } from '../../domain/networks.ts'
import type { App } from '../app.ts'
import { type GivingUp, proveDead } from './prove-dead.ts'
import { settleSpend } from './settle-spend.ts'

const what = {
  name: 'join',
  unproved: 'THESE COINS CAN NEVER BE JOINED',
  danger: 'the books will not know the coin that it makes',
}

/** Ends a join whose transaction can never be mined: its coins are free again. Returns its gate, and why it is dead. */
export async function giveUpJoin(
  app: App,
  spendId: string,
  given: GivingUp,
): Promise<{ readonly gateId: GateId; readonly reason: string }> {
  const spend = await app.store.spends.find(spendId)
  if (spend === null || spend.kind !== 'join') throw new ServiceError('not_found', 'There is no such join.')
  if (spend.status !== 'open')
    throw new ServiceError('conflict', `Only an open join can be given up; this one is ${spend.status}.`)
  const gate = app.gates.find(spend.gateId)
  if (gate === null)
    throw new ServiceError(
      'gate_offline',
      `There is no gate ${spend.gateId} here to ask what has become of it.`,
    )
  const reason = await proveDead(app, gate, spend, given, what)
  await settleSpend(app, gate, spend.id, { status: 'dead', reason })
  return { gateId: spend.gateId, reason }
}
