import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { consolidateCoins } from '../../../src/app/spends/planning/consolidate-coins.ts'
import { listCoins } from '../../../src/app/spends/planning/list-coins.ts'
import { proveOthers } from '../../../src/app/spends/planning/prove-coins.ts'
import { query } from '../../support/database/database.ts'
import { untilConsolidationSent } from '../../support/nodes/consolidation.ts'
import {
  attemptsOf,
  expectCleanBooks,
  gateOf,
  payOutTo,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const gateId = 'bitcoin-test'
let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

const run = (statement: string, values: unknown[] = []) => query(service.database.url, statement, values)

const payOut = (amount: string) => payOutTo(shop, 'bitcoin', { currency: 'BTC', amount })

/** Receives a coin; returns the hash of its transaction. */
async function receive(amount: string): Promise<string> {
  const invoice = await shop.create({ currency: 'BTC', amount })
  await shop.pay(invoice, amount)
  await shop.mine(2)
  return (await shop.get(invoice)).payments[0].tx_hash
}

/** Makes coins as a version left them that stored no previous transactions. */
const forget = () => run('delete from previous_transactions')
/** Makes the node unable to show a transaction; the bytes come back with `show`. */
async function hide(hash: string): Promise<{ show(): Promise<unknown> }> {
  const [row] = await run('select bytes from simulated_transactions where hash = $1', [hash])
  await run('update simulated_transactions set bytes = null where hash = $1', [hash])
  await run('delete from previous_transactions where tx_hash = $1', [hash])
  return {
    show: () => run('update simulated_transactions set bytes = $2 where hash = $1', [hash, row?.bytes]),
  }
}
const askedLongAgo = () =>
  run(`update previous_transactions set asked_at = asked_at - interval '1 hour' where bytes is null`)
const stateOf = async (hash: string) =>
  (await listCoins(service.app, gateId)).coins.find(({ txHash }) => txHash === hash)?.state
const inputsOf = async (payout: { id: string }) =>
  (await attemptsOf(service, payout))[0]?.plan.inputs.map(({ txHash }: { txHash: string }) => txHash)

it('a deposit’s transaction is stored with its block, and our change needs none', async () => {
  const hash = await receive('0.01')
  expect(await run('select tx_hash from previous_transactions where bytes is not null')).toEqual([
    { tx_hash: hash },
  ])
  const payout = await payOut('0.002')
  await until(shop, payout, 'completed')
  expect(await run('select count(*)::int as count from previous_transactions')).toEqual([{ count: 1 }])
  const next = await payOut('0.002')
  await until(shop, next, 'completed')
  expect(await inputsOf(next)).toEqual([(await attemptsOf(service, payout))[0]?.hash])
})

it('coins from before their transactions were stored are paid out, after the node has shown them', async () => {
  const hash = await receive('0.02')
  await forget()
  const payout = await payOut('0.019')
  await until(shop, payout, 'completed')
  expect(await inputsOf(payout)).toContain(hash)
})

it('a coin whose transaction the node cannot show is set aside and reported once, and used once it can', async () => {
  const hidden = await receive('0.5')
  const other = await receive('0.3')
  const { show } = await hide(hidden)
  const payout = await payOut('0.25')
  await until(shop, payout, 'completed')
  expect(await inputsOf(payout)).toEqual([other])
  expect(await stateOf(hidden)).toBe('unproven')
  const alarms = () => service.logged.filter(({ msg }) => `${msg}`.startsWith('A COIN CANNOT BE PROVED'))
  expect(alarms()).toMatchObject([
    { gate: gateId, tx_hash: hidden, reason: expect.stringMatching('no bytes') },
  ])

  const large = await payOut('0.4')
  await expect
    .poll(async () => (await shop.payout(large)).waiting_reason)
    .toMatch('the node cannot show the transactions that made some of them')
  // Asked again after a while, in vain, it is not reported again.
  await askedLongAgo()
  await proveOthers(service.app, gateOf(service, 'bitcoin'))
  expect(alarms()).toHaveLength(1)

  await show()
  await askedLongAgo()
  await proveOthers(service.app, gateOf(service, 'bitcoin'))
  expect(await stateOf(hidden)).toBe('spendable')
  await until(shop, large, 'completed')
  expect(await inputsOf(large)).toContain(hidden)
})

it('a spend that was planned before goes on once the transactions of its coins are there', async () => {
  await receive('0.04')
  // Between the plan and its signature, the rows are gone.
  await run(`create function forget_previous() returns trigger language plpgsql security definer as
    $$ begin delete from previous_transactions; return null; end $$`)
  await run(`create trigger forget_previous after insert on spend_transactions
    for each statement execute function forget_previous()`)
  const payout = await payOut('0.039')
  await expect.poll(async () => (await shop.payout(payout)).waiting_reason).toMatch(/is not stored, so coin/)
  await run('drop trigger forget_previous on spend_transactions')
  await proveOthers(service.app, gateOf(service, 'bitcoin'))
  await untilSent(service, payout)
  await until(shop, payout, 'completed')
})

it('a consolidation proves the small coins that it takes, and leaves out those that it cannot', async () => {
  const hidden = await receive('0.0009')
  const small: string[] = []
  for (let at = 0; at < 4; at++) small.push(await receive('0.001'))
  await forget()
  const { show } = await hide(hidden)
  const consolidate = () =>
    consolidateCoins(service.app, gateOf(service, 'bitcoin'), { belowRate: 5n, coins: 3, maxInputs: 20 })
  // The first round finds the coin that cannot be proved.
  expect(await consolidate()).toBe(false)
  expect(await consolidate()).toBe(true)
  const { plan } = await untilConsolidationSent(service, gateId)
  const taken = plan.inputs.map(({ txHash }: { txHash: string }) => txHash)
  expect(taken).toEqual(expect.arrayContaining(small))
  expect(taken).not.toContain(hidden)
  await show()
})
