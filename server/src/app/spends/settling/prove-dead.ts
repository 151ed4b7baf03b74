import type { Actor } from '../../../domain/audit-log.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { isCancelling, type Spend } from '../../../domain/spends.ts'
import { coinName } from '../../../domain/uses.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { isDeep } from './is-deep.ts'
import type { Undoing } from './undo-spend.ts'

/** Who gives up a spend, and which spend they state can never be mined; null if they state nothing. */
export type GivingUp = { readonly by: Actor; readonly deadSpendId: string | null }

/** Words for the thing that is given up. */
export type GivenUp = {
  /** As in “this payout”. */
  readonly name: string
  /** The claim that the chain does not prove. */
  readonly unproved: string
  /** What happens if the transaction is mined after all. */
  readonly danger: string
}

/**
 * Returns why no transaction of the spend can ever be mined. Either the chain proves it, or a coin that it spends was
 * reorganised away and the operator states, by naming the spend, that it will never come back. A spend that was booked as
 * done may also have been mined again and failed. Throws if a transaction could still be mined.
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
    throw alive(
      'Nothing is signed for it yet, and the signer may sign it at any moment. Check why it is waiting.',
    )
  const fate = await gate.fate(signed)
  switch (fate.kind) {
    case 'mined': {
      const { hash, block, feeUnits, succeeded } = fate
      const place = `Its transaction ${hash} is in block ${block.height}.`
      if (spend.status === 'open') throw alive(`${place} It is booked once that block is deep enough.`)
      const plan = signed.find((attempt) => attempt.hash === hash)?.plan
      const isCancelled = plan !== undefined && isCancelling(plan)
      if (succeeded && !isCancelled) throw alive(`${place} It was carried out.`)
      if (!(await isDeep(app, gate, gate.network.confirmations, block)))
        throw alive(
          `${place} It ${isCancelled ? 'was cancelled' : 'failed'} there, but that block is not deep enough yet. Try again once it is.`,
        )
      const reason = isCancelled
        ? say('cancelled_instead', { height: block.height })
        : say('failed_again', { height: block.height })
      return { status: 'reverted', hash, block, feeUnits, reason }
    }
    case 'waiting':
      throw alive(`Its transaction ${fate.hash} waits for a block and can be mined at any moment.`)
    case 'ruled_out':
      if (await isDeep(app, gate, gate.network.confirmations, fate.block))
        return { status: 'dead', reason: fate.reason, block: fate.block }
      throw alive(
        `The transaction that rules it out is not deep enough yet. ${spend.status === 'open' ? 'It ends by itself once it is.' : 'Try again once it is.'}`,
      )
    case 'unknown':
      break
  }
  if (spend.moved !== null)
    throw alive(
      'Its nonce is not used yet, so its transaction can be mined at any time: only the chain can decide.',
    )
  const lost = await app.store.holdings.lostCoins(spend.id)
  if (lost.length === 0)
    throw alive('Every coin that it spends is on the chain, so its transaction can be mined at any time.')
  const names = lost.map(coinName).join(', ')
  if (given.deadSpendId !== spend.id) throw new ServiceError('conflict', unsure(what, spend.id, names))
  return { status: 'dead', reason: say('coin_gone_stated', { coins: names, actor: given.by.actor }) }
}

function unsure({ unproved, danger }: GivenUp, spendId: string, names: string): string {
  return [
    `IT IS NOT PROVED THAT ${unproved}.`,
    `Its signed transaction may be known to the network, and spends coins that were reorganised away: ${names}.`,
    `If they come back, the transaction can be mined, and ${danger}.`,
    'Make sure, on nodes other than your own, that the transactions that paid these coins can never be mined: their own inputs must have been spent by another transaction that is deep in the chain.',
    `Then state it by naming the spend: --never-mined ${spendId}`,
  ].join('\n')
}
