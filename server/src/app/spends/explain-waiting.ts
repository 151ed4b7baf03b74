import type { App } from '../app.ts'
import { letAllWait } from './say-why.ts'

const graceMs = 30_000
const maxAtOnce = 200

/**
 * Gives a reason to every payout that nothing has moved for a while and that has none: whoever holds it up was not there to say so.
 * The signer may stand still, or this very program. Returns how many there were.
 */
export async function explainWaiting(
  app: Pick<App, 'store' | 'spending'>,
  { afterMs = graceMs }: { readonly afterMs?: number } = {},
): Promise<number> {
  const found = await app.store.waiting.unexplained(afterMs, maxAtOnce)
  for (const gateId of new Set(found.filter(({ spendId }) => spendId === null).map((each) => each.gateId)))
    await letAllWait(app, gateId, notTakenUp)
  for (const { spendId } of found)
    if (spendId !== null)
      for (const payout of await app.store.waiting.say(spendId, await whyStill(app, spendId)))
        app.spending.onWaits(payout, payout.waitingReason ?? '')
  return found.length
}

const notTakenUp =
  'Nobody has taken it up yet: the worker is busy, or does not run. It goes on by itself, and can be cancelled until then.'

async function whyStill({ store }: Pick<App, 'store'>, spendId: string): Promise<string> {
  const spend = await store.spends.find(spendId)
  const isSigned = spend?.transactions.some(({ signed }) => signed !== null) ?? false
  return isSigned
    ? 'Its transaction is signed, and the network has not taken it yet. It is sent again by itself.'
    : 'It waits for the signer, which has not answered yet: it does not run, or another one works. It goes on by itself when it does.'
}
