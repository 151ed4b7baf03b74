import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Random, randomOf } from '../simulation/random.ts'
import { approveAmidMishaps, killAt } from './amid-mishaps.ts'
import type { Children } from './children.ts'
import { judge } from './judge.ts'
import type { Order } from './order.ts'
import { makePlace, openPlace, type Place } from './place.ts'
import { end, type Run, start } from './running.ts'
import { type Currency, type Funded, networks, onePayout, type Wanted } from './scenario.ts'
import { askMany, reorganiseMaybe } from './stage.ts'

export type Outcome = {
  readonly problems: readonly string[]
  /** How many processes were killed while they ran. */
  readonly kills: number
  /** How many transactions were replaced by ones with a higher fee, and how many deposits were swept. */
  readonly bumps: number
  readonly sweeps: number
  /** How many refills were booked, and are. */
  readonly refills: number
  /** How many points the last process passed. */
  readonly points: number
}

/** Runs one seed from the deposits to the end of the last payout, with random mishaps, and judges the result. */
export async function runSeed(funded: Funded, children: Children, seed: number): Promise<Outcome> {
  return at(funded.place, children, randomOf(seed), async (run) => {
    const { random, app } = run
    const wanted = await askMany(app, funded, random)
    return approveAmidMishaps(run, wanted, () => reorganiseMaybe(run))
  })
}

/** A payout whose run is killed at one or each of its points, one after the other. */
export type OnePayout = {
  readonly place: Place
  readonly wanted: Wanted
  /** What every process of its runs is told. */
  readonly usual: Partial<Order>
}

export async function prepareOne(
  funded: Funded,
  currency: Currency,
  amount: string,
  isRefused = false,
): Promise<OnePayout> {
  const from = isRefused ? { ...funded, place: limited(funded.place, currency) } : funded
  const usual = isRefused ? { mayRefuse: true } : {}
  const { place, wanted } = await onePayout(from, randomOf(7), currency, amount, { isRefused })
  return { place, wanted, usual }
}

/** Counts the points of a payout in a run that is not killed. */
export async function countPoints({ place, wanted, usual }: OnePayout, children: Children): Promise<number> {
  const whole = await at(place, children, randomOf(0), async () => [wanted], judge, usual)
  if (whole.problems.length > 0) throw new Error(whole.problems.join('\n'))
  return whole.points
}

/** The place with a signer, at its copies, that refuses payouts of more than one unit of a currency. */
export function limited(place: Place, currency: Currency): Place {
  const limit = { network: networks[currency], currency, per_payout: '1' }
  return { ...place, more: { ...place.more, signer: { limits: [limit] } } }
}

/** Kills a process at exactly this point of the payout's run, and judges the result of the next process. */
export async function runPoint(one: OnePayout, children: Children, point: number): Promise<Outcome> {
  const work = async (run: Run) => {
    await killAt(run, point)
    return [one.wanted]
  }
  return at(one.place, children, randomOf(point), work, judge, one.usual)
}

/** Does a run on a copy of a place; then a last process, which is not killed, does what is left. */
export async function at(
  from: Place,
  children: Children,
  random: Random,
  work: (run: Run) => Promise<readonly Wanted[]>,
  judgeAll = judge,
  usual: Partial<Order> = {},
): Promise<Outcome> {
  const place = await makePlace(from)
  const { app, database, close } = await openPlace(place)
  const run: Run = {
    random,
    children,
    place,
    app,
    db: database.db,
    usual,
    problems: [],
    kills: 0,
    bumps: 0,
    sweeps: 0,
    refills: 0,
    points: 0,
    started: 0,
  }
  try {
    const wanted = await work(run)
    const last = await end(run, await start(run, {}))
    if (last?.ended !== true) run.problems.push('The last process did not finish.')
    run.problems.push(...(await judgeAll(app, database.pool, place, wanted)))
    const { rows } = await database.pool.query(
      `select (select count(*) from spend_transactions where attempt > 1)::integer as bumps,
        (select count(*) from spends where kind = 'sweep')::integer as sweeps,
        (select count(*) from spends where kind = 'refill' and status = 'final')::integer as refills`,
    )
    Object.assign(run, rows[0])
    run.points = last?.points ?? 0
    if (run.problems.length > 0)
      run.problems.push(await readFile(join(place.dataDir, 'falls.log'), 'utf8').catch(() => 'no falls'))
    return run
  } catch (error) {
    run.problems.push(String(error instanceof Error ? error.stack : error))
    return run
  } finally {
    await close()
    await place.remove()
  }
}
