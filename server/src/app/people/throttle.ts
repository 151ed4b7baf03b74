import { RateLimitedError } from '../../domain/errors.ts'
import type { Throttle } from '../../domain/throttling.ts'
import type { App } from '../app.ts'

/**
 * Runs `check`, which returns null for wrong credentials, unless one of the throttles demands a wait. The first throttle is
 * for the origin: success takes back only this attempt there, not earlier failures. Each attempt is counted before it is
 * checked. `onSlowed` is called once, when failures reach the number at which waiting begins.
 */
export async function throttled<T>(
  app: Pick<App, 'store'>,
  [place, ...accounts]: readonly [Throttle, ...Throttle[]],
  check: () => Promise<T | null>,
  onSlowed: () => Promise<void> = async () => {},
): Promise<T | null> {
  const { signInFailures } = app.store
  let isSlowed = false
  for (const throttle of [place, ...accounts]) {
    const attempt = await signInFailures.attempt(throttle)
    if (!attempt.admitted)
      throw new RateLimitedError(Math.ceil(attempt.waitMs / 1000), 'Too many attempts have failed.')
    isSlowed ||= throttle !== place && attempt.failures === throttle.free
  }
  const found = await check()
  if (found === null) {
    if (isSlowed) await onSlowed()
    return null
  }
  await signInFailures.takeBack(place)
  for (const throttle of accounts) await signInFailures.clear(throttle)
  return found
}
