import type { ChildProcess } from 'node:child_process'
import type { Log } from '../log.ts'
import { restartDelayMs } from '../postgres/supervise.ts'
import type { DeriveAnswer, DeriveRequest } from './deriver-process.ts'

/** Nothing was asked for so long: it ends, and its memory is free again. */
const usualRestMs = 60_000
/** A batch takes a tenth of a second: a deriver that has not answered after this hangs. */
const usualPatienceMs = 15_000
const maxWaiting = 64
/** A deriver that ran this long was healthy: the next failure counts as the first again. */
const steadyMs = 30_000
/** A terminal or a service manager signals every process at once. One that is still loading cannot ignore it yet. */
const sentToAll: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The deriver of a service: a process that runs only while addresses are asked for. */
export type KeptDeriver = {
  /** Always answers. `places` is null when the deriver ends before, hangs, or has too much to do. */
  ask(request: DeriveRequest, answer: (answer: DeriveAnswer) => void): void
  /** Ends a deriver that lied. The next request starts another. */
  distrust(reason: string): void
  stop(): Promise<void>
}

/** Starts a deriver when one is asked, again when it ended on its own, and ends it after a minute of rest. */
export function keepDeriver({
  start,
  log,
  restMs = usualRestMs,
  patienceMs = usualPatienceMs,
}: {
  readonly start: () => ChildProcess
  readonly log: Pick<Log, 'error'>
  readonly restMs?: number
  readonly patienceMs?: number
}): KeptDeriver {
  const now = () => performance.now()
  type Waiting = { readonly answer: (answer: DeriveAnswer) => void; readonly late: NodeJS.Timeout }
  type Running = {
    readonly child: ChildProcess
    readonly startedAt: number
    readonly waiting: Map<number, Waiting>
    readonly ended: Promise<void>
  }
  let running: Running | null = null
  let resting: NodeJS.Timeout | undefined
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  let isStopping = false
  /** Requests for a deriver that is to be started again, but not yet. */
  let delayed = 0

  function begin(): Running {
    const child = start()
    const ended = new Promise<void>((resolve) => {
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
    const begun: Running = { child, startedAt: now(), waiting: new Map(), ended }
    child.on('message', (message: DeriveAnswer) => settle(begun, message.derived, message.places))
    void ended.then(() => {
      if (running !== begun) return
      const { exitCode, signalCode } = child
      end(begun, sentToAll.includes(signalCode) ? null : `it ended with ${exitCode ?? signalCode}`)
    })
    return begun
  }

  function settle(from: Running, derived: number, places: unknown): void {
    const asked = from.waiting.get(derived)
    if (asked === undefined) return
    from.waiting.delete(derived)
    clearTimeout(asked.late)
    asked.answer({ derived, places })
    if (from.waiting.size === 0) resting?.refresh()
  }

  /** Ends a deriver; with a reason if that is a failure. */
  function end(one: Running, reason: string | null): void {
    if (running === one) running = null
    clearTimeout(resting)
    if (reason !== null) {
      failures = now() - one.startedAt > steadyMs ? 0 : failures
      notBefore = now() + restartDelayMs(failures)
      failures++
      log.error({ reason }, 'THE DERIVER OF DEPOSIT ADDRESSES ENDED: another takes its place')
    }
    one.child.kill('SIGKILL')
    for (const derived of [...one.waiting.keys()]) settle(one, derived, null)
  }

  function ask(request: DeriveRequest, answer: (answer: DeriveAnswer) => void): void {
    const isFull = (running?.waiting.size ?? 0) + delayed >= maxWaiting
    if (isStopping || isFull) {
      answer({ derived: request.derive, places: null })
      return
    }
    const earlyMs = notBefore - now()
    if (running === null && earlyMs > 0) {
      delayed++
      setTimeout(() => {
        delayed--
        ask(request, answer)
      }, earlyMs).unref()
      return
    }
    const one = running ?? begin()
    if (running === null) resting = setTimeout(() => rest(one), restMs).unref()
    running = one
    const late = setTimeout(() => end(one, 'it did not answer'), patienceMs)
    one.waiting.set(request.derive, { answer, late })
    // A deriver that is gone cannot be told anything; `ended` answers for it.
    if (one.child.connected) one.child.send(request, () => {})
  }

  return {
    ask,

    distrust(reason) {
      if (running !== null) end(running, reason)
    },

    async stop() {
      isStopping = true
      const last = running
      if (last !== null) end(last, null)
      await last?.ended
    },
  }

  function rest(one: Running): void {
    if (running !== one) return
    if (one.waiting.size === 0) end(one, null)
    else resting?.refresh()
  }
}
