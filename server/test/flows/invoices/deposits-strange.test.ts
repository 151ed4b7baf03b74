import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, settle } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

let transactions = 0
/** A transaction as any payer may send it, to any address; returns its hash once it was seen. */
async function send(
  gateId: string,
  outputs: { address: string; tag?: string | null; currency: string; units: bigint }[],
  { coin, feeUnits = 1n }: { coin?: string; feeUnits?: bigint } = {},
): Promise<string> {
  const family = gateId.split('-')[0]
  const digits = (++transactions).toString(16).padStart(64, '0')
  const hash = await service.app.store.simulatedChains.submit(gateId, {
    ...(coin !== undefined && { coin }),
    feeUnits,
    outputs: outputs.map(({ tag = null, ...output }) => ({ ...output, tag })),
    makeTransaction: () => ({
      hash: family === 'bitcoin' ? digits : family === 'xrp' ? digits.toUpperCase() : `0x${digits}`,
      bytes: null,
    }),
  })
  await settle(service, gateId)
  return hash
}

/** The payments of a transaction that belong to no invoice, with asset and reason. */
async function suspense(txHash: string) {
  return query(
    service.database.url,
    `select network, currency, units::text, suspense_reason as reason, coalesce(credited, false) as booked
     from payments left join payment_bookings on payment_id = payments.id where tx_hash = $1 and invoice_id is null`,
    [txHash],
  )
}

async function suspenseBalance(network: string, currency: string): Promise<bigint> {
  const rows = await query<{ units: string }>(
    service.database.url,
    `select balance_units::text as units from ledger_accounts
     where kind = 'suspense' and network = $1 and currency = $2`,
    [network, currency],
  )
  return BigInt(rows[0]?.units ?? 0)
}

it('a payment replaced in the mempool by one to another address is never credited', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const output = { address: invoice.deposit_address, currency: 'BTC', units: 1_000_000n }
  await send('bitcoin-test', [output], { coin: 'replaced' })
  expect((await shop.get(invoice)).amount_pending).toBe('0.01')
  await send('bitcoin-test', [{ ...output, address: 'elsewhere' }], { coin: 'replaced', feeUnits: 2n })
  await shop.mine(3)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'pending',
    amount_paid: '0',
    amount_pending: '0',
    payments: [{ status: 'reversed' }],
  })
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.payment_detected'])
  expect(await shop.balance('BTC')).toMatchObject({ available: '0', pending: '0' })
})

it('a payment replaced by one with a higher fee to the same address is credited once', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const output = { address: invoice.deposit_address, currency: 'BTC', units: 1_000_000n }
  await send('bitcoin-test', [output], { coin: 'bumped' })
  expect((await shop.get(invoice)).amount_pending).toBe('0.01')
  const bumped = await send('bitcoin-test', [output], { coin: 'bumped', feeUnits: 5n })
  await shop.mine(2)
  const after = await shop.get(invoice)
  expect(after).toMatchObject({ status: 'paid', amount_paid: '0.01', amount_overpaid: '0' })
  const statuses = after.payments.map(({ tx_hash, status }: { tx_hash: string; status: string }) => [
    tx_hash === bumped,
    status,
  ])
  expect(statuses.sort()).toEqual([
    [false, 'reversed'],
    [true, 'confirmed'],
  ])
})

it('a double spend in a reorganised block reverses the credit', async () => {
  const shop = await openShop(service)
  await shop.mine(3)
  const invoice = await shop.create()
  const txHash = await shop.pay(invoice, '0.01')
  await shop.mine(2)
  await shop.reorganise(2, [txHash])
  await send('bitcoin-test', [{ address: 'elsewhere', currency: 'BTC', units: 1n }])
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
})

it('dust goes to suspense and affects neither status, payments, events nor a cancellation', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const before = await suspenseBalance('bitcoin', 'BTC')
  const txHash = await shop.pay(invoice, '0.00000545')
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', payments: [] })
  expect(await suspense(txHash)).toEqual([
    { network: 'bitcoin', currency: 'BTC', units: '545', reason: 'dust', booked: true },
  ])
  expect(await suspenseBalance('bitcoin', 'BTC')).toBe(before + 545n)
  expect((await shop.cancel(invoice)).status).toBe(200)
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.cancelled'])
  expect(await shop.balance('BTC')).toBeUndefined()

  const least = await shop.create()
  await shop.pay(least, '0.00000546')
  expect((await shop.get(least)).payments).toHaveLength(1)
})

it('a reorganisation reverses suspense too, and it is booked again afterwards', async () => {
  const shop = await openShop(service)
  await shop.mine(3)
  const invoice = await shop.create()
  const before = await suspenseBalance('bitcoin', 'BTC')
  await shop.pay(invoice, '0.000001')
  await shop.mine(2)
  expect(await suspenseBalance('bitcoin', 'BTC')).toBe(before + 100n)
  await service.app.store.simulatedChains.reorganise('bitcoin-test', 2, [], { others: 'mempool' })
  await shop.reorganise(1)
  expect(await suspenseBalance('bitcoin', 'BTC')).toBe(before)
  await shop.mine(2)
  expect(await suspenseBalance('bitcoin', 'BTC')).toBe(before + 100n)
})

