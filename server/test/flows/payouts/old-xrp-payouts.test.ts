import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SignedTransaction } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import { forge } from '../../support/database/forge.ts'
import { expectCleanBooks, gateOf, newAddress, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

/** Payouts on the simulated XRP Ledger of a version that signed them in a format of its own. */

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

it('a payout that was signed in the old format and never sent can be ended by the helper that fails a payout', async () => {
  const shop = await openShop(service)
  await shop.fund('100', 'XRP', 'xrp')
  const before = await shop.balance('XRP')
  const gate = gateOf(service, 'xrp')
  const { broadcast } = gate
  const destination = await newAddress('xrp')
  Object.assign(gate, { broadcast: async (_: SignedTransaction) => 'not sent' })
  const payout = await payOutTo(shop, 'xrp', { currency: 'XRP', amount: '12', destination })
  await until(shop, payout, 'processing')
  const signed = async () => {
    const [row] = await query<{ hash: string | null }>(
      service.database.url,
      `select spend_transactions.tx_hash as hash from spend_transactions join payouts using (spend_id) where payouts.id = $1`,
      [payout.id],
    )
    return row?.hash
  }
  await expect.poll(signed).toMatch(/\w/)
  await forge(
    service.database.url,
    'spend_transactions',
    `update spend_transactions set bytes = convert_to('{"network":"xrp"}', 'UTF8')
     where spend_id = (select spend_id from payouts where id = $1)`,
    [payout.id],
  )
  Object.assign(gate, { broadcast })
  const answer = await shop.call('failTestPayout', { path: { payoutID: payout.id } })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toMatchObject({ status: 'failed', waiting_reason: null })
  expect(await shop.balance('XRP')).toEqual(before)
})
