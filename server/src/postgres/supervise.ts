import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { clearLeftovers } from './leftovers.ts'
import { boundLog } from './log-file.ts'
import { type ServerSetup, startServer, stopServer, untilReady } from './server.ts'

/** Crash recovery after a power cut may take a while. */
const startTimeoutMs = 60_000

const firstDelayMs = 200
const maxDelayMs = 5_000

/** A server that ran this long was healthy: the next failure counts as the first again. */
const steadyMs = 30_000

const logCheckMs = 30_000

/** How long to wait before the given restart: not at all at first, then 0.2 s, doubling up to 5 s. */
export function restartDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs)
}

export type Supervision = { stop(): Promise<void> }

/**
 * Starts the server and returns once the application can connect. From then on it restarts the server whenever it ends
 * on its own, until `stop`. If the first start fails, it throws and leaves no process behind.
 */
export async function supervise(
  setup: ServerSetup,
  logPath: string,
  log: (message: string) => void,
): Promise<Supervision> {
  const stopping = new AbortController()
  const stopRequested = once(stopping.signal, 'abort')
  await clearLeftovers(setup, log)
  let server = await startServer(setup)
  try {
    await untilReady(setup, server, startTimeoutMs)
  } catch (error) {
    await stopServer(setup, server)
    throw error
  }
  const running = keepRunning()
  const logTimer = setInterval(() => void boundLog(logPath, setup.log).catch(() => {}), logCheckMs).unref()

  async function keepRunning(): Promise<void> {
    // Not bounded: the service outlives any number of failures. The delay between them is bounded.
    for (let failures = 0; ; ) {
      const startedAt = Date.now()
      const how = await Promise.race([server.ended, stopRequested])
      if (stopping.signal.aborted) return
      if (Date.now() - startedAt > steadyMs) failures = 0
      const delayMs = restartDelayMs(failures)
      log(
        `The database server ended on its own (${how}): restarting it ${delayMs === 0 ? 'now' : `in ${delayMs} ms`}.`,
      )
      failures += 1
      await sleep(delayMs, null, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      await restart()
    }
  }

  async function restart(): Promise<void> {
    try {
      await clearLeftovers(setup, () => {})
      if (stopping.signal.aborted) return
      server = await startServer(setup)
      // Never cut a recovery short, or it would begin anew. It ends when the server is ready, or when the server ends.
      await Promise.race([untilReady(setup, server, Number.POSITIVE_INFINITY), stopRequested])
      if (!stopping.signal.aborted) log('The database server is running again.')
    } catch (error) {
      log(`Restarting the database server failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await running
    clearInterval(logTimer)
    await stopServer(setup, server)
  }
  let stopped: Promise<void> | undefined
  return { stop: () => (stopped ??= stop()) }
}