it('another currency at an invoice’s address is held in suspense', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'USDT', network: 'ethereum', amount: '10' })
  const txHash = await shop.deposit({ address: invoice.deposit_address, amount: '1', currency: 'ETH' })
  await shop.mine(12, 'ethereum')
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', payments: [] })
  expect(await suspense(txHash)).toEqual([
    { network: 'ethereum', currency: 'ETH', units: `${10n ** 18n}`, reason: 'wrong_currency', booked: true },
  ])
})

it('a payment to the same EVM address on another network is recognised and held in suspense', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'USDT', network: 'ethereum', amount: '10' })
  const txHash = await shop.deposit({
    address: invoice.deposit_address.toLowerCase(),
    amount: '10',
    currency: 'USDT',
    network: 'polygon',
  })
  await shop.mine(30, 'polygon')
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', payments: [] })
  expect(await suspense(txHash)).toEqual([
    { network: 'polygon', currency: 'USDT', units: '10000000', reason: 'wrong_network', booked: true },
  ])
  await shop.pay(invoice, '10')
  await shop.mine(12, 'ethereum')
  expect((await shop.get(invoice)).status).toBe('paid')
})

it.each([
  ['missing', null, 'missing_tag'],
  ['unknown', '4294967295', 'unknown_tag'],
  ['malformed', 'not a number', 'unknown_tag'],
])('XRP with a tag that is %s is held in suspense and credited to no merchant', async (_, tag, reason) => {
  const shop = await openShop(service)
  const invoice = await shop.create({ currency: 'XRP', amount: '20' })
  const before = await suspenseBalance('xrp', 'XRP')
  const txHash = await send('xrp-test', [
    { address: invoice.deposit_address, tag, currency: 'XRP', units: 20_000_000n },
  ])
  await shop.mine(1, 'xrp')
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0', payments: [] })
  expect(await suspense(txHash)).toMatchObject([{ units: '20000000', reason, booked: true }])
  expect(await suspenseBalance('xrp', 'XRP')).toBe(before + 20_000_000n)
  expect(await shop.balance('XRP')).toBeUndefined()
})

it('one transaction to invoices of several merchants pays each its own', async () => {
  const shops = [await openShop(service), await openShop(service)]
  const invoices = await Promise.all(shops.map((shop) => shop.create()))
  await send(
    'bitcoin-test',
    invoices.map(({ deposit_address }, at) => ({
      address: deposit_address,
      currency: 'BTC',
      units: 1_000_000n + BigInt(at),
    })),
  )
  await shops[0]?.mine(2)
  const seen = await Promise.all(shops.map(async (shop, at) => (await shop.get(invoices[at])).amount_paid))
  expect(seen).toEqual(['0.01', '0.01000001'])
})

/** Puts a payment into an old block that was already followed; a reorganisation then shows it for the first time. */
async function payInOldBlock(invoice: { id: string; deposit_address: string }, windowEnds: string) {
  const hash = await send('bitcoin-test', [{ address: 'elsewhere', currency: 'BTC', units: 1_000_000n }])
  const { database, app } = service
  const [block] = await query<{ height: string }>(
    database.url,
    `select height - 2 as height from simulated_chains where gate_id = 'bitcoin-test'`,
  )
  // In one statement, so that it never appears in the mempool.
  await query(
    database.url,
    `with paid as (update simulated_outputs set address = $3 where tx_hash = $1)
     update simulated_transactions set state = 'mined', height = $2 where hash = $1`,
    [hash, block?.height, invoice.deposit_address],
  )
  // From here on only the chain may change the invoice, so that nothing is decided before the payment is seen.
  await query(
    database.url,
    `update invoices set due_at = null, live_at = '2020-01-01', created_at = '2020-01-01', expires_at = (
       select date_trunc('milliseconds', mined_at) + $3::interval from simulated_blocks
       where gate_id = 'bitcoin-test' and height = $2)
     where id = $1`,
    [invoice.id, block?.height, windowEnds],
  )
  await app.store.simulatedChains.reorganise('bitcoin-test', 3, [])
}

it('a payment in a block of the window’s very last moment is in time, whenever we first see it', async () => {
  const shop = await openShop(service)
  await shop.mine(5)
  const invoice = await shop.create()
  await payInOldBlock(invoice, '0')
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', payments: [{ late: false }] })
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ])
})

it('a payment in a block a moment after the window is late', async () => {
  const shop = await openShop(service)
  await shop.mine(5)
  const invoice = await shop.create()
  await payInOldBlock(invoice, '-1 millisecond')
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'expired', payments: [{ late: true }] })
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'invoice.expired',
    'balance.credited',
    'invoice.late_deposit',
  ])
})

it('a payment seen in the mempool and mined in an earlier-dated block counts as seen at the block’s time', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  // Our clock and the window's end run ahead of the miner's.
  await query(
    service.database.url,
    `with seen as (update payments set seen_at = now() + interval '2 days' where invoice_id = $1)
     update invoices set expires_at = now() + interval '1 day' where id = $1`,
    [invoice.id],
  )
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', payments: [{ late: false }] })
})
