import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { proveDead } from '../../../src/app/spends/settling/prove-dead.ts'
import { recheckEnded } from '../../../src/app/spends/settling/recheck-ended.ts'
import { createTestDatabase, query, type TestDatabase } from '../../support/database/database.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import {
  attemptsOf,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  until,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

/** A completed payout that a reorganisation deeper than its confirmations removed from the chain for good. */

let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createTestDatabase()
  const config = { ...quiet.config, chains: { max_reorganisation_depth: 150 } }
  service = await startTestService({ ...quiet, config, database })
})
beforeEach(async () => {
  shop = await openShop(service)
})
afterEach(() => expectCleanBooks(service))
afterAll(async () => {
  await service.stop()
  await database.drop()
})

type Payout = { readonly id: string }
const giveUp = (payout: Payout, ...args: string[]) =>
  runCommand(['payout', 'give-up', payout.id, '--as', 'alice', ...args], {
    DATABASE_URL: database.serviceUrl,
  })
const spendOf = async (payout: Payout) => (await attemptsOf(service, payout))[0]?.spend_id as string

/** No other coin is as large, so the payouts spend this deposit. */
async function paidIn(amount: string, currency: 'BTC' | 'LTC') {
  const network = currency === 'BTC' ? 'bitcoin' : 'litecoin'
  const invoice = await shop.create({ currency, network, amount })
  const deposit = await shop.pay(invoice, amount)
  await shop.mine(6, network)
  return { invoice, deposit }
}

const paidOut = async (amount: string, currency: 'BTC' | 'LTC') =>
  until(
    shop,
    await payOutTo(shop, currency === 'BTC' ? 'bitcoin' : 'litecoin', { currency, amount }),
    'completed',
  )

const depthOf = async (invoice: { id: string }) => (await shop.get(invoice)).payments[0].confirmations

/** Waits until the worker has noticed that it is undone. */
async function untilUndone(payout: Payout, network: string): Promise<string> {
  const spend = await spendOf(payout)
  await expect
    .poll(async () => {
      await shop.mine(1, network)
      return (await listAlerts(service.app)).map(({ kind, details }) => `${kind} ${details}`)
    })
    .toContainEqual(expect.stringMatching(`^transaction_undone .*sluice payout give-up ${payout.id}`))
  return spend
}

it('an undone payout fails once the chain proves it, and the books are as if it had never been paid', async () => {
  const { invoice, deposit } = await paidIn('60', 'BTC')
  await shop.fund('1')
  const before = await shop.balance('BTC')
  const asked = await shop.refund({
    invoice_id: invoice.id,
    currency: 'BTC',
    network: 'bitcoin',
    amount: '20',
    destination: await newAddress('bitcoin'),
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  const refund = { id: asked.body.data.payout_id, network: 'bitcoin' }
  await shop.approve(refund)
  await until(shop, refund, 'completed')
  const payout = await paidOut('30', 'BTC')

  const early = await giveUp(payout)
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/is in block \d+\. It was carried out/),
  ])
  await shop.reorganise(await depthOf(invoice), [deposit])
  await untilUndone(payout, 'bitcoin')
  await shop.told()

  // The change of the refund paid for the payout.
  const wrongOrder = await giveUp(refund)
  expect([wrongOrder.code, wrongOrder.stderr]).toEqual([
    1,
    expect.stringContaining(`End that one first: npx sluice payout give-up ${payout.id}`),
  ])
  for (const each of [payout, refund]) {
    const { code, stdout, stderr } = await giveUp(each, '--json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      payout_id: each.id,
      status: 'failed',
      failure_reason: expect.stringMatching(
        /^It was completed, but a reorganisation removed its transaction/,
      ),
    })
  }
  expect(await shop.told()).toEqual(['payout.failed', 'payout.failed', 'refund.failed'])
  expect(await shop.payout(payout)).toMatchObject({ status: 'failed', completed_at: null })
  expect(await shop.get(invoice)).toMatchObject({ amount_refunded: '0' })
  const { available, reserved, total_paid_out: out } = await shop.balance('BTC')
  expect(reserved).toBe('0')
  expect(Number(available)).toBeCloseTo(Number(before.available) - 60, 8)
  expect(out).toBe(before.total_paid_out)
  // The overview's fees are as if it had never been paid either.
  const fees = 'select sum(units)::text as units from daily_fees where merchant_id = $1'
  expect(await query(database.url, fees, [shop.merchantId])).toEqual([{ units: '0' }])
  const entries = await query(
    database.url,
    `select actor, subject, details ->> 'was' as was, details ->> 'amount' as amount from audit_entries
     where chain = $1 and action = 'payout.given_up' order by seq`,
    [shop.merchantId],
  )
  expect(entries).toEqual(
    [
      { subject: payout.id, amount: '30' },
      { subject: refund.id, amount: '20' },
    ].map((each) => ({ ...each, actor: 'cli:alice', was: 'completed' })),
  )
  const again = await giveUp(payout)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('this one is failed')])
  // A process that looked at it earlier comes too late to change it.
  const ended = await service.app.store.spends.find(await spendOf(payout))
  const asSeen = { id: ended?.id ?? '', mined: ended?.mined ?? null, status: 'final' } as const
  expect(await service.app.store.endedSpends.displace(asSeen, 'It was ruled out.')).toBe(false)
  expect((await listAlerts(service.app)).filter(({ kind }) => kind === 'transaction_undone')).toEqual([])
  // The remaining coin pays for other payouts.
  const other = await openShop(service)
  await other.fund('2')
  await until(other, await payOutTo(other, 'bitcoin', { currency: 'BTC', amount: '1.5' }), 'completed')
})

