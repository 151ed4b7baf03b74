import type { App } from '../app/app.ts'
import { createDeliverer } from '../app/webhooks/deliver.ts'
import type { Log } from '../log.ts'
import type { AgendaLoop } from './agenda.ts'
import { type Loop, onAgendaMs, startLoop } from './loop.ts'

/** Sends webhooks as soon as they are announced, and again when the agenda says that they are due. Stopping waits for running deliveries. */
export function startDeliveries(app: App, agenda: AgendaLoop, log: Log): Loop {
  const deliverer = createDeliverer(app, {
    onFinished: () => loop.wake(),
    onError: (error) => log.error({ err: error }, 'could not deliver a webhook; will retry'),
  })
  const loop: Loop = startLoop({
    everyMs: onAgendaMs,
    step: async (signal) => {
      while (!signal.aborted && (await deliverer.start()) > 0);
    },
    onError: (error) => log.warn({ err: error }, 'could not look for webhooks that are due'),
  })
  agenda.when('deliveries', loop.wake)
  return {
    wake: () => loop.wake(),
    stop: async () => {
      await loop.stop()
      await deliverer.settled()
    },
  }
}
