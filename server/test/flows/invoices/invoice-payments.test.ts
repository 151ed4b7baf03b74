import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

it('a payment is detected, confirms block by block, and pays the invoice at the required depth', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  expect(await shop.told()).toEqual(['invoice.confirming'])

  const txHash = await shop.pay(invoice, '0.01')
  const detected = await shop.get(invoice)
  expect(detected).toMatchObject({
    status: 'pending',
    amount_paid: '0',
    amount_pending: '0.01',
    amount_due: '0.01',
    paid_at: null,
  })
  expect(detected.payments).toEqual([
    expect.objectContaining({
      tx_hash: txHash,
      output_index: 0,
      currency: 'BTC',
      network: 'bitcoin',
      amount: '0.01',
      confirmations: 0,
      required_confirmations: 2,
      status: 'detected',
      late: false,
      block_height: null,
      confirmed_at: null,
    }),
  ])
  const [seen, ...none] = await shop.events()
  expect(none).toEqual([])
  expect(seen.event).toBe('invoice.payment_detected')
  expect(seen.data).toMatchObject({ id: invoice.id, status: 'pending', amount_pending: '0.01' })
  expect(await shop.balance('BTC')).toMatchObject({ available: '0', pending: '0.01', total_received: '0' })

  const height = await shop.mine(1)
  expect((await shop.get(invoice)).payments).toEqual([
    expect.objectContaining({ status: 'confirming', confirmations: 1, block_height: height }),
  ])
  expect(await shop.told()).toEqual([])

  await shop.mine(1)
  const paid = await shop.get(invoice)
  expect(paid).toMatchObject({
    status: 'paid',
    amount_paid: '0.01',
    amount_pending: '0',
    amount_due: '0',
    amount_overpaid: '0',
    payment_uri: null,
    paid_at: expect.any(String),
  })
  expect(paid.payments).toEqual([
    expect.objectContaining({
      status: 'confirmed',
      confirmations: 2,
      block_height: height,
      confirmed_at: expect.any(String),
    }),
  ])
  const [credited, told, ...more] = await shop.events()
  expect(more).toEqual([])
  const [entry] = await shop.ledger('BTC')
  expect(credited).toMatchObject({
    event: 'balance.credited',
    data: {
      currency: 'BTC',
      network: 'bitcoin',
      amount: '0.01',
      entry_type: 'deposit',
      ledger_entry_id: entry.id,
      invoice_id: invoice.id,
      available: '0.01',
    },
  })
  const { payments: _, updated_at: __, ...shown } = paid
  expect(told.event).toBe('invoice.paid')
  expect(told.data).toMatchObject(shown)

  await shop.mine(3)
  expect((await shop.get(invoice)).payments[0].confirmations).toBe(5)
  expect(await shop.told()).toEqual([])
})

it('a short payment makes the invoice underpaid, and a second one tops it up to paid', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.004')
  await shop.mine(2)
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.underpaid',
  ])
  const underpaid = await shop.get(invoice)
  expect(underpaid).toMatchObject({
    status: 'underpaid',
    amount_paid: '0.004',
    amount_due: '0.006',
    paid_at: null,
  })
  expect(underpaid.payment_uri).toBe(`bitcoin:${invoice.deposit_address}?amount=0.006`)

  await shop.pay(invoice, '0.006')
  expect(await shop.get(invoice)).toMatchObject({ status: 'underpaid', amount_pending: '0.006' })
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.01', amount_due: '0' })
  expect(await shop.told()).toEqual(['invoice.payment_detected', 'balance.credited', 'invoice.paid'])
})

it('an invoice is not underpaid while an unconfirmed payment may still settle it', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.004')
  await shop.mine(1)
  await shop.pay(invoice, '0.006')
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'pending',
    amount_paid: '0.004',
    amount_pending: '0.006',
  })
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'invoice.payment_detected',
    'balance.credited',
  ])
  await shop.mine(1)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.paid'])
})

it('an invoice stays underpaid while further payments are still too small', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  for (const amount of ['0.001', '0.002']) {
    await shop.pay(invoice, amount)
    await shop.mine(2)
  }
  expect(await shop.get(invoice)).toMatchObject({ status: 'underpaid', amount_paid: '0.003' })
  expect((await shop.told()).slice(1)).toEqual([
    'invoice.payment_detected',
    'balance.credited',
    'invoice.underpaid',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.underpaid',
  ])
})

it('an overpayment at once sends invoice.paid first, then invoice.overpaid', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.015')
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'overpaid',
    amount_paid: '0.015',
    amount_overpaid: '0.005',
    amount_due: '0',
    payment_uri: null,
  })
  const events = await shop.events()
  expect(events.map(({ event }) => event)).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
    'invoice.overpaid',
  ])
  expect(events[3].data.status).toBe('overpaid')
})

