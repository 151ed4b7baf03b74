import type { App } from '../app/app.ts'
import { doJobs } from '../app/chain/do-jobs.ts'
import type { Followed } from '../app/chain/follow-chain.ts'
import { followInTurn } from '../app/chain/follow-in-turn.ts'
import { noteTrouble } from '../app/gates/note-trouble.ts'
import { expireDue } from '../app/invoices/expire-due.ts'
import { recheckEnded } from '../app/spends/settling/recheck-ended.ts'
import { type Gate, WrongChainError } from '../gates/gate.ts'
import type { Log } from '../log.ts'
import type { AgendaLoop } from './agenda.ts'
import { type Loop, onAgendaMs, startLoop } from './loop.ts'

const realEveryMs = 1_000
// Simulated chains announce their changes. For lost announcements, one question about all of them is asked.
const simulatedEveryMs = 60_000
const askEveryMs = 5_000
// Another process holds the chain; it may have died.
const heldRetryMs = 1_000
const maxStepsInARow = 1_000

export type ChainLoops = { readonly loops: readonly Loop[]; wake(gateId: string): void }

/** One loop per gate follows its chain, one runs the resulting jobs, one handles changes that only the clock brings. */
export function startChainLoops(
  app: App,
  gates: readonly Gate[],
  agenda: AgendaLoop,
  log: Log,
  onRewound: () => void,
): ChainLoops {
  const work = startLoop({
    everyMs: onAgendaMs,
    step: async (signal) => {
      await doJobs(app, { signal })
    },
    onError: (error) => log.error({ err: error }, 'could not run jobs'),
  })

  function followingOf(gate: Gate): Loop {
    const trouble = troubleLog(gate, log)
    const restMs = gate.simulated === null ? (gate.lookEveryMs ?? realEveryMs) : simulatedEveryMs
    return startLoop({
      everyMs: () => (trouble.isThere() && gate.simulated !== null ? askEveryMs : restMs),
      step: async (signal) => {
        for (let steps = 0; steps < maxStepsInARow && !signal.aborted; steps++) {
          const { outcome, isAtEnd, isRewound, hasJobs } = await lookOnce(gate)
          if (outcome === 'held') setTimeout(() => following.get(gate.id)?.wake(), heldRetryMs).unref()
          else trouble.isOver()
          if (outcome !== 'advanced') return
          if (hasJobs) work.wake()
          if (awaited.delete(gate.id)) due.wake()
          if (isRewound) onRewound()
          await recheckEnded(app, gate)
          // What came meanwhile is announced, or found by the next poll.
          if (isAtEnd) return
        }
      },
      onError: (error) => trouble.is(error),
    })
  }

  async function lookOnce(gate: Gate): Promise<Followed> {
    try {
      return await followInTurn(app, gate)
    } catch (error) {
      await noteTrouble(app, gate, error)
      throw error
    }
  }

  // Gates that the end of an invoice's window waits for.
  const awaited = new Set<string>()
  const following: Map<string, Loop> = new Map(gates.map((gate) => [gate.id as string, followingOf(gate)]))

  const due = startLoop({
    everyMs: onAgendaMs,
    step: async () => {
      if ((await expireDue(app)) > 0) work.wake()
      for (const gateId of await app.store.followedChains.awaitingScan()) {
        awaited.add(gateId)
        following.get(gateId)?.wake()
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not look for expired invoices'),
  })
  let changes: ReadonlyMap<string, bigint> | null = null
  const asking = gates.some(({ simulated }) => simulated !== null)
    ? startLoop({
        everyMs: askEveryMs,
        step: async () => {
          const before = changes
          changes = await app.store.simulatedChains.allChanges()
          for (const [gateId, count] of changes)
            if (before !== null && before.get(gateId) !== count) following.get(gateId)?.wake()
        },
        onError: (error) => log.warn({ err: error }, 'could not look for changes of simulated chains'),
      })
    : null
  agenda.when('jobs', work.wake)
  agenda.when('invoices', due.wake)

  return {
    loops: [due, ...(asking === null ? [] : [asking]), ...following.values(), work],
    wake: (gateId) => following.get(gateId)?.wake(),
  }
}

/** Logs a problem once, however often it recurs, and logs once when it is over. */
function troubleLog(gate: Gate, log: Log): { is(error: unknown): void; isOver(): void; isThere(): boolean } {
  let told: string | null = null
  return {
    isThere: () => told !== null,
    is(error) {
      // Messages that differ only in numbers, such as heights or hashes, report the same problem.
      const words = String(error).replace(/0x[0-9a-f]+|\d+/gi, '0')
      if (words === told) return
      told = words
      if (error instanceof WrongChainError)
        log.fatal(
          { gate: gate.id, err: error },
          'THE GATE IS HALTED: its node is on another chain; nothing is credited or paid on this network until the node is on the right chain',
        )
      else log.warn({ gate: gate.id, err: error }, 'could not follow the chain')
    },
    isOver() {
      if (told !== null) log.info({ gate: gate.id }, 'following the chain again')
      told = null
    },
  }
}
