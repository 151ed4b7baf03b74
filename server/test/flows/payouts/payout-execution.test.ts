import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { auditBooks } from '../../../src/app/audit/audit-books.ts'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(async () => {
  await expectSoundBooks(service.database.url)
  expect(await auditBooks(service.app)).toEqual({ ok: true, differences: [] })
})

const destinations = {
  bitcoin: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  litecoin: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
  ethereum: '0x52908400098527886E0F7030069857D2E4169EE7',
  solana: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
  xrp: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
} as const

const rows = [
  { currency: 'BTC', network: 'bitcoin', funds: '0.5', amount: '0.2' },
  { currency: 'LTC', network: 'litecoin', funds: '5', amount: '2' },
  { currency: 'ETH', network: 'ethereum', funds: '2', amount: '0.7' },
  { currency: 'USDT', network: 'ethereum', funds: '500', amount: '120.5' },
  { currency: 'SOL', network: 'solana', funds: '20', amount: '3' },
  { currency: 'USDC', network: 'solana', funds: '400', amount: '70' },
  { currency: 'XRP', network: 'xrp', funds: '1000', amount: '250' },
  { currency: 'RLUSD', network: 'xrp', funds: '400', amount: '70.654321' },
] as const

describe('an approved payout', () => {
  for (const { currency, network, funds, amount } of rows)
    it(`arrives exactly once, in ${currency} on ${network}`, async () => {
      const shop = await openShop(service, { payoutFeeBps: 100 })
      await shop.fund(funds, currency, network)
      const tag = network === 'xrp' ? { destination_tag: '4242' } : {}
      const destination = destinations[network]
      const payout = await shop.payOut({ currency, network, amount, destination, ...tag })
      await shop.told()
      expect((await shop.approve(payout)).status).toBe(200)
      const done = await until(shop, payout, 'completed')

      expect(done).toMatchObject({ status: 'completed', amount, waiting_reason: null, failure_reason: null })
      expect(done.tx_hash).toEqual(expect.any(String))
      const arrived = await query(
        service.database.url,
        `select tx_hash, (units / 10::numeric ^ (select decimals from payouts where id = $3))::text as units
         from simulated_outputs join simulated_transactions as t on t.gate_id = simulated_outputs.gate_id and hash = tx_hash
         where t.gate_id = $1 and address = $2 and state = 'mined'`,
        [`${network}-test`, destination, payout.id],
      )
      expect(arrived.map(({ tx_hash, units }) => [tx_hash, Number(units)])).toContainEqual([
        done.tx_hash,
        Number(amount),
      ])
      expect(await shop.told()).toEqual(['payout.approved', 'payout.processing', 'payout.completed'])
      const { available, reserved, total_paid_out, total_fees } = await shop.balance(currency)
      expect([reserved, total_paid_out]).toEqual(['0', amount])
      expect(Number(total_fees)).toBeCloseTo(Number(done.fee_amount) + Number(done.network_fee), 8)
      expect(Number(available)).toBeCloseTo(Number(funds) - Number(amount) - Number(total_fees), 8)
    })
})
