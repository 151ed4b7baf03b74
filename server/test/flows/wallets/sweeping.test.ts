import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hotKey } from '../../../src/domain/spends.ts'
import { query } from '../../support/database/database.ts'
import {
  arrivals,
  breakable,
  expectCleanBooks,
  gateOf,
  newAddress,
  payOutTo,
  signOutside,
  until,
  untilSettled,
} from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const sql = (text: string, values: readonly unknown[] = []) => query(service.database.url, text, values)

async function invoices(shop: Shop, count: number, currency: string, amount: string) {
  const made = []
  for (let n = 0; n < count; n++) {
    const invoice = await shop.create({ currency, network: 'ethereum', amount })
    await shop.pay(invoice, amount)
    made.push(invoice)
  }
  await shop.mine(12, 'ethereum')
  return Promise.all(made.map((invoice) => shop.get(invoice)))
}

const spends = async (kind: string) =>
  sql(
    `select id, fee_units::text as fee, from_address, status,
       (select plan->'to'->>'address' from spend_transactions where spend_id = id and attempt = 1) as to_address
     from spends where kind = $1 and gate_id = 'ethereum-test' order by id`,
    [kind],
  )

/** The balance of a platform account, in units. */
async function platform(kind: string): Promise<bigint> {
  const [row] = await sql(
    `select coalesce(sum(balance_units), 0)::text as units from ledger_accounts
     where kind = $1 and currency = 'ETH' and network = 'ethereum'`,
    [kind],
  )
  return BigInt(row?.units)
}

it('a payout that needs the deposits of twelve invoices sweeps them all and leaves the invoices unchanged', async () => {
  const shop = await openShop(service)
  const before = await invoices(shop, 12, 'ETH', '2')
  const payments = (await sql('select count(*)::int as n from payments'))[0]?.n
  await shop.told()
  const payout = await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '23.9' })
  await expect
    .poll(async () => (await shop.payout(payout)).waiting_reason)
    .toContain('being swept from deposit addresses into the hot wallet')
  const done = await until(shop, payout, 'completed')
  expect(await arrivals(service, 'ethereum', payout.destination)).toMatchObject([
    { hash: done.tx_hash, units: 23_900_000_000_000_000_000n },
  ])
  await untilSettled(service, 'ethereum')
  const sweeps = await spends('sweep')
  expect(new Set(sweeps.map(({ from_address }) => from_address))).toEqual(
    new Set(before.map(({ deposit_address }) => deposit_address)),
  )
  const hot = gateOf(service, 'ethereum').spending
  expect(new Set(sweeps.map(({ to_address }) => to_address))).toEqual(
    new Set([hot.kind === 'account' ? hot.hotAddress : null]),
  )

  // Our own transfers are no payments: only the sandbox's gas came in as well.
  const [after] = await sql(
    `select count(*)::int as n, count(*) filter (where suspense_reason = 'operator_float')::int as gas from payments`,
  )
  expect(after).toEqual({ n: payments + (after?.gas ?? 0), gas: 1 })
  expect(await Promise.all(before.map((invoice) => shop.get(invoice)))).toEqual(
    before.map((invoice) => ({
      ...invoice,
      payments: invoice.payments.map((payment: object) => ({
        ...payment,
        confirmations: expect.any(Number),
      })),
    })),
  )
  expect((await shop.told()).filter((event) => event.startsWith('invoice.'))).toEqual([])

  // The operator, not the merchant, pays for transfers between our own addresses.
  const gas = sweeps.reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  const given = 100n * 10n ** 18n
  expect(gas).toBeGreaterThan(0n)
  expect(await platform('float')).toBe(given - gas)
  const { available, total_fees } = await shop.balance('ETH')
  expect(total_fees).toBe(done.network_fee)
  expect(Number(available)).toBeCloseTo(24 - 23.9 - Number(done.network_fee), 9)
})

it('a later deposit to a swept address is credited, and swept again when it is needed', async () => {
  const shop = await openShop(service)
  const [invoice] = await invoices(shop, 1, 'ETH', '150')
  const first = await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '149' })
  await until(shop, first, 'completed')
  const swept = (await spends('sweep')).length
  await shop.pay(invoice, '200')
  await shop.mine(12, 'ethereum')
  expect(await shop.get(invoice)).toMatchObject({ status: 'overpaid', amount_paid: '350' })
  const second = await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '199' })
  const done = await until(shop, second, 'completed')
  expect(await arrivals(service, 'ethereum', second.destination)).toMatchObject([{ hash: done.tx_hash }])
  const again = (await spends('sweep')).slice(swept)
  expect(again.map(({ from_address }) => from_address)).toContain(invoice.deposit_address)
  expect((await shop.get(invoice)).amount_paid).toBe('350')
})

it('the operator’s float pays the gas that a token’s deposit address needs for its sweep', async () => {
  const shop = await openShop(service)
  const float = await platform('float')
  const known = { sweep: (await spends('sweep')).length, payout: (await spends('payout')).length }
  const before = await invoices(shop, 4, 'USDT', '100')
  const payout = await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '399' })
  const done = await until(shop, payout, 'completed')
  expect(await arrivals(service, 'ethereum', payout.destination)).toEqual([
    { hash: done.tx_hash, units: 399_000_000n, currency: 'USDT' },
  ])
  await untilSettled(service, 'ethereum')
  const gas = await spends('gas')
  expect(gas.map(({ to_address }) => to_address).sort()).toEqual(
    before.map(({ deposit_address }) => deposit_address).sort(),
  )
  expect(gas.every(({ status }) => status === 'final')).toBe(true)
  // No sweep is sent before its gas has arrived.
  const early = await sql(
    `select sweep.id from spends as sweep join spends as gas on gas.id = sweep.after_spend_id
     join spend_transactions as t on t.spend_id = sweep.id where t.sent_at < gas.ended_at`,
  )
  expect(early).toEqual([])
  const costs = [
    ...gas,
    ...(await spends('sweep')).slice(known.sweep),
    ...(await spends('payout')).slice(known.payout),
  ].reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  expect(await platform('float')).toBe(float - costs)
  // Gas that arrives at a deposit address is no payment either.
  for (const invoice of before) expect((await shop.get(invoice)).payments).toHaveLength(1)
})

it('gas whose nonce was used outside Sluice is sent again, and the sweep continues', async () => {
  const shop = await openShop(service)
  await invoices(shop, 1, 'USDT', '100')
  const known = (await spends('gas')).length
  const gate = gateOf(service, 'ethereum')
  const { broadcast } = gate
  const node = breakable(service, 'ethereum')
  try {
    node.always('broadcast', 'refuses')
    const payout = await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '99' })
    await expect.poll(async () => (await spends('gas')).length).toBe(known + 1)
    const to = { address: await newAddress('ethereum'), tag: null }
    const signed = await signOutside(service, 'ethereum', { key: hotKey, to, units: 1n })
    expect(await broadcast(signed)).toBeNull()
    // It is given up only once the transaction that took its nonce has the depth of a confirmed payment.
    await shop.mine(12, 'ethereum')
    node.always('broadcast', null)
    await until(shop, payout, 'completed')
    await untilSettled(service, 'ethereum')
    const gas = (await spends('gas')).slice(known)
    expect(gas.map(({ status }) => status)).toEqual(['dead', 'final'])
    expect(await arrivals(service, 'ethereum', payout.destination)).toHaveLength(1)
  } finally {
    node.mend()
  }
})
