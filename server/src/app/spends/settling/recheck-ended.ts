import { isAccountRefill } from '../../../domain/account-refills.ts'
import { say } from '../../../domain/reasons/reasons.ts'
import { type Fate, isCancelling, type Spend } from '../../../domain/spends.ts'
import type { Gate } from '../../../gates/gate.ts'
import type { App } from '../../app.ts'
import { placeAgain } from '../planning/place-again.ts'
import { bringAgain, takeBackSweep, undoSweep } from '../sweeping/undo-sweep.ts'
import { bookReplacement, isReplacement } from './book-replacement.ts'
import { bookReturned } from './book-returned.ts'
import { isDeep } from './is-deep.ts'
import { recheckRefill } from './recheck-refill.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/**
 * Rechecks spends that were booked as done or as ruled out and whose block a reorganisation has replaced. Usually another
 * block holds them now, possibly with another fee or another attempt, or they wait again; transactions that the network has
 * forgotten are sent again, the same bytes. A sweep that was mined again and failed delivered nothing: its booking is
 * undone. A spend that can never be mined any more, or that was mined although it had been given up, is for the operator to
 * decide, who is told once. Each is rechecked until a block holds it again, however long that takes.
 */
export async function recheckEnded(app: App, gate: Gate): Promise<number> {
  const displaced = await app.store.endedSpends.displaced(gate.id)
  for (const spend of displaced) {
    if (isAccountRefill(spend)) {
      await recheckRefill(app, gate, spend)
      continue
    }
    const signed = spend.transactions.flatMap(({ signed: bytes, plan }) =>
      bytes === null ? [] : [{ bytes, plan }],
    )
    const fate = await gate.fate(signed.map(({ bytes: { hash }, plan }) => ({ hash, plan })))
    if (spend.status === 'dead') {
      await recheckDead(app, gate, spend, fate)
      continue
    }
    if (fate.kind === 'mined' && (await isBookedThere(app, gate, spend, fate))) continue
    if (fate.kind === 'unknown') {
      const own = signed.find(({ bytes }) => bytes.hash === spend.mined?.hash)
      const refusal = own === undefined ? null : await gate.broadcast(own.bytes)
      if (refusal !== null) app.reports.rejected(gate, spend.id, refusal)
    }
    if (fate.kind === 'unknown' || fate.kind === 'waiting') await takeBackSweep(app, gate, spend)
    if (fate.kind === 'waiting' && spend.mined?.block !== null)
      app.reports.pendingAgain(gate, spend.id, fate.hash)
    const undone = whyUndone(spend, fate)
    if ((await app.store.endedSpends.displace(spend, undone)) && undone !== null)
      app.reports.undone(gate, spend.id, undone)
  }
  return displaced.length
}

/** Books the block that holds it now; false if the outcome there differs from the booked one. */
async function isBookedThere(app: App, gate: Gate, spend: Spend, fate: Mined): Promise<boolean> {
  if (isReplacement(spend, fate)) return bookReplacement(app, gate, spend, fate)
  if (fate.hash !== spend.mined?.hash) return false
  if (
    fate.succeeded !== hadSucceeded(spend) &&
    !(await undoSweep(app, gate, spend, fate)) &&
    !(await bringAgain(app, gate, spend, fate))
  )
    return false
  await placeAgain(app, gate, spend, fate)
  return true
}

/** Why it cannot come back by itself; null while it can. */
function whyUndone(spend: Spend, fate: Fate): string | null {
  const { mined } = spend
  if (fate.kind === 'ruled_out') return fate.reason
  // A replacement is booked by itself once it is deep and its holdings are free.
  if (fate.kind !== 'mined' || isReplacement(spend, fate)) return null
  return fate.hash === mined?.hash
    ? say(fate.succeeded ? 'mined_again_succeeded' : 'mined_again_failed', { hash: fate.hash })
    : say('mined_instead', { hash: fate.hash, before: mined?.hash ?? '' })
}

/** Whether the transaction was booked as successful. A cancelling one counts as such, since it moves nothing either way. */
function hadSucceeded({ status, mined, transactions }: Spend): boolean {
  const plan = transactions.find(({ signed }) => signed?.hash === mined?.hash)?.plan
  return status === 'final' || (plan !== undefined && isCancelling(plan))
}

/** A dead spend is never sent again, even if nothing rules it out any more: its nonce is filled instead. */
async function recheckDead(app: App, gate: Gate, spend: Spend, fate: Fate): Promise<void> {
  if (spend.mined !== null) {
    if (fate.kind === 'mined' && fate.hash === spend.mined.hash)
      await app.store.endedSpends.place(spend.id, fate.block)
    else if (fate.kind === 'ruled_out' && (await app.store.endedSpends.displace(spend, fate.reason)))
      app.reports.undone(gate, spend.id, fate.reason)
    return
  }
  if (fate.kind === 'ruled_out') return app.store.endedSpends.place(spend.id, fate.block)
  if (fate.kind === 'mined' && (await isDeep(app, gate, gate.network.confirmations, fate.block)))
    return bookReturned(app, gate, spend, fate)
  // Keep rechecking it, however long it takes, until something rules it out again.
  await app.store.endedSpends.place(spend.id, null)
}
