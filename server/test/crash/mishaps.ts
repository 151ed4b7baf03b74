import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../src/store/sql.ts'
import type { Random } from '../simulation/random.ts'
import type { Order } from './order.ts'
import { end, type Run, start } from './running.ts'
import { timePasses } from './stage.ts'

// Longer than any lease, claim or hold.
const leasesMs = 17_000
const realWaits = 0.1
const shortMs = 3_000

/** The ways in which a process crashes. */
export const mishaps = { one, two, stopped }

/** One process is killed. */
async function one(run: Run): Promise<void> {
  await end(run, await start(run, { ...mood(run.random), fall: killed(run.random) }))
}

/** Two processes do everything at once: the slower one finds it done, leased or locked. Both are killed. */
async function two(run: Run): Promise<void> {
  const { random } = run
  const both = [
    await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }),
    await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }),
  ]
  await Promise.all(both.map((child) => end(run, child)))
}

/**
 * One process is stopped for longer than anything it holds; another continues meanwhile; then both believe that it is
 * theirs.
 */
async function stopped(run: Run): Promise<void> {
  const { random } = run
  const who = `child_${run.started}`
  const sleeper = await start(run, {
    ...mood(random),
    fall: { at: pointOf(random), signal: 'SIGSTOP' },
    maxMs: 2 * leasesMs,
  })
  if ((await sleeper.stopped()) === 'stopped') {
    if (random.bool(realWaits)) await delay(leasesMs)
    else await lapse(run, who)
    await end(run, await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }))
    sleeper.signal(random.bool(0.3) ? 'SIGKILL' : 'SIGCONT')
    if (random.bool(0.5)) {
      await end(run, await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }))
      sleeper.signal('SIGKILL')
    }
  }
  await end(run, sleeper)
}

/** What the database does to a stopped client: it ends its transactions and the signer's session. */
export async function lapse(run: Run, who: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${who} and datname = current_database() and (state = 'idle in transaction' or pid in (
      select pid from pg_locks where locktype = 'advisory' and objsubid = 2))`.run(run.db)
  await timePasses(run)
}

function mood(random: Random): Partial<Order> {
  const isDear = random.bool(0.5)
  return {
    blocks: random.between(1, 4),
    // A transaction is bumped when nothing is mined although the fee has risen.
    ...(isDear && { feeTimes: random.between(2, 4), bumpAfterMs: 0, emptyBlocks: random.between(1, 3) }),
  }
}

const killed = (random: Random) => ({ at: pointOf(random), signal: 'SIGKILL' }) as const

/** Mostly early points: that is where most is decided. */
function pointOf(random: Random): number {
  return random.between(1, random.pick([60, 200, 500, 900]))
}
