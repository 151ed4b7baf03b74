import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SignedTransaction } from '../../../src/domain/spends.ts'
import { hotAddressOf } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { forge } from '../../support/database/forge.ts'
import { expectCleanBooks, gateOf, newAddress, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

/** Payouts on simulated Solana of a version that signed them in a format of its own. */

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterEach(() => expectCleanBooks(service))
afterAll(() => service.stop())

it('a payout that was signed in the old format and never sent can be ended by the helper that fails a payout', async () => {
  const shop = await openShop(service)
  await shop.fund('20', 'SOL', 'solana')
  const before = await shop.balance('SOL')
  const gate = gateOf(service, 'solana')
  const { broadcast } = gate
  const destination = await newAddress('solana')
  Object.assign(gate, {
    async broadcast(transaction: SignedTransaction) {
      const read = gate.read(transaction.bytes)
      const isPayout =
        'actions' in read && read.actions.some((action) => 'to' in action && action.to === destination)
      return isPayout ? 'not sent' : broadcast(transaction)
    },
  })
  const payout = await payOutTo(shop, 'solana', { currency: 'SOL', amount: '12', destination })
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
  // What the old version has left: a numbered transaction of the hot wallet, as JSON.
  const plan = {
    kind: 'account',
    from: { address: hotAddressOf(gate), key: { chain: 'own', index: 0 } },
    to: { address: payout.destination, tag: null },
    currency: 'SOL',
    contractAddress: null,
    units: '12000000000',
    payoutId: payout.id,
    nonce: '0',
    gasLimit: '1',
    gasPrice: '5000',
  }
  await forge(
    service.database.url,
    'spend_transactions',
    `with old as (
       update spends set nonce = 0, nonce_account = null, nonce_value = null, look_at = clock_timestamp()
       where id = (select spend_id from payouts where id = $1) returning id
     )
     update spend_transactions set plan = $2, bytes = convert_to('{"network":"solana"}', 'UTF8')
     where spend_id = (select id from old)`,
    [payout.id, JSON.stringify(plan)],
  )
  Object.assign(gate, { broadcast })
  const answer = await shop.call('failTestPayout', { path: { payoutID: payout.id } })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toMatchObject({ status: 'failed', waiting_reason: null })
  expect(await shop.balance('SOL')).toEqual(before)
})
