import { balanceDecimals } from '../../../domain/assets.ts'
import { uuidv7 } from '../../../domain/ids.ts'
import { raisePostings } from '../../../domain/payout-postings.ts'
import { type Payout, payoutTransitions } from '../../../domain/payouts.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { nextState } from '../../../domain/transitions.ts'
import type { Store } from '../../../store/store.ts'
import type { App } from '../../app.ts'
import type { Till } from '../../payouts/judge-backing.ts'
import { payoutEvent } from '../../payouts/tell.ts'

/** Why a payout waits whose network fee exceeds the reserve. */
export const reserveTooLow = say('reserve_too_low')

/** Moves an approved payout that the caller has locked to `processing`: from here on, its spend decides its fate. */
export async function submitPayout(
  app: Pick<App, 'now' | 'present'>,
  tx: Store,
  payout: Payout,
  spendId: string,
): Promise<void> {
  const status = nextState(payoutTransitions, payout.status, 'submit')
  if (status === null) throw new Error(`A ${payout.status} payout is not submitted.`)
  const submitted = await tx.payouts.change(payout.status, {
    id: payout.id,
    status,
    spendId,
    waitingReason: null,
  })
  await tx.events.append(payoutEvent(app, 'payout.processing', submitted))
}

/** Sets the reason why a payout waits, and tells the operator. Does nothing if it has this reason already. */
export async function letWait(
  app: Pick<App, 'reports'>,
  tx: Store,
  payout: Payout,
  reason: string,
): Promise<void> {
  if (payout.waitingReason === reason) return
  app.reports.payoutWaits(payout, reason)
  await tx.payouts.change(payout.status, { id: payout.id, status: payout.status, waitingReason: reason })
}

/** The payouts that the balance covers. The others wait, with the reason. */
export async function leaveUnbacked(
  app: Pick<App, 'reports'>,
  tx: Store,
  till: Till,
  payouts: readonly Payout[],
): Promise<Payout[]> {
  const backed: Payout[] = []
  for (const payout of payouts) {
    const objection = till.objectionTo(payout)
    if (objection === null) backed.push(payout)
    else await letWait(app, tx, payout, objection)
  }
  return backed
}

/**
 * Ensures that at least `neededUnits` are reserved for the network fee, and reserves more if the merchant's balance allows.
 * Returns the updated payout; null when the balance is too low, and then the payout waits with that reason.
 */
export async function raiseReserve(
  app: Pick<App, 'now' | 'assets' | 'reports'>,
  tx: Store,
  payout: Payout,
  neededUnits: bigint,
): Promise<Payout | null> {
  const extra = neededUnits - payout.networkFeeUnits
  if (extra <= 0n) return payout
  const available = await tx.ledger.holdAvailable([payout])
  if (available(payout) < extra) {
    await letWait(app, tx, payout, reserveTooLow)
    return null
  }
  const raise = payout.reserveRaises + 1
  await tx.ledger.post([{ ...raisePostings(payout, extra, raise), id: uuidv7(app.now()) }], (code) =>
    balanceDecimals(app.assets, code),
  )
  return tx.payouts.change(payout.status, {
    id: payout.id,
    status: payout.status,
    networkFeeUnits: neededUnits,
    reserveRaises: raise,
  })
}
