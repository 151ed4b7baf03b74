import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { endUnfunded } from '../../../src/app/spends/settling/end-unfunded.ts'
import { hotAddressOf } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { setHalt } from '../../support/shop/halt.ts'
import {
  approveTogether,
  arrivals,
  attemptsOf,
  expectCleanBooks,
  gateOf,
  hurry,
  newAddress,
  payOutTo,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop, settle } from '../../support/shop/shop.ts'

/** Payouts of native currency that was swept for them, and that a reorganisation removed after they were signed. */

let service: TestService
let gone: Shop
let there: Shop
beforeAll(async () => {
  const config = { ...quiet.config, chains: { max_reorganisation_depth: 150 } }
  service = await startTestService({ ...quiet, config })
})
beforeEach(async () => {
  leaveToPeople(0)
  gone = await openShop(service)
  there = await openShop(service)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

const leaveToPeople = (ms: number) => Object.assign(service.app.spending, { cancelAfterMs: ms })

/** When nothing is under way, the free amount booked for the hot wallet equals its balance on chain. */
async function expectHotAsBooked(network: string): Promise<void> {
  const gate = gateOf(service, network)
  await expect
    .poll(async () => {
      await there.mine(1, network)
      await hurry(service)
      const [row] = await query(
        service.database.url,
        `select (select units::text from hot_balances where gate_id = $1 and currency = 'ETH') as units,
           (select count(*)::int from spends where gate_id = $1 and status = 'open') as open`,
        [gate.id],
      )
      return [row?.open, row?.units]
    })
    .toEqual([0, `${await gate.nativeBalance?.(hotAddressOf(gate) ?? '')}`])
}

/** One merchant's deposit will vanish. The hot wallet holds the other merchant's deposit, whose payout is next in line. */
async function inLine(network: string) {
  await there.fund('5', 'ETH', network)
  await until(there, await payOutTo(there, network, { currency: 'ETH', amount: '1' }), 'completed')
  const invoice = await gone.create({ currency: 'ETH', network, amount: '100000' })
  const deposit = await gone.pay(invoice, '100000')
  await gone.mine(invoice.required_confirmations, network)
  const lost: Row[] = []
  for (const amount of ['60000', '30000'])
    lost.push(await gone.payOut({ currency: 'ETH', network, amount, destination: await newAddress(network) }))
  await approveTogether(gone, lost)
  // Mine only the blocks that the sweep needs: the payouts themselves must not be mined.
  await expect
    .poll(async () => {
      await hurry(service)
      const states = await Promise.all(lost.map(async (payout) => (await gone.payout(payout)).status))
      if (states.every((status) => status === 'approved')) await gone.mine(1, network)
      return states
    })
    .toEqual(['processing', 'processing'])
  for (const payout of lost) await untilSent(service, payout)
  const behind = await payOutTo(there, network, { currency: 'ETH', amount: '1' })
  await untilSent(service, behind)
  return { invoice, deposit, lost, behind }
}

it('payouts whose funds vanished are cancelled, and the payouts behind them are paid', async () => {
  const { invoice, deposit, lost, behind } = await inLine('ethereum')
  const [{ confirmations }] = (await gone.get(invoice)).payments
  await gone.reorganise(confirmations, [deposit], 'ethereum')
  const done = await until(there, behind, 'completed')
  expect(await arrivals(service, 'ethereum', behind.destination)).toMatchObject([{ hash: done.tx_hash }])
  for (const payout of lost) {
    const failed = await until(gone, payout, 'failed')
    expect(failed.failure_reason).toMatch(
      /^A reorganisation removed the funds that the hot wallet needed for it/,
    )
    expect(await arrivals(service, 'ethereum', payout.destination)).toEqual([])
    // One attempt was signed to pay, and one to cancel.
    expect((await attemptsOf(service, payout)).map(({ bytes }) => bytes !== null)).toEqual([true, true])
  }
  expect(await gone.balance('ETH')).toMatchObject({ available: '0', reserved: '0' })
  await expectHotAsBooked('ethereum')
  await there.fund('2', 'ETH', 'ethereum')
  await until(there, await payOutTo(there, 'ethereum', { currency: 'ETH', amount: '4' }), 'completed')
  await expectHotAsBooked('ethereum')
})

it('payouts whose funds vanished wait with a reason while the operator can react, and are paid when the funds return', async () => {
  leaveToPeople(3_600_000)
  const { invoice, lost, behind } = await inLine('base')
  const [{ confirmations }] = (await gone.get(invoice)).payments
  await service.app.store.simulatedChains.reorganise('base-test', confirmations, [], { others: 'mempool' })
  await settle(service, 'base-test')
  const ask = () =>
    Promise.all(
      lost.map(async (payout) => {
        const spend = await service.app.store.spends.find((await attemptsOf(service, payout))[0]?.spend_id)
        return spend === null ? '' : endUnfunded(service.app, gateOf(service, 'base'), spend)
      }),
    )
  // A halted gate may be on the wrong branch, so nothing ends.
  await setHalt(service, 'base-test', 'too deep')
  expect(await ask()).toEqual([null, null])
  await setHalt(service, 'base-test', null)
  // Only the first is short: the second is not checked before its turn.
  const said = await ask()
  expect(said.filter((reason) => reason !== null)).toEqual([
    expect.stringMatching(/^The hot wallet is short of .* for this payout.* if they come back/),
  ])
  for (const payout of lost) await until(gone, payout, 'completed')
  await until(there, behind, 'completed')
  for (const payout of lost) expect(await attemptsOf(service, payout)).toHaveLength(1)
  await expectHotAsBooked('base')
})
