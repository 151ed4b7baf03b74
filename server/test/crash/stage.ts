import type { App } from '../../src/app/app.ts'
import { sql } from '../../src/store/sql.ts'
import type { Random } from '../simulation/random.ts'
import { gateIds } from './networks.ts'
import type { Run } from './running.ts'
import { ask, type Currency, type Funded, type Wanted } from './scenario.ts'

const deepest = 4

/** Payouts of all kinds: some that share a transaction, some that need a sweep, and a refund. */
export async function askMany(app: App, funded: Funded, random: Random): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  const pay = async (currency: Currency, amount: string, isRefund = false) => {
    wanted.push(await ask(app, funded, random, currency, amount, { isRefund }))
  }
  for (let more = random.between(2, 4); more > 0; more--) await pay('BTC', `0.${random.between(11, 19)}`)
  await pay('ETH', String(random.between(101, 120)))
  for (let more = random.between(0, 2); more > 0; more--) await pay('ETH', `0.${random.between(1, 9)}`)
  for (let more = random.between(1, 2); more > 0; more--) await pay('USDT', String(random.between(40, 350)))
  await pay('SOL', String(random.between(101, 115)))
  for (let more = random.between(0, 2); more > 0; more--) await pay('SOL', `0.${random.between(1, 9)}`)
  for (let more = random.between(1, 2); more > 0; more--) await pay('USDC', String(random.between(40, 450)))
  const refunds = { BTC: '0.1', ETH: '1.5', USDT: '20.25', SOL: '1.5', USDC: '20.25' } as const
  const refunded = random.pick<Currency>(['BTC', 'ETH', 'USDT', 'SOL', 'USDC'])
  await pay(refunded, refunds[refunded], true)
  return wanted
}

/** A reorganisation of one of the chains, now and then. */
export async function reorganiseMaybe({ random, app }: Run): Promise<void> {
  if (!random.bool(0.3)) return
  await app.store.simulatedChains.reorganise(
    random.pick(gateIds as [string, ...string[]]),
    random.between(1, deepest),
    [],
    { others: random.pick(['same_height', 'next_height', 'mempool']) },
  )
}

/** Claims and holds of killed processes expire, and postponed jobs become due. */
export async function timePasses({ db }: Pick<Run, 'db'>): Promise<void> {
  await sql`update jobs set claimed_until = null, due_at = least(due_at, clock_timestamp())`.run(db)
  await sql`update followed_chains set held_until = null`.run(db)
  await sql`update spends set look_at = clock_timestamp() where status = 'open'`.run(db)
}
