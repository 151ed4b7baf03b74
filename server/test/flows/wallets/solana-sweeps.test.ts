import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SolanaPlan } from '../../../src/domain/spends.ts'
import { hotAddressOf } from '../../../src/gates/gate.ts'
import { query } from '../../support/database/database.ts'
import { arrivals, expectCleanBooks, payOutTo, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

async function payInvoices(shop: Shop, count: number, currency: string, amount: string): Promise<string[]> {
  const addresses: string[] = []
  for (let n = 0; n < count; n++) {
    const invoice = await shop.create({ currency, network: 'solana', amount })
    await shop.pay(invoice, amount)
    addresses.push(invoice.deposit_address)
  }
  await shop.mine(32, 'solana')
  return addresses
}

async function plansOf(kind: string, currency: string): Promise<SolanaPlan[]> {
  const rows = await query<{ plan: SolanaPlan }>(
    service.database.url,
    `select plan from spend_transactions join spends on spends.id = spend_id
     where gate_id = 'solana-test' and kind = $1 and currency = $2 order by spends.id`,
    [kind, currency],
  )
  return rows.map(({ plan }) => plan)
}

it('the sandbox gives the hot wallet its SOL with the first deposit, so that no payout waits for it', async () => {
  const shop = await openShop(service)
  const gate = service.app.gates.find('solana-test')
  const hot = gate === null ? null : hotAddressOf(gate)
  expect(await gate?.nativeBalance?.(hot ?? '')).toBe(0n)
  await shop.fund('1', 'SOL', 'solana')
  expect(await gate?.nativeBalance?.(hot ?? '')).toBe(100n * 10n ** 9n)
})

it.each([
  // The sandbox has put 100 SOL into the hot wallet.
  { currency: 'SOL', amount: '40', paid: '399', addresses: [8] },
  { currency: 'USDC', amount: '100', paid: '950', addresses: [5, 5] },
])('a payout of $currency empties $addresses deposit addresses in a transaction', async (row) => {
  const { currency, amount, paid } = row
  const shop = await openShop(service)
  const deposits = await payInvoices(shop, 10, currency, amount)
  const payout = await payOutTo(shop, 'solana', { currency, amount: paid })
  const done = await until(shop, payout, 'completed')
  expect(await arrivals(service, 'solana', payout.destination)).toMatchObject([{ hash: done.tx_hash }])
  const sweeps = (await plansOf('sweep', currency)).map(({ sources = [] }) => sources)
  expect(sweeps.map(({ length }) => length)).toEqual(row.addresses)
  expect(deposits).toEqual(expect.arrayContaining(sweeps.flat().map(({ address }) => address)))
  // The hot wallet pays: no address is given SOL, and none has any afterwards.
  expect(await plansOf('gas', 'SOL')).toEqual([])
  for (const { address } of sweeps.flat())
    expect(await service.app.gates.find('solana-test')?.nativeBalance?.(address)).toBe(0n)
})

it('more payouts than there are nonce accounts all arrive, and none holds two', async () => {
  const shop = await openShop(service)
  await shop.fund('30', 'SOL', 'solana')
  // Brings everything to the hot wallet first.
  await until(shop, await payOutTo(shop, 'solana', { currency: 'SOL', amount: '1' }), 'completed')
  const payouts: { id: string; network: string }[] = []
  for (let n = 0; n < 20; n++)
    payouts.push(await payOutTo(shop, 'solana', { currency: 'SOL', amount: '0.5' }))
  await expect
    .poll(async () =>
      (await Promise.all(payouts.map((payout) => shop.payout(payout)))).map(({ waiting_reason: why }) => why),
    )
    .toContainEqual(expect.stringMatching(/^No nonce account of the hot wallet is free/))
  for (const payout of payouts) await until(shop, payout, 'completed')
  const held = await query<{ count: number }>(
    service.database.url,
    `select count(*)::integer as count from spends where gate_id = 'solana-test' and status <> 'dead'
     group by nonce_account, nonce_value having nonce_account is not null and count(*) > 1`,
  )
  expect(held).toEqual([])
})
