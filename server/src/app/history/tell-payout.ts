import type { Caller } from '../../domain/caller.ts'
import type { Payout } from '../../domain/payouts.ts'
import type { App } from '../app.ts'
import { getPayout } from '../payouts/get-payout.ts'
import { getRefund } from '../refunds/get-refund.ts'
import { announcements } from './announcements.ts'
import { foldEvents } from './fold-events.ts'
import type { History } from './happening.ts'
import { namesIn } from './names-in.ts'
import { decidersOf, ofPayout } from './of-payout.ts'

/** Everything that happened to one of the caller's payouts, oldest first. */
export async function tellPayout(app: Pick<App, 'store'>, caller: Caller, id: string): Promise<History> {
  return tell(app, caller, await getPayout(app, caller, id))
}

/** The same of one of the caller's refunds: what happens to a refund happens to its payout, and is told once. */
export async function tellRefund(app: Pick<App, 'store'>, caller: Caller, id: string): Promise<History> {
  return tell(app, caller, (await getRefund(app, caller, id)).payout)
}

async function tell({ store }: Pick<App, 'store'>, caller: Caller, payout: Payout): Promise<History> {
  const { id } = payout
  const resources = payout.refundId === null ? [id] : [id, payout.refundId]
  const [deciders, events] = await Promise.all([
    decidersOf(store, caller.merchantId, [payout]),
    announcements(store, caller, resources),
  ])
  const happenings = foldEvents(ofPayout(payout, deciders), events)
  return { happenings, names: await namesIn(store, happenings, deciders.endings) }
}
