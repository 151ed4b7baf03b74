import { ServiceError } from '../../domain/errors.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { Spend } from '../../domain/spends.ts'
import { coinName } from '../../domain/uses.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { isDeep } from './is-deep.ts'
import { settleSpend } from './settle-spend.ts'

/** Who gives a payout up, and which spend that person states can never be mined; null when nothing is stated. */
export type GivingUp = { readonly by: string; readonly deadSpendId: string | null }

/**
 * Ends a payout that is on its way as failed, with everything released, when its transaction can never be mined. Either the
 * chain proves that, or a coin that it spends was reorganised away and a person states, by naming the spend, that it will
 * never come back. Whatever could still be mined is refused.
 */
export async function giveUpPayout(app: App, payoutId: string, given: GivingUp): Promise<Payout> {
  const payout = await app.store.payouts.find(null, payoutId)
  if (payout === null) throw new ServiceError('not_found', 'There is no such payout.')
  const spend = payout.spendId === null ? null : await app.store.spends.find(payout.spendId)
  if (payout.status !== 'processing' || spend === null)
    throw new ServiceError(
      'conflict',
      `Only a payout on its way can be given up; this one is ${payout.status}.`,
    )
  const gate = app.gates.find(spend.gateId)
  if (gate === null)
    throw new ServiceError(
      'gate_offline',
      `There is no gate ${spend.gateId} here to ask what has become of it.`,
    )
  await settleSpend(app, gate, spend.id, { status: 'dead', reason: await proofOf(app, gate, spend, given) })
  return (await app.store.payouts.find(null, payoutId)) ?? payout
}

/** Why no transaction of the spend can ever be mined; throws where that is not certain. */
async function proofOf(app: App, gate: Gate, spend: Spend, given: GivingUp): Promise<string> {
  const signed = spend.transactions.flatMap(({ signed: bytes, plan }) =>
    bytes === null ? [] : [{ hash: bytes.hash, plan }],
  )
  if (signed.length === 0)
    throw alive('Nothing was signed for it yet, and the signer may sign it at any moment. See why it waits.')
  const fate = await gate.fate(signed)
  switch (fate.kind) {
    case 'mined':
      throw alive(
        `Its transaction ${fate.hash} is in block ${fate.block.height}. It is booked when that is deep enough.`,
      )
    case 'waiting':
      throw alive(`Its transaction ${fate.hash} waits for a block and can be mined at any moment.`)
    case 'ruled_out':
      if (await isDeep(app, gate, gate.network.confirmations, fate.block)) return fate.reason
      throw alive('What rules it out is not deep enough yet. It ends by itself when it is.')
    case 'unknown':
      return lossOf(app, spend, given)
  }
}

async function lossOf(app: App, spend: Spend, { by, deadSpendId }: GivingUp): Promise<string> {
  if (spend.moved !== null)
    throw alive(
      'Its number is not used yet, so its transaction can be mined at any time: only the chain can decide.',
    )
  const lost = await app.store.holdings.lostCoins(spend.id)
  if (lost.length === 0)
    throw alive('Every coin that it spends is on the chain, so its transaction can be mined at any time.')
  const names = lost.map(coinName).join(', ')
  if (deadSpendId === spend.id)
    return `A coin that it spends was reorganised away for good (${names}), as ${by} has stated. Nothing was paid.`
  throw new ServiceError(
    'conflict',
    [
      'IT IS NOT PROVED THAT THIS PAYOUT CAN NEVER ARRIVE.',
      `Its signed transaction is known to the network and spends what was reorganised away: ${names}.`,
      'Should that come back, the transaction can be mined, and whoever was told that it failed will have paid twice.',
      'Make sure, on nodes other than your own, that what paid these coins can never be mined: that its own inputs were spent by another transaction, which is deep in the chain.',
      `Then state it by naming the spend: --never-mined ${spend.id}`,
    ].join('\n'),
  )
}

function alive(why: string): ServiceError {
  return new ServiceError('conflict', `This payout cannot be given up. ${why}`)
}
