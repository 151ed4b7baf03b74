import type { App } from '../app/app.ts'
import { applyPolicyChanges } from '../app/policy/apply-changes.ts'
import type { Log } from '../log.ts'
import { maxFolded } from '../store/reports/counts.ts'
import type { AgendaLoop } from './agenda.ts'
import { type Loop, onAgendaMs, startLoop } from './loop.ts'

const foldEveryMs = 5_000
const pruneEveryMs = 60_000
const mineCheckMs = 500

/** Folds the changes of list lengths and daily sums so that reading them stays fast. */
export function startFolding(app: App, log: Log): Loop {
  return startLoop({
    everyMs: foldEveryMs,
    step: async (signal) => {
      for (const kept of [app.store.counts, app.store.dailySums, app.store.dailyFigures])
        while (!signal.aborted && (await kept.fold()) === maxFolded);
    },
    onError: (error) => log.warn({ err: error }, 'could not fold counts and sums'),
  })
}

/**
 * Mines blocks on simulated networks at the configured pace while a payment or spend there waits for confirmations;
 * otherwise only reads.
 */
export function startMining(app: App, blockSeconds: number, log: Log): Loop {
  return startLoop({
    everyMs: mineCheckMs,
    step: async () => {
      const waiting = await app.store.payments.gatesAwaitingConfirmations()
      for (const id of waiting) {
        if (app.gates.find(id)?.simulated) await app.store.simulatedChains.mineIfDue(id, blockSeconds)
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not mine on simulated networks'),
  })
}

/** Deletes simulated blocks that are no longer needed. */
export function startPruning(app: App, log: Log): Loop {
  return startLoop({
    everyMs: pruneEveryMs,
    step: async () => {
      const followed = await app.store.followedChains.heights()
      for (const gate of app.gates.list()) {
        const chain = followed.get(gate.id)
        if (gate.simulated !== null && chain !== undefined)
          await app.store.simulatedChains.prune(gate.id, chain.height)
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not prune simulated blocks'),
  })
}

/** Applies changes that relax a payout policy when their time has come. */
export function startPolicyChanges(app: App, agenda: AgendaLoop, log: Log): Loop {
  const loop = startLoop({
    everyMs: onAgendaMs,
    step: async () => {
      await applyPolicyChanges(app)
    },
    onError: (error) => log.error({ err: error }, 'could not apply a change of a payout policy'),
  })
  agenda.when('policyChanges', loop.wake)
  return loop
}

const forgetEveryMs = 60_000
const maxForgotten = 10_000

/** Deletes finished deliveries after their retention period. */
export function startForgetting(app: App, retentionDays: number, log: Log): Loop {
  return startLoop({
    everyMs: forgetEveryMs,
    step: async (signal) => {
      while (
        !signal.aborted &&
        (await app.store.webhookDeliveries.forget(retentionDays, maxForgotten)) === maxForgotten
      );
    },
    onError: (error) => log.warn({ err: error }, 'could not delete old deliveries'),
  })
}

const maxForgottenAtOnce = 1_000

/** Deletes events and entries of the audit log after their retention periods, in small steps that hold up no one. */
export function startForgettingHistory(
  app: App,
  { eventDays, auditDays }: { eventDays: number; auditDays: number },
  log: Log,
): Loop {
  return startLoop({
    everyMs: forgetEveryMs,
    step: async (signal) => {
      const { events, auditLog } = app.store
      while (!signal.aborted && (await events.forget(eventDays, maxForgottenAtOnce)) > 0);
      while (!signal.aborted && (await auditLog.forget(auditDays, maxForgottenAtOnce)) > 0);
    },
    onError: (error) => log.warn({ err: error }, 'could not delete old events and audit entries'),
  })
}

const forgetPeopleEveryMs = 10 * 60_000

/** Deletes expired sign-in data: challenges, links, sessions, devices, failures and mails; and offers that no shop took up. */
export function startForgettingSignIns(app: App, log: Log): Loop {
  const { ceremonies, sessions, devices, mails, oneTimeLinks, signInFailures, shopConnections } = app.store
  const all = [ceremonies, sessions, devices, mails, oneTimeLinks, signInFailures, shopConnections]
  return startLoop({
    everyMs: forgetPeopleEveryMs,
    step: async (signal) => {
      for (const kept of all) while (!signal.aborted && (await kept.forget(maxForgotten)) === maxForgotten);
    },
    onError: (error) => log.warn({ err: error }, 'could not delete old sessions, links and offers'),
  })
}
