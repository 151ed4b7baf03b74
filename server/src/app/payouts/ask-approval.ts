import type { App } from '../app.ts'
import { askPasskey, type PasskeyQuestion } from '../people/ask-passkey.ts'
import type { Speaker } from '../people/check-assertion.ts'
import { approving, type SeenPayout } from './approve-payouts.ts'
import { type FeeReader, refuseDearer } from './present-cost.ts'

/**
 * What a passkey is to sign to approve these payouts. Throws if one of them costs more by now than the approver saw: a new cost is
 * shown before anything is signed.
 */
export async function askApproval(
  app: App,
  readFee: FeeReader,
  speaker: Speaker,
  payouts: readonly SeenPayout[],
): Promise<PasskeyQuestion> {
  for (const { id, total } of payouts) {
    const payout = await app.store.payouts.find(speaker.caller, id)
    if (payout !== null) refuseDearer(payout, total, await readFee(payout))
  }
  return askPasskey(app, speaker, approving(speaker, payouts))
}
