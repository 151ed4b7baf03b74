import { type Fate, isCancelling, type Spend } from '../../domain/spends.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { bookReplacement, isReplacement } from './book-replacement.ts'
import { bookReturned } from './book-returned.ts'
import { isDeep } from './is-deep.ts'
import { placeAgain } from './place-again.ts'
import { bringAgain, takeBackSweep, undoSweep } from './undo-sweep.ts'

type Mined = Extract<Fate, { kind: 'mined' }>

/**
 * Looks again at spends that were booked as done, or as ruled out, and whose block a reorganisation has replaced: usually
 * another block holds them now, where they may have cost another fee, or another attempt is there in their place; or they wait
 * again; what the network has forgotten is sent again, the same bytes. A sweep that was run again and failed has brought nothing: that is taken back. One that can
 * never be mined any more, or was mined although it had been given up, is beyond what may be decided here: a person is told, once.
 * Each is looked at until a block holds it again, however long it takes.
 */
export async function recheckEnded(app: App, gate: Gate): Promise<number> {
  const displaced = await app.store.endedSpends.displaced(gate.id)
  for (const spend of displaced) {
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
      if (refusal !== null) app.spending.onRefused(gate, spend.id, refusal)
    }
    if (fate.kind === 'unknown' || fate.kind === 'waiting') await takeBackSweep(app, gate, spend)
    if (fate.kind === 'waiting' && spend.mined?.block !== null)
      app.spending.onWaitsAgain(gate, spend.id, fate.hash)
    const undone = whyUndone(spend, fate)
    if ((await app.store.endedSpends.displace(spend, undone)) && undone !== null)
      app.spending.onUndone(gate, spend.id, undone)
  }
  return displaced.length
}

/** Books the block that holds it now; false where something else happened there than was booked. */
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
  // What only waits for its depth, or for what is in use, is booked by itself.
  if (fate.kind !== 'mined' || isReplacement(spend, fate)) return null
  return fate.hash === mined?.hash
    ? `${fate.hash} was mined again, and ${outcome(fate)} this time`
    : `${fate.hash} was mined in place of ${mined?.hash}`
}

/** Whether the network did what its transaction says, as it was booked; what only uses a number up moves nothing either way. */
function hadSucceeded({ status, mined, transactions }: Spend): boolean {
  const plan = transactions.find(({ signed }) => signed?.hash === mined?.hash)?.plan
  return status === 'final' || (plan !== undefined && isCancelling(plan))
}

function outcome({ succeeded }: { readonly succeeded: boolean }): string {
  return succeeded ? 'did what it was to do' : 'failed'
}

/** What was given up is never sent again, whatever rules it out no more: its number is filled instead. */
async function recheckDead(app: App, gate: Gate, spend: Spend, fate: Fate): Promise<void> {
  if (spend.mined !== null) {
    if (fate.kind === 'mined' && fate.hash === spend.mined.hash)
      await app.store.endedSpends.place(spend.id, fate.block)
    else if (fate.kind === 'ruled_out' && (await app.store.endedSpends.displace(spend, fate.reason)))
      app.spending.onUndone(gate, spend.id, fate.reason)
    return
  }
  if (fate.kind === 'ruled_out') return app.store.endedSpends.place(spend.id, fate.block)
  if (fate.kind === 'mined' && (await isDeep(app, gate, gate.network.confirmations, fate.block)))
    return bookReturned(app, gate, spend, fate)
  // However long it takes, it is looked at until something rules it out again.
  await app.store.endedSpends.place(spend.id, null)
}
