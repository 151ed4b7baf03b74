import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { doJobs } from '../../../src/app/chain/do-jobs.ts'
import { followChain } from '../../../src/app/chain/follow-chain.ts'
import { invoiceCreator } from '../../../src/app/invoices/create-invoice.ts'
import { expireDue } from '../../../src/app/invoices/expire-due.ts'
import { createMerchant } from '../../../src/app/merchants/create-merchant.ts'
import type { Caller } from '../../../src/domain/caller.ts'
import { sql } from '../../../src/store/sql.ts'
import type { ChainTransaction, MemoryChain } from '../../simulation/chain.ts'
import { randomOf } from '../../simulation/random.ts'
import { chainOf, type Running, type Stage } from '../../simulation/stage.ts'
import { gateOf } from '../../simulation/state.ts'
import { openTestStage, type TestStage } from '../../simulation/test-stage.ts'
import { query } from '../../support/database/database.ts'

let test: TestStage
let stage: Stage
beforeAll(async () => {
  test = await openTestStage()
  stage = test.stage
})
afterAll(() => test.close())

type Scene = {
  worker: Running
  chain: MemoryChain
  paid: ChainTransaction
  look(): Promise<void>
  endWindow(): Promise<void>
}

/** A BTC invoice and its payment in the mempool, which no follower has seen yet. */
async function setScene(): Promise<Scene> {
  const random = randomOf(1)
  const chains = await stage.reset(random)
  const [worker, follower] = [stage.start(random, chains), stage.start(random, chains)]
  const { merchantId } = await createMerchant(follower.app, { name: 'Shop' })
  const merchant = { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 }
  const caller: Caller = {
    actor: '',
    person: null,
    merchantId,
    environment: 'test',
    permissions: new Set(),
    merchant,
  }
  const asked = {
    currency: 'BTC',
    network: null,
    amount: '0.01',
    amountFiat: null,
    fiatCurrency: null,
    deferred: null,
    description: null,
    externalId: null,
    metadata: null,
    redirectUrl: null,
    expiresIn: null,
    idempotencyKey: null,
  }
  const { invoice } = await invoiceCreator(follower.app)(caller, asked, {})
  const chain = chainOf(chains, 'bitcoin')
  const address = invoice.asset?.depositAddress ?? ''
  const paid = chain.submit('paid', 'coin', 1n, [{ address, tag: null, currency: 'BTC', units: 1_000_000n }])
  if (paid === null) throw new Error('The payment was refused.')
  await follower.app.store.jobs.ask('assess_invoice', [invoice.id], 'bitcoin-test')
  return {
    worker,
    chain,
    paid,
    look: async () =>
      void (await followChain(follower.app, gateOf(follower, 'bitcoin'), { evenIfHeld: true })),
    endWindow: () => follower.app.store.invoices.endWindow(invoice.id),
  }
}

/** Runs the invoice's job once per statement in it, with `move` happening right before that statement. */
async function atEveryMoment(
  prepare: (scene: Scene) => Promise<void>,
  move: (scene: Scene) => Promise<void>,
  check: (moment: number) => Promise<void>,
): Promise<void> {
  for (let moment = 0; ; moment++) {
    const scene = await setScene()
    await prepare(scene)
    let statements = 0
    let moving = Promise.resolve()
    scene.worker.process.beforeStatement = async () => {
      if (statements++ !== moment) return
      let moved = false
      moving = move(scene).finally(() => {
        moved = true
      })
      // Anything that the worker itself blocks continues when the worker does.
      while (!moved && !(await isLockAwaited())) await nextTurn()
    }
    await doJobs(scene.worker.app)
    await moving
    if (statements <= moment) {
      expect(moment).toBeGreaterThan(5)
      return
    }
    await check(moment)
  }
}

it('a payment that a reorganisation drops at any moment of its assessment is never credited', async () => {
  await atEveryMoment(
    async ({ chain, look }) => {
      chain.mine(1, 1)
      await look()
    },
    async ({ chain, paid, look }) => {
      chain.reorganise(1, [paid], 'same_height', 2)
      await look()
    },
    async (moment) => {
      const told = await query(
        test.url,
        `select event from events where event in ('invoice.paid', 'balance.credited')`,
      )
      expect({ moment, told }).toEqual({ moment, told: [] })
    },
  )
})

it('an invoice whose timely payment is found at any moment of its assessment does not expire', async () => {
  await atEveryMoment(
    async ({ chain, endWindow }) => {
      chain.mine(1, 1, new Date(0))
      await endWindow()
      // The next scan begins in a later millisecond than the one in which the window ended.
      await sql`select pg_sleep(0.002)`.run(stage.database.db)
    },
    ({ look }) => look(),
    async (moment) => {
      const told = await query(test.url, `select event from events where event = 'invoice.expired'`)
      expect({ moment, told }).toEqual({ moment, told: [] })
    },
  )
})

it('an invoice does not expire when its payment returns to the mempool while the chain grows', async () => {
  const { chain, look, endWindow, worker } = await setScene()
  chain.mine(1, 1, new Date(0))
  await look()
  await doJobs(worker.app)
  await endWindow()
  await sql`select pg_sleep(0.002)`.run(stage.database.db)
  chain.mine(1, 0)
  await look()
  chain.reorganise(2, [], 'mempool', 1)
  // A block is found between reading the mempool and the last look at the tip.
  const { waiting } = chain.shown
  chain.shown.waiting = async () => {
    chain.shown.waiting = waiting
    const transfers = await waiting()
    chain.mine(1, 0)
    return transfers
  }
  await look()
  await expireDue(worker.app)
  await doJobs(worker.app)
  const told = await query(test.url, `select event from events where event = 'invoice.expired'`)
  expect(told).toEqual([])
})

async function isLockAwaited(): Promise<boolean> {
  const rows = await sql`select from pg_locks where not granted limit 1`.rows(stage.database.db)
  return rows.length > 0
}
