import type { Actor } from '../../domain/audit-log.ts'
import { ServiceError } from '../../domain/errors.ts'
import { isCancelling, type Spend } from '../../domain/spends.ts'
import { coinName } from '../../domain/uses.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { isDeep } from './is-deep.ts'
import type { Undoing } from './undo-spend.ts'

/** Who gives a spend up, and which spend that person states can never be mined; null when nothing is stated. */
export type GivingUp = { readonly by: Actor; readonly deadSpendId: string | null }

/** What is given up, for people. */
export type GivenUp = {
  /** As in “this payout”. */
  readonly name: string
  /** What is not proved, as long as nothing is stated. */
  readonly unproved: string
  /** What happens if the transaction is mined after all. */
  readonly danger: string
}

/**
 * Why no transaction of the spend can ever be mined. Either the chain proves that, or a coin that it spends was reorganised
 * away and a person states, by naming the spend, that it will never come back. Whatever could still be mined is refused. One that
 * was booked as done may also have been mined again and have failed.
 */
export async function proveDead(
  app: App,
  gate: Gate,
  spend: Spend,
  given: GivingUp,
  what: GivenUp,
): Promise<Undoing> {
  const alive = (why: string) => new ServiceError('conflict', `This ${what.name} cannot be given up. ${why}`)
  const signed = spend.transactions.flatMap(({ signed: bytes, plan }) =>
    bytes === null ? [] : [{ hash: bytes.hash, plan }],
  )
  if (signed.length === 0)
    throw alive('Nothing was signed for it yet, and the signer may sign it at any moment. See why it waits.')
  const fate = await gate.fate(signed)
  switch (fate.kind) {
    case 'mined': {
      const { hash, block, feeUnits, succeeded } = fate
      const place = `Its transaction ${hash} is in block ${block.height}.`
      if (spend.status === 'open') throw alive(`${place} It is booked when that is deep enough.`)
      const plan = signed.find((attempt) => attempt.hash === hash)?.plan
      const isCancelled = plan !== undefined && isCancelling(plan)
      if (succeeded && !isCancelled) throw alive(`${place} It was carried out.`)
      if (!(await isDeep(app, gate, gate.network.confirmations, block)))
        throw alive(
          `${place} It ${isCancelled ? 'was cancelled' : 'failed'} there, and that is not deep enough yet. Try again when it is.`,
        )
      const reason = isCancelled
        ? `What cancels it was mined in its place, in block ${block.height}.`
        : `The network ran it again in block ${block.height}, and it failed.`
      return { status: 'reverted', hash, block, feeUnits, reason }
    }
    case 'waiting':
      throw alive(`Its transaction ${fate.hash} waits for a block and can be mined at any moment.`)
    case 'ruled_out':
      if (await isDeep(app, gate, gate.network.confirmations, fate.block))
        return { status: 'dead', reason: fate.reason, block: fate.block }
      throw alive(
        `What rules it out is not deep enough yet. ${spend.status === 'open' ? 'It ends by itself when it is.' : 'Try again when it is.'}`,
      )
    case 'unknown':
      break
  }
  if (spend.moved !== null)
    throw alive(
      'Its number is not used yet, so its transaction can be mined at any time: only the chain can decide.',
    )
  const lost = await app.store.holdings.lostCoins(spend.id)
  if (lost.length === 0)
    throw alive('Every coin that it spends is on the chain, so its transaction can be mined at any time.')
  const names = lost.map(coinName).join(', ')
  if (given.deadSpendId !== spend.id) throw new ServiceError('conflict', unsure(what, spend.id, names))
  const reason = `A coin that it spends was reorganised away for good (${names}), as ${given.by.actor} has stated. Nothing was paid.`
  return { status: 'dead', reason }
}

function unsure({ unproved, danger }: GivenUp, spendId: string, names: string): string {
  return [
    `IT IS NOT PROVED THAT ${unproved}.`,
    `Its signed transaction is known to the network and spends what was reorganised away: ${names}.`,
    `Should that come back, the transaction can be mined, and ${danger}.`,
    'Make sure, on nodes other than your own, that what paid these coins can never be mined: that its own inputs were spent by another transaction, which is deep in the chain.',
    `Then state it by naming the spend: --never-mined ${spendId}`,
  ].join('\n')
}
