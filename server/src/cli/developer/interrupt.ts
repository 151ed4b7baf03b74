import { sameSignalMs } from '../same-signal.ts'

/**
 * Runs until it ends, or until Ctrl-C or SIGTERM, which is how one leaves a command that goes on. A later one ends the process
 * at once.
 */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  let toldAt = 0
  // Never taken off: the same signal may come again while the process ends.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal)
  try {
    await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }

  function onSignal(name: NodeJS.Signals): void {
    if (!stop.signal.aborted) {
      toldAt = performance.now()
      stop.abort()
    } else if (performance.now() - toldAt > sameSignalMs) {
      process.removeAllListeners(name)
      process.kill(process.pid, name)
    }
  }
}
