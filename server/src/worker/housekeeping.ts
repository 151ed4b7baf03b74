import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import { type Loop, startLoop } from './loop.ts'

const foldEveryMs = 2_000
const pruneEveryMs = 60_000
const mineCheckMs = 500

/** Folds the kept counts of lists, so that reading a total stays quick. Writes nothing when there is nothing to fold. */
export function startFolding(app: App, log: Log): Loop {
  return startLoop({
    everyMs: foldEveryMs,
    step: async () => {
      await app.store.counts.fold()
    },
    onError: (error) => log.warn({ err: error }, 'list counts could not be folded'),
  })
}

/** Mines on simulated networks at the set pace while a payment or a spend there waits for confirmations; otherwise only reads. */
export function startMining(app: App, blockSeconds: number, log: Log): Loop {
  return startLoop({
    everyMs: mineCheckMs,
    step: async () => {
      const waiting = await app.store.payments.gatesAwaitingConfirmations()
      for (const id of waiting) {
        if (app.gates.find(id)?.simulated) await app.store.simulatedChains.mineIfDue(id, blockSeconds)
      }
    },
    onError: (error) => log.warn({ err: error }, 'simulated networks could not be mined'),
  })
}

/** Forgets simulated blocks that nobody will ask for again. */
export function startPruning(app: App, log: Log): Loop {
  return startLoop({
    everyMs: pruneEveryMs,
    step: async () => {
      for (const gate of app.gates.list()) {
        const chain = gate.simulated === null ? null : await app.store.followedChains.find(gate.id)
        if (chain !== null) await app.store.simulatedChains.prune(gate.id, chain.tip.height)
      }
    },
    onError: (error) => log.warn({ err: error }, 'simulated blocks could not be pruned'),
  })
}

const forgetEveryMs = 60_000
const maxForgotten = 10_000

/** Forgets deliveries that were done longer ago than they are kept. */
export function startForgetting(app: App, retentionDays: number, log: Log): Loop {
  return startLoop({
    everyMs: forgetEveryMs,
    step: async (signal) => {
      while (
        !signal.aborted &&
        (await app.store.webhookDeliveries.forget(retentionDays, maxForgotten)) === maxForgotten
      );
    },
    onError: (error) => log.warn({ err: error }, 'old deliveries could not be forgotten'),
  })
}

const forgetPeopleEveryMs = 10 * 60_000

/** Forgets what nobody can use any more of how people sign in: challenges, links, sessions, failures, mails. */
export function startForgettingSignIns(app: App, log: Log): Loop {
  const { ceremonies, sessions, mails, oneTimeLinks, signInFailures } = app.store
  return startLoop({
    everyMs: forgetPeopleEveryMs,
    step: async (signal) => {
      for (const kept of [ceremonies, sessions, mails, oneTimeLinks, signInFailures])
        while (!signal.aborted && (await kept.forget(maxForgotten)) === maxForgotten);
    },
    onError: (error) => log.warn({ err: error }, 'old sessions and links could not be forgotten'),
  })
}
