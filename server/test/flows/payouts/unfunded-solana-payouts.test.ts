import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  arrivals,
  expectCleanBooks,
  hurry,
  newAddress,
  payOutTo,
  until,
  untilSent,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop, settle } from '../../support/shop/shop.ts'

/** Payouts on Solana of what was swept for them, where a reorganisation removes the deposit after they were signed. */

let service: TestService
let gone: Shop
let there: Shop
beforeAll(async () => {
  const config = { ...quiet.config, chains: { max_reorganisation_depth: 150 } }
  service = await startTestService({ ...quiet, config })
  Object.assign(service.app.spending, { cancelAfterMs: 0 })
  gone = await openShop(service)
  there = await openShop(service)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

/** A payout that was sent and is in no block, and the deposit that was swept for it. */
async function sentFromDeposit(currency: string, paid: string, amount: string) {
  const invoice = await gone.create({ currency, network: 'solana', amount: paid })
  const deposit = await gone.pay(invoice, paid)
  await gone.mine(invoice.required_confirmations, 'solana')
  const destination = await newAddress('solana')
  const payout = await payOutTo(gone, 'solana', { currency, amount, destination })
  // Mine only the blocks that the sweep needs: the payout itself must not be mined.
  await expect
    .poll(async () => {
      await hurry(service)
      const { status } = await gone.payout(payout)
      if (status === 'approved') await gone.mine(1, 'solana')
      return status
    })
    .toBe('processing')
  await untilSent(service, payout)
  return { invoice, deposit, payout }
}

/** The spends that a currency's sweep and a payout became, newest first. */
async function sweepAnd(payout: Row) {
  const rows = await query<{ kind: string; account: number; hash: string }>(
    service.database.url,
    `select kind, nonce_account as account, tx_hash as hash from spends join spend_transactions on spend_id = spends.id
     where gate_id = 'solana-test' and (kind = 'sweep' or spends.id = (select spend_id from payouts where id = $1))
     order by spends.id desc limit 2`,
    [payout.id],
  )
  return new Map(rows.map((row) => [row.kind, row]))
}

it('a payout whose swept deposit vanished is cancelled, although the sweep never runs again', async () => {
  await there.fund('50', 'SOL', 'solana')
  const { invoice, deposit, payout } = await sentFromDeposit('SOL', '100000', '90000')
  const spends = await sweepAnd(payout)
  const [{ confirmations }] = (await gone.get(invoice)).payments
  // Nodes refuse a sweep of nothing, so the value that it used stands again, and those after it never come.
  const dropped = [deposit, spends.get('sweep')?.hash ?? '']
  await service.app.store.simulatedChains.reorganise('solana-test', confirmations, dropped)
  await settle(service, 'solana-test')
  const failed = await until(gone, payout, 'failed')
  expect(failed.failure_reason).toMatch(
    /^A reorganisation removed the funds that the hot wallet needed for it/,
  )
  expect(spends.get('payout')?.account).not.toBe(spends.get('sweep')?.account)
  expect(await arrivals(service, 'solana', payout.destination)).toEqual([])
  expect(await gone.balance('SOL')).toMatchObject({ available: '0', reserved: '0' })
  await until(there, await payOutTo(there, 'solana', { currency: 'SOL', amount: '20' }), 'completed')
})

it('a sweep that is taken back, and mined again after all, costs the hot wallet its fee once', async () => {
  const { invoice, deposit, payout } = await sentFromDeposit('SOL', '5000', '4000')
  const sweep = (await sweepAnd(payout)).get('sweep')?.hash ?? ''
  const [{ confirmations }] = (await gone.get(invoice)).payments
  await service.app.store.simulatedChains.reorganise('solana-test', confirmations, [deposit, sweep])
  await settle(service, 'solana-test')
  await until(gone, payout, 'failed')
  const sweepIs = async () => {
    await gone.mine(1, 'solana')
    await hurry(service)
    const [row] = await query<{ status: string; fee: string }>(
      service.database.url,
      'select status, fee_units::text as fee from spends where mined_hash = $1',
      [sweep],
    )
    return row
  }
  await expect.poll(sweepIs).toEqual({ status: 'reverted', fee: '0' })
  await expectCleanBooks(service)
  // The deposit comes back, and with it the sweep, which was sent again and again.
  await query(service.database.url, `update simulated_transactions set state = 'waiting' where hash = $1`, [
    deposit,
  ])
  await expect.poll(sweepIs).toEqual({ status: 'final', fee: expect.stringMatching(/^[1-9]/) })
})

it('tokens that were swept for a payout count only once no reorganisation can take them away', async () => {
  const { payout } = await sentFromDeposit('USDC', '500', '400')
  const [sweep] = await query<{ confirmations: number }>(
    service.database.url,
    `select (tip.height - block_height + 1)::integer as confirmations
     from spends join simulated_chains as tip using (gate_id)
     where gate_id = 'solana-test' and kind = 'sweep' and currency = 'USDC'`,
  )
  expect(sweep?.confirmations).toBeGreaterThanOrEqual(32)
  await until(gone, payout, 'completed')
})
