import type { ClockOwner } from '../../domain/test-clock.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

/**
 * The time by a merchant's clock, which dates everything about its test environment. Asks the database each time: another
 * process may have moved the clock a moment ago. The live environment has the real time.
 */
export async function merchantNow(
  { now, store }: Pick<App, 'now'> & { readonly store: Pick<Store, 'testClocks'> },
  owner: ClockOwner,
): Promise<Date> {
  if (owner.environment === 'live') return now()
  const aheadMs = await store.testClocks.aheadMs(owner)
  return new Date(now().getTime() + aheadMs)
}
