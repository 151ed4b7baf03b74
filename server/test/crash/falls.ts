import type { Random } from '../simulation/random.ts'
import type { Fall } from './points.ts'

/** When the processes of a run are killed. */
export type Falls = {
  /** For the next process: how it ends; null if it is left alone. */
  next(): Fall | null
  /** Whether the points of every process are counted. Otherwise one that is left alone need not be a process of its own. */
  readonly isCounting: boolean
  /** Told of each process that has ended by itself. */
  passed(points: number): void
}

/**
 * A moment of a run of several processes, counted from 0, and a point of that one. There it is killed; or stopped, if it is a
 * worker, until another one has done everything.
 */
export type Moment = { readonly step: number; readonly point: number; readonly signal: Fall['signal'] }

/** A fall at each of these moments. A command that was killed is run again, which is a step of its own. */
export function fallsAt(...moments: readonly Moment[]): Falls {
  let at = 0
  return {
    next() {
      const moment = moments.find(({ step }) => step === at)
      at++
      return moment === undefined ? null : { at: moment.point, signal: moment.signal }
    },
    isCounting: false,
    passed() {},
  }
}

/** No kill. */
export const noFall: Falls = { next: () => null, isCounting: false, passed() {} }

/** No kill; `steps` are the points of each process. */
export function countFalls(): Falls & { readonly steps: readonly number[] } {
  const steps: number[] = []
  return { next: () => null, isCounting: true, passed: (points) => void steps.push(points), steps }
}

/** This many moments of a run, spread evenly. Every other process is stopped instead of killed. */
export function momentsOf(steps: readonly number[], count: number): Moment[] {
  const all = steps.flatMap((points, step) =>
    Array.from({ length: points }, (_, at) => ({ step, point: at + 1 })),
  )
  const wanted = Math.min(count, all.length)
  return Array.from({ length: wanted }, (_, at) => {
    const moment = all[Math.floor(((at + 0.5) * all.length) / wanted)] as Omit<Moment, 'signal'>
    return { ...moment, signal: at % 2 === 0 ? 'SIGKILL' : 'SIGSTOP' }
  })
}

/** Kills many commands, each somewhere. */
export function fallsAtRandom(random: Random): Falls {
  return {
    next: () => (random.bool(0.4) ? { at: random.between(1, 60), signal: 'SIGKILL' } : null),
    isCounting: false,
    passed() {},
  }
}
