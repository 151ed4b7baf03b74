import type { App } from '../app/app.ts'
import { approvalHash } from '../domain/payouts.ts'
import { isCancelling } from '../domain/spends.ts'
import { coinName, useNamesOf } from '../domain/uses.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import type { Attempt } from './attempt.ts'
import type { Journal } from './journal.ts'
import { planHash } from './journal-lines.ts'

/** Why an attempt does not agree with what was signed before, by the journal alone; null when it does. */
export async function journalObjection(
  app: Pick<App, 'store'>,
  journal: Journal,
  attempt: Attempt,
  payouts: readonly PayoutToSign[],
): Promise<string | null> {
  const { kind, plan } = attempt
  return (
    (kind === 'fill' ? await stillAlive(app, journal, attempt) : signedBefore(journal, attempt)) ??
    (isCancelling(plan) ? null : (secondSpend(journal, attempt, payouts) ?? otherPayout(journal, payouts))) ??
    otherUses(journal, attempt) ??
    signedWithValue(journal, attempt) ??
    otherAmount(journal, attempt)
  )
}

/**
 * Why a nonce may not be filled: according to the journal or the database, it belongs to a spend that has not ended. The fill
 * rules out what was signed for dead spends, since only one transaction with that nonce can be mined.
 */
async function stillAlive(
  { store }: Pick<App, 'store'>,
  journal: Journal,
  { spendId, gateId, plan }: Attempt,
): Promise<string | null> {
  if (plan.kind !== 'account') return null
  for (const use of useNamesOf(plan))
    for (const earlier of journal.ofUse(gateId, use)) {
      if (earlier.spendId === spendId || journal.isAccepted(earlier.hash)) continue
      if ((await store.spends.find(earlier.spendId))?.status !== 'dead')
        return `Transaction ${earlier.hash} was signed for the same nonce, and its spend has not ended.`
    }
  return (await store.nonces.isTaken(gateId, plan.from.address, plan.nonce, spendId))
    ? 'Its nonce belongs to another spend that has not ended.'
    : null
}

/**
 * Why a nonce may not be cancelled, or may not pay any more. The network mines only one of the transactions signed for a
 * nonce. So a nonce may be cancelled only if no paying transaction was signed for it, except by the same spend when its
 * funds are missing. Once a cancelling transaction is signed, no paying one may follow.
 */
function signedBefore(journal: Journal, { spendId, gateId, plan, isUnfunded }: Attempt): string | null {
  const cancels = isCancelling(plan)
  for (const use of useNamesOf(plan)) {
    const other = journal
      .ofUse(gateId, use)
      .find(
        (earlier) => earlier.cancels !== cancels && !(cancels && isUnfunded && earlier.spendId === spendId),
      )
    if (other !== undefined)
      return cancels
        ? `Transaction ${other.hash} was already signed for its nonce, so it can no longer be cancelled.`
        : `Its nonce was cancelled with transaction ${other.hash}, which pays nothing.`
  }
  return null
}

/**
 * All attempts of a spend use the same coins or nonce of one network: at most one of them can be mined, and only one fee
 * counts. EVM networks share addresses, so a nonce alone does not say which it is.
 */
function otherUses(journal: Journal, { spendId, gateId, plan }: Attempt): string | null {
  const uses = new Set(useNamesOf(plan))
  const other = journal
    .ofSpend(spendId)
    .find(
      (earlier) =>
        earlier.gateId !== gateId ||
        earlier.uses.length !== uses.size ||
        !earlier.uses.every((use) => uses.has(use)),
    )
  return other === undefined
    ? null
    : `Transaction ${other.hash} of the same spend uses other coins or another nonce, so both could be mined.`
}

/**
 * Why a value of a nonce account may not be signed for again. Whether it is one, the signer cannot tell: the network takes
 * the hash of a recent block in its place, and then executes every transaction that has it. So there is one transaction for
 * a value, and one that cancels it.
 */
function signedWithValue(journal: Journal, { gateId, plan }: Attempt): string | null {
  if (plan.kind !== 'solana' || plan.lifetime.kind !== 'nonce') return null
  const [planned, cancels] = [planHash(plan), isCancelling(plan)]
  const other = useNamesOf(plan)
    .flatMap((use) => journal.ofUse(gateId, use))
    .find((earlier) => earlier.cancels === cancels && earlier.planHash !== planned)
  return other === undefined
    ? null
    : `Transaction ${other.hash} was signed for the same value of its nonce account, and both might be executed.`
}

/**
 * A coin keeps the amount with which it was first signed: with different amounts in two attempts, valid witnesses of both
 * could be combined into one transaction whose fee no one has checked. `check-inputs.ts` proves amounts in the first place;
 * this holds even if that should ever fail.
 */
function otherAmount(journal: Journal, { gateId, plan }: Attempt): string | null {
  if (plan.kind !== 'coins') return null
  const other = plan.inputs.find((coin) => {
    const signed = journal.amountOf(gateId, coinName(coin))
    return signed !== null && signed !== coin.units
  })
  return other === undefined ? null : `Coin ${coinName(other)} was signed before with another amount.`
}

/** This transaction must rule out everything signed for its payouts before; otherwise one of them could be paid twice. */
function secondSpend(
  journal: Journal,
  { gateId, plan }: Pick<Attempt, 'gateId' | 'plan'>,
  payouts: readonly PayoutToSign[],
): string | null {
  const uses = new Set(useNamesOf(plan))
  for (const { id } of payouts) {
    const other = journal
      .ofPayout(id)
      .find((earlier) => earlier.gateId !== gateId || !earlier.uses.some((use) => uses.has(use)))
    if (other !== undefined)
      return (
        `The journal has transaction ${other.hash} for payout ${id}, so this one would pay it a second time. Restore a ` +
        'newer database, or run: npx sluice wallet reconcile'
      )
  }
  return null
}

/** A payout never changes: everything signed for it has the same destination, currency and amount. */
function otherPayout(journal: Journal, payouts: readonly PayoutToSign[]): string | null {
  const changed = payouts.find((payout) => {
    const signed = journal.signedPayout(payout.id)
    return (
      signed !== null &&
      (signed.approvalHash !== approvalHash(payout) ||
        signed.destination !== payout.destination ||
        signed.tag !== payout.destinationTag ||
        signed.currency !== payout.currency ||
        signed.units !== payout.amountUnits)
    )
  })
  return changed === undefined
    ? null
    : `Payout ${changed.id} was signed before, with another destination, currency or amount.`
}