it('a further deposit makes a paid invoice overpaid, and invoice.paid is not sent again', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  const { paid_at } = await shop.get(invoice)
  await shop.told()
  await shop.pay(invoice, '0.002')
  // No payment is awaited any more, so first sight sends no event; it shows in the amounts.
  expect(await shop.told()).toEqual([])
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_pending: '0.002' })
  await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.overpaid'])
  expect(await shop.get(invoice)).toMatchObject({ status: 'overpaid', amount_overpaid: '0.002', paid_at })
  await shop.pay(invoice, '0.001')
  await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.overpaid'])
  expect(await shop.get(invoice)).toMatchObject({ status: 'overpaid', amount_overpaid: '0.003', paid_at })
})

it('a further deposit after the window of a paid invoice is an overpayment, not a late deposit', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.expire(invoice)
  await shop.mine(2)
  await shop.told()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.overpaid'])
  expect((await shop.ledger('BTC')).map(({ entry_type }) => entry_type)).toEqual(['deposit', 'deposit'])
})

it('the tolerance is deducted from the amount and rounded up, and one unit less is underpaid', async () => {
  const shop = await openShop(service, { toleranceBps: 1 })
  // 0.00123456 less one basis point is 0.001234436544 BTC: at least 123444 units settle it.
  const paid = await shop.create({ currency: 'BTC', amount: '0.00123456' })
  const short = await shop.create({ currency: 'BTC', amount: '0.00123456' })
  await shop.pay(paid, '0.00123444')
  await shop.pay(short, '0.00123443')
  await shop.mine(2)
  expect(await shop.get(paid)).toMatchObject({
    status: 'paid',
    amount_paid: '0.00123444',
    amount_due: '0',
    amount_overpaid: '0',
  })
  expect(await shop.get(short)).toMatchObject({ status: 'underpaid', amount_due: '0.00000013' })
})

it('two outputs of one transaction are two payments and one payment_detected event', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const to = (units: bigint) => ({
    address: invoice.deposit_address as string,
    tag: null,
    currency: 'BTC',
    units,
  })
  const hash = await service.app.store.simulatedChains.submit('bitcoin-test', {
    feeUnits: 1n,
    outputs: [to(300_000n), { ...to(5n), address: 'somebody else' }, to(700_000n)],
    makeTransaction: () => ({ hash: 'ab'.repeat(32), bytes: null }),
  })
  await shop.mine(2)
  const { status, payments } = await shop.get(invoice)
  expect(status).toBe('paid')
  expect(payments).toEqual([
    expect.objectContaining({ tx_hash: hash, output_index: 0, amount: '0.003' }),
    expect.objectContaining({ tx_hash: hash, output_index: 2, amount: '0.007' }),
  ])
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'balance.credited',
    'invoice.paid',
  ])
})

it('the deposits of two concurrent payers are both credited', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await Promise.all([shop.pay(invoice, '0.01'), shop.pay(invoice, '0.01')])
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'overpaid', amount_paid: '0.02' })
  expect((await shop.told()).slice(-4)).toEqual([
    'balance.credited',
    'balance.credited',
    'invoice.paid',
    'invoice.overpaid',
  ])
  expect((await shop.balance('BTC')).available).toBe('0.02')
})

it('the platform’s fee is taken from every credit, rounded down, in an entry of its own', async () => {
  const shop = await openShop(service, { feeBps: 33 })
  const invoice = await shop.create({ currency: 'BTC', amount: '0.00012345' })
  await shop.pay(invoice, '0.00012345')
  await shop.mine(2)
  // 12345 units × 33 / 10000 = 40.7385
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', fee_amount: '0.0000004' })
  expect(await shop.ledger('BTC')).toEqual([
    expect.objectContaining({
      id: 1,
      entry_type: 'deposit',
      amount: '0.00012345',
      balance_after: '0.00012345',
    }),
    expect.objectContaining({
      id: 2,
      entry_type: 'fee',
      direction: 'debit',
      amount: '0.0000004',
      balance_after: '0.00012305',
      reference_id: invoice.id,
    }),
  ])
  expect(await shop.balance('BTC')).toMatchObject({
    available: '0.00012305',
    total_received: '0.00012345',
    total_fees: '0.0000004',
  })
  const credited = (await shop.events()).find(({ event }) => event === 'balance.credited')
  expect(credited.data).toMatchObject({ amount: '0.00012345', ledger_entry_id: 1, available: '0.00012305' })
})

it('an invoice keeps the terms it was created with', async () => {
  const shop = await openShop(service, { feeBps: 100, toleranceBps: 100 })
  const invoice = await shop.create()
  await query(
    service.database.url,
    'update merchants set fee_bps = 0, underpayment_tolerance_bps = 0 where id = $1',
    [shop.merchantId],
  )
  await shop.pay(invoice, '0.0099')
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', fee_amount: '0.000099' })
})
