import type { App } from '../app/app.ts'
import type { Log } from '../log.ts'
import type { Agenda } from '../store/agenda.ts'
import { type Loop, startLoop } from './loop.ts'

const readEveryMs = 1_000

export type AgendaLoop = Loop & {
  /** Has `wake` called whenever something of this kind is due: at the moment itself if that was known before. */
  when(kind: keyof Agenda, wake: () => void): void
  /** For when a chain has moved. Only then is there anything new about refills. */
  wakeForBlocks(): void
}

/**
 * Reads with one statement what is due next of every kind of work, and wakes the loops that do it. So they need not poll
 * for what only the clock brings, nor for announcements that were lost.
 */
export function startAgenda(app: Pick<App, 'store' | 'spending'>, log: Log): AgendaLoop {
  const listeners = new Map<keyof Agenda, (() => void)[]>()
  const timers = new Map<keyof Agenda, NodeJS.Timeout>()
  let blocksCame = false
  const loop = startLoop({
    everyMs: readEveryMs,
    step: async (signal) => {
      const withBlocks = blocksCame
      blocksCame = false
      const agenda = await app.store.agenda.read(app.spending.cancelAfterMs)
      if (signal.aborted) return
      for (const kind of Object.keys(agenda) as (keyof Agenda)[]) {
        if (kind === 'refills' && !withBlocks) continue
        clearTimeout(timers.get(kind))
        timers.delete(kind)
        const inMs = agenda[kind]
        if (inMs <= 0) wakeAll(kind)
        else if (inMs <= readEveryMs)
          timers.set(
            kind,
            setTimeout(() => wakeAll(kind), inMs),
          )
      }
    },
    onError: (error) => log.warn({ err: error }, 'could not look for work that is due'),
  })

  function wakeAll(kind: keyof Agenda): void {
    for (const wake of listeners.get(kind) ?? []) wake()
  }

  return {
    when(kind, wake) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), wake])
    },
    wakeForBlocks() {
      blocksCame = true
      loop.wake()
    },
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