it('where the chain proves nothing, an undone payout is given up only when the operator names its spend', async () => {
  const { invoice, deposit } = await paidIn('70', 'LTC')
  const payout = await paidOut('40', 'LTC')
  const spend = await spendOf(payout)
  await service.app.store.simulatedChains.reorganise('litecoin-test', await depthOf(invoice), [deposit])
  await settle(service, 'litecoin-test')
  await recheckEnded(service.app, gateOf(service, 'litecoin'))
  const unsure = await giveUp(payout)
  expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining(`--never-mined ${spend}`)])
  expect((await shop.payout(payout)).status).toBe('completed')
  // However long it takes: its block is far below the depth that is still followed.
  await shop.mine(170, 'litecoin')
  await settle(service, 'litecoin-test')
  expect((await giveUp(payout, '--never-mined', spend)).code).toBe(0)
  expect(await shop.payout(payout)).toMatchObject({
    status: 'failed',
    failure_reason: expect.stringMatching(/as cli:alice has stated/),
  })
  expect(await shop.balance('LTC')).toMatchObject({ available: '0', reserved: '0' })
})

it('an undone token payout fails when the network runs it again without success, and the books hold no tokens for it', async () => {
  await shop.fund('5', 'ETH', 'ethereum')
  const invoice = await shop.create({ currency: 'USDC', network: 'ethereum', amount: '100' })
  const deposit = await shop.pay(invoice, '100')
  await shop.mine(12, 'ethereum')
  const payout = await until(
    shop,
    await payOutTo(shop, 'ethereum', { currency: 'USDC', amount: '60' }),
    'completed',
  )
  await shop.told()
  await shop.reorganise(await depthOf(invoice), [deposit], 'ethereum')
  await untilUndone(payout, 'ethereum')
  await expect
    .poll(async () => {
      await shop.mine(1, 'ethereum')
      return (await giveUp(payout)).stdout
    })
    .toContain('The network ran it again in block')
  expect(await shop.payout(payout)).toMatchObject({ status: 'failed', completed_at: null })
  expect(await shop.balance('USDC')).toMatchObject({ available: '0', reserved: '0', total_paid_out: '0' })
  await expect
    .poll(async () => {
      await shop.mine(1, 'ethereum')
      return query(
        database.url,
        `select units::text from hot_balances where gate_id = 'ethereum-test' and currency = 'USDC'`,
      )
    })
    .toEqual([{ units: '0' }])
  // The network fee of both runs is the operator's loss.
  await shop.fund('50', 'USDC', 'ethereum')
  await until(shop, await payOutTo(shop, 'ethereum', { currency: 'USDC', amount: '40' }), 'completed')
})

it('an undone payout is given up when its cancelling attempt was mined in its place', async () => {
  await shop.fund('5', 'ETH', 'ethereum')
  const payout = await until(
    shop,
    await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '1' }),
    'completed',
  )
  const spend = await service.app.store.spends.find(await spendOf(payout))
  const [paying] = spend?.transactions ?? []
  if (!spend?.mined?.block || paying?.plan.kind !== 'account' || !paying.signed) throw new Error('Not paid.')
  const { block, hash: paid } = spend.mined
  const cancelling = {
    ...paying,
    plan: { ...paying.plan, to: { ...paying.plan.from, tag: null }, units: 0n, payoutId: null },
    signed: { ...paying.signed, hash: '0xcancelling' },
  }
  const after = { ...spend, transactions: [paying, cancelling] }
  const prove = (hash: string) =>
    proveDead(
      service.app,
      {
        ...gateOf(service, 'ethereum'),
        fate: async () => ({ kind: 'mined', hash, block, feeUnits: 7n, succeeded: true }),
      },
      after,
      { by: { actor: 'cli:alice', name: 'alice', ip: null, userAgent: null }, deadSpendId: null },
      { name: 'payout', unproved: '', danger: '' },
    )
  await expect(prove(paid)).rejects.toThrow('It was carried out.')
  expect(await prove('0xcancelling')).toMatchObject({
    status: 'reverted',
    hash: '0xcancelling',
    feeUnits: 7n,
    reason: expect.stringMatching(/^The transaction that cancels it was mined in its place, in block \d+\.$/),
  })
})
