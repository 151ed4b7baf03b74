import type { Caller } from '../../domain/caller.ts'
import type { App } from '../app.ts'
import { getPayout } from '../payouts/get-payout.ts'
import { announcements } from './announcements.ts'
import { foldEvents } from './fold-events.ts'
import type { History } from './happening.ts'
import { namesIn } from './names-in.ts'
import { decidersOf, ofPayout } from './of-payout.ts'

/** Everything that happened to one of the caller's payouts, oldest first. */
export async function tellPayout(app: Pick<App, 'store'>, caller: Caller, id: string): Promise<History> {
  const { store } = app
  const payout = await getPayout(app, caller, id)
  const resources = payout.refundId === null ? [id] : [id, payout.refundId]
  const [deciders, events] = await Promise.all([
    decidersOf(store, caller.merchantId, [payout]),
    announcements(store, caller, resources),
  ])
  const happenings = foldEvents(ofPayout(payout, deciders), events)
  return { happenings, names: await namesIn(store, happenings, deciders.endings) }
}
