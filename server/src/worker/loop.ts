import { rest } from '../app/rest.ts'

/** The pace of a loop that the agenda wakes: polling is for the case that the agenda cannot be read. */
export const onAgendaMs = 30_000

export type Loop = {
  /** Runs the next step at once, or right after the running one. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Runs `step` repeatedly: `everyMs` after the previous run ended, or when woken; never two at once. `everyMs` may differ from
 * run to run. Errors go to `onError`, and the loop continues. `stop` aborts the running step's signal and waits for the step
 * to end.
 */
export function startLoop(options: {
  everyMs: number | (() => number)
  step: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  let woken = false
  let resting = new AbortController()
  const running = run()
  return {
    wake() {
      woken = true
      resting.abort()
    },
    async stop() {
      stopping.abort()
      resting.abort()
      await running
    },
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      woken = false
      resting = new AbortController()
      try {
        await options.step(signal)
      } catch (error) {
        if (!signal.aborted) options.onError(error)
      }
      if (woken || signal.aborted) continue
      const { everyMs } = options
      await rest(typeof everyMs === 'number' ? everyMs : everyMs(), resting.signal)
    }
  }
}
