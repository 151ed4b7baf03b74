import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../src/store/sql.ts'
import type { Random } from '../simulation/random.ts'
import type { Order } from './order.ts'
import { end, type Run, start } from './running.ts'
import { timePasses } from './stage.ts'

// Longer than any lease, claim or hold lasts.
const leasesMs = 17_000
const realWaits = 0.1
const shortMs = 3_000

/** How a fall comes about. */
export const mishaps = { one, two, stopped }

/** One process is killed. */
async function one(run: Run): Promise<void> {
  await end(run, await start(run, { ...mood(run.random), fall: killed(run.random) }))
}

/** Two do everything at once: who is slower finds it done, leased or locked. Both fall. */
async function two(run: Run): Promise<void> {
  const { random } = run
  const both = [
    await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }),
    await start(run, { ...mood(random), fall: killed(random), maxMs: shortMs }),
  ]
  await Promise.all(both.map((child) => end(run, child)))
}

/** One stands still for longer than whatever it holds, another goes on meanwhile, and then both believe that it is theirs. */
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

/** What the database does to a client that stands still: its transactions and the signer's session are given up. */
async function lapse(run: Run, who: string): Promise<void> {
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
    // Bumps come when nothing is mined although the fee has risen.
    ...(isDear && { feeTimes: random.between(2, 4), bumpAfterMs: 0, emptyBlocks: random.between(1, 3) }),
  }
}

const killed = (random: Random) => ({ at: pointOf(random), signal: 'SIGKILL' }) as const

/** Early ones often: that is where most is decided. */
function pointOf(random: Random): number {
  return random.between(1, random.pick([60, 200, 500, 900]))
}
