import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { auditBooks } from '../../src/app/audit/audit-books.ts'
import { approvePayout } from '../../src/app/payouts/approve-payout.ts'
import { cancelPayout } from '../../src/app/payouts/cancel-payout.ts'
import { payoutDrafter, readPayout } from '../../src/app/payouts/draft-payout.ts'
import { reservePayouts } from '../../src/app/payouts/reserve-payouts.ts'
import { planPayouts } from '../../src/app/spends/planning/plan-payouts.ts'
import { raiseReserve } from '../../src/app/spends/planning/submit-payout.ts'
import { settleSpend } from '../../src/app/spends/settling/settle-spend.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { OutageError, ServiceError } from '../../src/domain/errors.ts'
import { formatDecimal } from '../../src/domain/money.ts'
import { readPlan } from '../../src/domain/plan-json.ts'
import { maxFeeOf } from '../../src/domain/spends.ts'
import type { Gate } from '../../src/gates/gate.ts'
import type { EmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { fillHotWallets } from '../../src/simulator/helpers/fill-hot-wallets.ts'
import { mineBlocks } from '../../src/simulator/helpers/mine-blocks.ts'
import { Closers } from '../../src/wire/closers.ts'
import { fundMerchant, openWithWallet } from '../crash/scenario.ts'
import { type Random, randomOf } from '../simulation/random.ts'
import { expectSoundBooks } from '../support/database/books.ts'
import { query } from '../support/database/database.ts'
import { startOwnPostgres } from '../support/processes/data-folder.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const operations = Number(process.env.SLUICE_CONTENTION_OPERATIONS ?? 300)
const connections = Number(process.env.SLUICE_CONTENTION_CONNECTIONS ?? 24)
const gwei = 10n ** 9n
const balance = '50'
const openMost = 200
const lookEveryMs = 5
const destination = '0x52908400098527886E0F7030069857D2E4169EE7'

let folder: TemporaryFolder
let postgres: EmbeddedPostgres
let closers: Closers
beforeEach(async () => {
  closers = new Closers()
  folder = await makeTemporaryFolder()
  const dataDir = join(folder.path, 'postgres')
  postgres = await startOwnPostgres(dataDir)
})
afterEach(async () => {
  await closers.close()
  await postgres.stop()
  await folder.remove()
})

type Crowd = {
  readonly app: App
  readonly caller: Caller
  readonly gate: Gate
  readonly random: Random
  /** Payouts that can still be acted on. */
  readonly open: string[]
  readonly seen: Record<string, number>
}

/** What one connection does next. Each action is a transaction that changes the same balance, or is refused. */
const acts = { create, cancel, approve, raise, carryOut }
const weights = { create: 6, cancel: 2, approve: 5, raise: 2, carryOut: 2 }

async function create({
  app,
  caller,
  random,
  open,
  draft,
}: Crowd & { draft: ReturnType<typeof payoutDrafter> }) {
  // From a thousandth of an ETH to twenty ETH: a few of the large ones leave nothing for the others.
  const units =
    BigInt(random.between(1, 20)) * 10n ** BigInt(random.between(15, 18)) + BigInt(random.below(1_000)) * gwei
  const request = {
    currency: 'ETH',
    network: 'ethereum',
    amount: formatDecimal(units, 18),
    destination,
    destinationTag: null,
    description: null,
    metadata: null,
  }
  const terms = { idempotencyKey: null, requestHash: null, refundId: null, feeBps: 100 }
  const drafted = await draft(caller, request, readPayout(app, request), terms)
  const [made] = await app.transaction((tx) => reservePayouts(app, tx, [drafted]))
  if (made === undefined || made === 'taken' || made instanceof ServiceError) throw made
  open.push(made.id)
  if (open.length > openMost) open.splice(0, 1)
}

async function cancel({ app, random, open }: Crowd) {
  await cancelPayout(app, null, anyOf(random, open, true))
}

async function approve({ app, random, open }: Crowd) {
  await approvePayout(app, null, anyOf(random, open), { approver: `cli:${randomUUID()}` })
}

async function raise({ app, random, open }: Crowd) {
  return app.transaction(async (tx) => {
    const held = await tx.payouts.lock(null, anyOf(random, open))
    if (held?.payout.status !== 'approved') return 'raise: not approved'
    const { payout } = held
    const needed =
      payout.networkFeeUnits + BigInt(random.between(1, 9)) * 10n ** BigInt(random.between(12, 18))
    return (await raiseReserve(app, tx, payout, needed)) === null ? 'raise: too little' : 'raise'
  })
}

/** Plans what is due; then a spend ends as if the chain had decided. Only small ones are paid, so that the balance lasts. */
async function carryOut({ app, gate, random }: Crowd) {
  await planPayouts(app, gate)
  const unsigned = await app.store.spends.unsigned('test', 50)
  const attempt = unsigned[random.below(Math.max(unsigned.length, 1))]
  const plan = attempt?.plan == null ? null : readPlan(attempt.plan)
  if (attempt === undefined || plan?.kind !== 'account') return 'carryOut: nothing'
  const { spendId: id } = attempt
  const isSmall = plan.units < 20n * 10n ** 15n
  if (!isSmall) {
    await settleSpend(app, gate, id, { status: 'dead' })
    return 'carryOut: failed'
  }
  const hash = `0x${randomUUID().replaceAll('-', '')}`
  if (!(await app.store.spends.saveSigned(id, 1, { hash, bytes: Buffer.from(hash) })))
    return 'carryOut: another did'
  await settleSpend(app, gate, id, {
    status: 'final',
    hash,
    block: { height: 1n, hash: 'none' },
    feeUnits: maxFeeOf(plan) - BigInt(random.below(1_000)),
  })
}

/** A random open payout, which is not picked again if `isLast`. */
function anyOf(random: Random, open: string[], isLast = false): string {
  const at = random.below(Math.max(open.length, 1))
  return (isLast ? open.splice(at, 1)[0] : open[at]) ?? randomUUID()
}

it(`${connections} connections contend for one balance in ${operations} operations, and it is never overdrawn`, {
  timeout: 600_000 + operations * 60,
}, async () => {
  const env = {
    DATABASE_URL: postgres.url,
    SLUICE_DATA_DIR: join(folder.path, 'data'),
    SLUICE_SECRET_KEY: '5e'.repeat(32),
    SLUICE_DATABASE_CONNECTIONS: String(connections),
  }
  const { app } = await openWithWallet(env, closers)
  const { caller } = await fundMerchant(app, { BTC: [], ETH: [balance], USDT: [] })
  const simulated = app.gates.find('ethereum-test') as Gate
  // Spends end here as if the chain had decided, so all their nonces are used up.
  const gate: Gate = {
    ...simulated,
    nextNonce: (address) => app.store.holdings.nextCount(simulated.id, address),
  }
  await fillHotWallets(app, gate)
  await mineBlocks(app, caller, { network: 'ethereum', count: 20 })

  const crowd = {
    app,
    caller,
    gate,
    random: randomOf(1),
    open: [],
    seen: {} as Record<string, number>,
    draft: payoutDrafter(app),
  }
  const count = (what: string) => {
    crowd.seen[what] = (crowd.seen[what] ?? 0) + 1
  }
  // Signs of real contention: every action occurred, and often the balance was too small for all.
  const outcomes = [
    ...Object.keys(acts),
    'create: insufficient_balance',
    'cancel: conflict',
    'carryOut: failed',
  ]
  const rare = () => outcomes.filter((what) => (crowd.seen[what] ?? 0) <= operations / 500)
  let done = 0
  // What happens is random, so it may take more operations until everything has happened.
  const goesOn = () => done < operations || (done < 3 * operations && rare().length > 0)
  const one = async () => {
    while (goesOn()) {
      done++
      const act = crowd.random.weighted(weights)
      try {
        count((await acts[act](crowd)) ?? act)
      } catch (error) {
        // A machine that is busy enough lets a statement wait for the balance until it times out, which changes nothing.
        if (error instanceof OutageError) count(`${act}: outage`)
        else if (error instanceof ServiceError) count(`${act}: ${error.code}`)
        else throw error
      }
    }
  }
  const watcher = new pg.Client(postgres.url)
  await watcher.connect()
  closers.add(() => watcher.end())
  let lowest = 0n
  let looks = 0
  const watch = async () => {
    while (goesOn()) {
      const { rows } = await watcher.query<{ least: string }>(
        `select min(balance_units)::text as least from ledger_accounts where kind in ('available', 'reserved')`,
      )
      const least = BigInt(rows[0]?.least ?? 0)
      if (least < lowest) lowest = least
      looks++
      await delay(lookEveryMs)
    }
  }
  const crowding = [watch()]
  // One after the other: opening that many connections at once takes longer than the limit for opening one.
  while (crowding.length <= connections) {
    crowding.push(one())
    await app.transaction(async () => {})
  }
  await Promise.all(crowding)
  process.stdout.write(`${JSON.stringify({ ...crowd.seen, looks })}\n`)

  expect(lowest).toBe(0n)
  const entries = await query(
    postgres.url,
    'select number, balance_after::text from ledger_entries where balance_after < 0',
  )
  expect(entries).toEqual([])
  await expectSoundBooks(postgres.url)
  expect(await auditBooks(app)).toEqual({ ok: true, differences: [] })
  expect(rare()).toEqual([])
})
