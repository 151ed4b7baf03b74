import type { App } from '../app/app.ts'
import { createDeliverer } from '../app/webhooks/deliver.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from './loop.ts'

// New deliveries are announced; polling picks up retries that come due.
const lookEveryMs = 1_000

/** Sends webhooks: at once when woken, otherwise by polling. Stopping waits for running deliveries. */
export function startDeliveries(app: App, log: Log): Loop {
  const deliverer = createDeliverer(app, {
    onFinished: () => loop.wake(),
    onError: (error) => log.error({ err: error }, 'could not deliver a webhook; will retry'),
  })
  const loop: Loop = startLoop({
    everyMs: lookEveryMs,
    step: async (signal) => {
      while (!signal.aborted && (await deliverer.start()) > 0);
    },
    onError: (error) => log.warn({ err: error }, 'could not look for webhooks that are due'),
  })
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop()
      await deliverer.settled()
    },
  }
}
