import { setTimeout as delay } from 'node:timers/promises'

export type Loop = { stop(): Promise<void> }

/**
 * Runs `step` again and again, `everyMs` after the previous run ended, never twice at once. A failing step is told to
 * `onError` and tried again in its turn. `stop` lets the running step see its signal and waits for it.
 */
export function startLoop(options: {
  everyMs: number
  step: (signal: AbortSignal) => Promise<void>
  onError: (error: unknown) => void
}): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await options.step(signal)
      } catch (error) {
        if (!signal.aborted) options.onError(error)
      }
      await delay(options.everyMs, undefined, { signal }).catch(() => {})
    }
  }
}
