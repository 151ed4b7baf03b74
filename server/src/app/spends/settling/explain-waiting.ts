import { say } from '../../../domain/reasons/reasons.ts'
import type { App } from '../../app.ts'
import { letAllWait } from './say-why.ts'

const graceMs = 30_000
const maxAtOnce = 200

/**
 * Gives a reason to every payout that has not moved for a while and has none, because the part that holds it up could not
 * say so: the signer may be down, or the worker. Returns how many there were.
 */
export async function explainWaiting(
  app: Pick<App, 'store' | 'reports'>,
  { afterMs = graceMs }: { readonly afterMs?: number } = {},
): Promise<number> {
  const found = await app.store.waiting.unexplained(afterMs, maxAtOnce)
  for (const gateId of new Set(found.filter(({ spendId }) => spendId === null).map((each) => each.gateId)))
    await letAllWait(app, gateId, notTakenUp)
  for (const { spendId } of found)
    if (spendId !== null)
      for (const payout of await app.store.waiting.say(spendId, await whyStill(app, spendId)))
        app.reports.payoutWaits(payout, payout.waitingReason ?? '')
  return found.length
}

const notTakenUp = say('no_worker')

async function whyStill({ store }: Pick<App, 'store'>, spendId: string): Promise<string> {
  const spend = await store.spends.find(spendId)
  const isSigned = spend?.transactions.some(({ signed }) => signed !== null) ?? false
  return isSigned ? say('not_accepted_yet') : say('no_signer')
}
