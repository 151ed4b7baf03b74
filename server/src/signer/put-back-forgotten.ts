import type { Log } from '../log.ts'
import type { Journal } from './journal.ts'
import type { Journaled } from './journal-index.ts'
import { forgottenBy, type Reconciling, restore } from './reconcile.ts'

const tryEveryMs = 2_000

/** Puts back the transactions that a restored database has forgotten, as many as possible each time. */
export type ForgottenKeeper = {
  /** Checks again what the database has. */
  begin(): void
  /** Returns how many it put back. */
  step(app: Reconciling, journal: Journal): Promise<number>
}

/**
 * Does automatically what `wallet reconcile` does, and continues while the worker follows the chain: a transaction that spends
 * funds from another one can be put back only after that one is booked. It logs each transaction that cannot be put back
 * once per reason.
 */
export function forgottenKeeper(options: {
  readonly log: Pick<Log, 'warn' | 'error'>
  /** Monotonic milliseconds. */
  readonly now: () => number
}): ForgottenKeeper {
  const { log, now } = options
  let left: readonly Journaled[] | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  const told = new Map<string, string | null>()

  return {
    begin() {
      left = null
      triedAt = Number.NEGATIVE_INFINITY
    },
    async step(app, journal) {
      if (left === null) {
        left = await forgottenBy(app, journal)
        if (left.length === 0) await app.store.spendRestore.setBehind(journal.header.environment, [])
      }
      if (left.length === 0 || now() - triedAt < tryEveryMs) return 0
      triedAt = now()
      const unresolved: Journaled[] = []
      for (const journaled of left) {
        const { hash, gateId, outcome, reason } = await restore(app, journal, await journal.read(journaled))
        if (outcome === 'unresolved') {
          unresolved.push(journaled)
          if (told.get(hash) !== reason)
            log.error(
              { hash, gate: gateId, reason },
              'A TRANSACTION IS NOT IN THIS DATABASE, which was restored',
            )
          told.set(hash, reason)
        } else
          log.warn({ hash, gate: gateId, outcome }, 'a transaction that this database had lost was put back')
      }
      const putBack = left.length - unresolved.length
      left = unresolved
      const behind = [...new Set(unresolved.map(({ gateId }) => gateId))]
      await app.store.spendRestore.setBehind(journal.header.environment, behind)
      return putBack
    },
  }
}
