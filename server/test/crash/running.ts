import type { App } from '../../src/app/app.ts'
import type { Db } from '../../src/store/sql.ts'
import type { Random } from '../simulation/random.ts'
import { patienceMs } from '../support/patience.ts'
import type { Child, Children, Ended } from './children.ts'
import type { Order } from './order.ts'
import type { Place } from './place.ts'

/** What a run uses, and what it has seen so far. */
export type Run = {
  readonly random: Random
  readonly children: Children
  readonly place: Place
  readonly app: App
  readonly db: Db
  /** What every process of this run is told, unless it is told otherwise. */
  readonly usual: Partial<Order>
  readonly problems: string[]
  kills: number
  bumps: number
  sweeps: number
  refills: number
  points: number
  started: number
}

/** Starts a process that carries out its order until nothing is left to do, or it crashes. */
export async function start(run: Run, order: Partial<Order>): Promise<Child> {
  const { place, children } = run
  return children.start({
    env: place.env(`child_${run.started++}`),
    dataDir: place.dataDir,
    fall: null,
    feeTimes: 1,
    bumpAfterMs: 600_000,
    mayRefuse: false,
    blocks: 3,
    emptyBlocks: 0,
    maxMs: patienceMs,
    moreRounds: 0,
    mayUndo: false,
    command: null,
    ...run.usual,
    ...order,
  })
}

/** Waits until the process is gone. */
export async function end(run: Run, child: Child): Promise<Ended> {
  const ended = await child.ended
  if (ended === null) run.kills++
  else run.problems.push(...ended.problems)
  return ended
}
