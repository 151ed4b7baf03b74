import type { App } from '../app/app.ts'
import { createDeliverer } from '../app/webhooks/deliver.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from './loop.ts'

// Deliveries announce themselves; the looks in between are for retries that come due.
const lookEveryMs = 1_000

/** Sends webhooks: at once when told, otherwise by looking. Stopping waits for what is under way. */
export function startDeliveries(app: App, log: Log): Loop {
  const deliverer = createDeliverer(app, {
    onFinished: () => loop.wake(),
    onError: (error) => log.error({ err: error }, 'a webhook could not be delivered; it is tried again'),
  })
  const loop: Loop = startLoop({
    everyMs: lookEveryMs,
    step: async (signal) => {
      while (!signal.aborted && (await deliverer.start()) > 0);
    },
    onError: (error) => log.warn({ err: error }, 'webhooks that are due could not be found'),
  })
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop()
      await deliverer.settled()
    },
  }
}
