import type pg from 'pg'
import type { App } from '../../src/app/app.ts'
import { coldAccount, coldAddressAt, coldKeyOn } from '../support/shop/cold.ts'
import { killAt } from './amid-mishaps.ts'
import type { Children } from './children.ts'
import { coinJudge, unspentOn } from './coin-judge.ts'
import { onCoins } from './coin-run.ts'
import type { FundedOnCoins } from './coin-scenario.ts'
import { heldOn, nodeJudge } from './node-judge.ts'
import { onNode } from './node-run.ts'
import type { FundedOnNode } from './node-scenario.ts'
import type { Place } from './place.ts'
import type { Outcome } from './run.ts'
import { approve, ask, type Wanted } from './scenario.ts'

const addresses = 20

/** A payout, then a move of what is above the cap. Kills the process at one point, and judges the result of the next one. */
export async function runColdPointOnCoins(
  funded: FundedOnCoins,
  children: Children,
  point: number | null,
): Promise<Outcome> {
  const place = coldPlace(funded.place, 'bitcoin', coldKeyOn('regtest'))
  const judgeAll = coinJudge(funded)
  return onCoins(
    { ...funded, place },
    children,
    11,
    async (run) => {
      const wanted = [await ask(run.app, funded, run.random, 'BTC', '0.12', { bech32Prefix: 'bcrt' })]
      await approve(run.app, wanted)
      await killAt(run, point)
      return wanted
    },
    async (app: App, pool: pg.Pool, at: Place, wanted: readonly Wanted[]) => {
      const known = Array.from({ length: addresses }, (_, index) => coldAddressAt(index, 'regtest'))
      const there = await unspentOn(funded.node, known)
      const coins = await pool.query('select address, units::text from cold_coins order by cold_index')
      const shown = (list: readonly { address: string; units: bigint | string }[]) =>
        list.map(({ address, units }) => `${units} at ${address}`).join()
      return [
        ...(await judgeAll(app, pool, at, wanted)),
        ...(await coldProblems(
          pool,
          'BTC',
          there.reduce((sum, { units }) => sum + units, 0n),
        )),
        ...(shown(coins.rows) === shown(there)
          ? []
          : [`the cold wallet has ${shown(there)}, the books know ${shown(coins.rows)}`]),
      ]
    },
  )
}

/** The same with tokens, which are swept for a payout first. */
export async function runColdPointOnNode(
  funded: FundedOnNode,
  children: Children,
  point: number | null,
): Promise<Outcome> {
  const place = coldPlace(funded.place, 'ethereum', coldAccount)
  const judgeAll = nodeJudge(funded)
  return onNode(
    { ...funded, place },
    children,
    11,
    async (run) => {
      const wanted = [await ask(run.app, funded, run.random, 'USDT', '320.5')]
      await approve(run.app, wanted)
      await killAt(run, point)
      return wanted
    },
    async (app: App, pool: pg.Pool, at: Place, wanted: readonly Wanted[]) => [
      ...(await judgeAll(app, pool, at, wanted)),
      ...(await coldProblems(pool, 'USDT', await heldOn(funded, coldAccount, 'USDT'))),
    ],
  )
}

/** The place with a cold wallet in the configuration of its copies. */
function coldPlace(place: Place, network: string, destination: string): Place {
  const cold = { network, environment: 'test', destination, cap: '100.00', keep: '50.00', currency: 'USD' }
  return { ...place, more: { ...place.more, cold: [cold] } }
}

/** One move has arrived, the books have exactly what the cold wallet has, and none is left over. */
async function coldProblems(pool: pg.Pool, currency: string, there: bigint): Promise<string[]> {
  const { rows } = await pool.query(
    `select (select coalesce(-sum(balance_units), 0)::text from ledger_accounts where kind = 'cold' and currency = $1) as booked,
       (select coalesce(string_agg(status, ',' order by created_at), 'none') from spends where kind = 'cold') as moves`,
    [currency],
  )
  const { booked, moves } = rows[0] as { booked: string; moves: string }
  return [
    ...(moves === 'final' ? [] : [`the moves to the cold wallet are: ${moves}`]),
    ...(booked === String(there) && there > 0n
      ? []
      : [`the cold wallet has ${there} ${currency}, and the books say ${booked}`]),
  ]
}
