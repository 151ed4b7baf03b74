import { type Fate, isCancelling, type Spend } from '../../domain/spends.ts'
import type { Gate } from '../../gates/gate.ts'
import type { App } from '../app.ts'
import { bookReturned } from './book-returned.ts'
import { isDeep } from './is-deep.ts'
import { placeAgain } from './place-again.ts'
import { undoSweep } from './undo-sweep.ts'

/**
 * Looks again at spends that were booked as done, or as ruled out, and whose block a reorganisation has replaced: usually
 * another block holds them now, where they may have cost another fee, or they wait again; what the network has forgotten is
 * sent again, the same bytes. A sweep that was run again and failed has brought nothing: that is taken back. One that can
 * never be mined any more, or was mined although it had been given up, is beyond what may be decided here: a person is told.
 */
export async function recheckEnded(app: App, gate: Gate): Promise<number> {
  const displaced = await app.store.spends.displaced(gate.id)
  for (const spend of displaced) {
    const signed = spend.transactions.flatMap(({ signed: bytes, plan }) =>
      bytes === null ? [] : [{ bytes, plan }],
    )
    const fate = await gate.fate(signed.map(({ bytes: { hash }, plan }) => ({ hash, plan })))
    if (spend.status === 'dead') {
      await recheckDead(app, gate, spend, fate)
      continue
    }
    // Another attempt in its place has another change and another fee than those that were booked.
    if (fate.kind === 'mined' && fate.hash !== spend.mined?.hash)
      app.spending.onUndone(gate, spend.id, `${fate.hash} was mined in place of ${spend.mined?.hash}`)
    else if (fate.kind === 'mined' && fate.succeeded !== hadSucceeded(spend)) {
      if (await undoSweep(app, gate, spend, fate)) await placeAgain(app, gate, spend, fate)
      else
        app.spending.onUndone(gate, spend.id, `${fate.hash} was mined again, and ${outcome(fate)} this time`)
    } else if (fate.kind === 'mined') await placeAgain(app, gate, spend, fate)
    else if (fate.kind === 'ruled_out') app.spending.onUndone(gate, spend.id, fate.reason)
    else if (fate.kind === 'waiting') app.spending.onWaitsAgain(gate, spend.id, fate.hash)
    else if (fate.kind === 'unknown') {
      const own = signed.find(({ bytes }) => bytes.hash === spend.mined?.hash)
      const refusal = own === undefined ? null : await gate.broadcast(own.bytes)
      if (refusal !== null) app.spending.onRefused(gate, spend.id, refusal)
    }
  }
  return displaced.length
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
      await app.store.spends.place(spend.id, fate.block)
    else if (fate.kind === 'ruled_out') app.spending.onUndone(gate, spend.id, fate.reason)
    return
  }
  if (fate.kind === 'ruled_out') return app.store.spends.place(spend.id, fate.block)
  if (fate.kind === 'mined' && (await isDeep(app, gate, gate.network.confirmations, fate.block)))
    return bookReturned(app, gate, spend, fate)
  // However long it takes, it is looked at until something rules it out again.
  await app.store.spends.place(spend.id, null)
}
