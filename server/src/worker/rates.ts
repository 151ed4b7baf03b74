import type { App } from '../app/app.ts'
import { refreshSource } from '../app/rates/refresh-source.ts'
import type { RatePolicy } from '../domain/rates.ts'
import type { Log } from '../log.ts'
import type { RateFeed } from '../outbound/rate-feeds/feed.ts'
import { type Loop, startLoop } from './loop.ts'

// How often each source is checked; the database decides whether it is due.
const lookEveryMs = 2_000

/** One loop per source, so that a slow source never delays another. */
export function startRateLoops(
  app: Pick<App, 'store' | 'transaction' | 'assets' | 'now'>,
  feeds: readonly RateFeed[],
  options: { policy: RatePolicy; everyMs: number; log: Log },
): Loop[] {
  const sources = feeds.map(({ name }) => name)
  return feeds.map((feed) =>
    startLoop({
      everyMs: lookEveryMs,
      step: async (signal) => {
        const outcome = await refreshSource(app, feed, { ...options, sources, signal })
        if (outcome === 'not_due') return
        options.log.debug({ source: feed.name, quotes: outcome.quotes }, 'rates refreshed')
        if (outcome.refused.length > 0) {
          options.log.warn({ source: feed.name, refused: outcome.refused }, 'some rates could not be settled')
        }
      },
      onError: (error) => options.log.warn({ source: feed.name, err: error }, 'rate source failed'),
    }),
  )
}
