import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop, settle } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
  await (await openShop(service)).mine(110)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const gate = 'bitcoin-test'

/** An invoice paid by one deposit with this many confirmations; the events so far are consumed. */
async function paidInvoice(shop: Shop, confirmations: number, amount = '0.01') {
  const invoice = await shop.create()
  const txHash = await shop.pay(invoice, amount)
  await shop.mine(confirmations)
  await shop.told()
  return { ...invoice, txHash }
}

// In `npm run soak`.
const isEveryDepth = process.env.SLUICE_EVERY_REORGANISATION !== undefined

/** Replaces blocks in ways the helper cannot: their transactions return to the mempool, or are mined a block later. */
async function unmine(depth: number, others: 'mempool' | 'next_height') {
  await service.app.store.simulatedChains.reorganise(gate, depth, [], { others })
  await settle(service, gate)
}

it.each(isEveryDepth ? [1, 2, 6, 30, 100] : [1, 6, 100])(
  'a payment mined again at the same height after %i blocks were replaced changes nothing',
  async (depth) => {
    const shop = await openShop(service)
    const invoice = await paidInvoice(shop, Math.max(depth, 2))
    const before = await shop.get(invoice)
    await shop.reorganise(depth)
    const after = await shop.get(invoice)
    expect(after).toMatchObject({
      status: 'paid',
      updated_at: before.updated_at,
      payments: [{ ...before.payments[0], confirmations: before.payments[0].confirmations + 1 }],
    })
    expect(await shop.told()).toEqual([])
    expect(await shop.ledger('BTC')).toHaveLength(1)
  },
)

it.each(isEveryDepth ? [2, 6, 30, 100] : [2, 30])(
  'a payment that vanishes with %i replaced blocks is reversed exactly once, and its invoice awaits payment again',
  async (depth) => {
    const shop = await openShop(service, { feeBps: 100 })
    const invoice = await paidInvoice(shop, depth)
    await shop.reorganise(depth, [invoice.txHash])
    const after = await shop.get(invoice)
    expect(after).toMatchObject({
      status: 'pending',
      amount_paid: '0',
      amount_pending: '0',
      amount_due: '0.01',
      fee_amount: '0',
      paid_at: null,
      payment_uri: invoice.payment_uri,
    })
    expect(after.payments).toEqual([
      expect.objectContaining({
        status: 'reversed',
        confirmations: 0,
        block_height: null,
        confirmed_at: null,
      }),
    ])
    const events = await shop.events()
    expect(events.map(({ event }) => event)).toEqual(['invoice.deposit_reversed'])
    expect(events[0].data).toMatchObject({ id: invoice.id, status: 'pending', amount_paid: '0' })
    const ledger = await shop.ledger('BTC')
    expect(
      ledger.map(({ entry_type, direction, amount, balance_after }) => [
        entry_type,
        direction,
        amount,
        balance_after,
      ]),
    ).toEqual([
      ['deposit', 'credit', '0.01', '0.01'],
      ['fee', 'debit', '0.0001', '0.0099'],
      ['reversal', 'debit', '0.0099', '0'],
    ])
    expect(ledger[2].reference_id).toBe(invoice.id)
    expect(await shop.balance('BTC')).toMatchObject({ available: '0', total_received: '0', total_fees: '0' })

    await shop.reorganise(depth)
    await shop.mine(3)
    expect(await shop.told()).toEqual([])
    expect(await shop.ledger('BTC')).toHaveLength(3)
  },
)

it('an invoice whose payment vanishes after its window expires, and only the reversal is announced', async () => {
  const shop = await openShop(service)
  const invoice = await paidInvoice(shop, 2)
  await query(service.database.url, `update invoices set expires_at = live_at where id = $1`, [invoice.id])
  await shop.reorganise(2, [invoice.txHash])
  expect(await shop.get(invoice)).toMatchObject({ status: 'expired', amount_paid: '0' })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.late_deposit'])
})

it.each(['together', 'one after the other'])(
  'an invoice whose timely payment vanishes and whose late one confirms (%s) expires with a late deposit',
  async (how) => {
    const shop = await openShop(service)
    const invoice = await paidInvoice(shop, 2)
    await query(service.database.url, `update invoices set expires_at = live_at where id = $1`, [invoice.id])
    await query(
      service.database.url,
      `update payments set seen_at = (select live_at from invoices where id = $1) where invoice_id = $1`,
      [invoice.id],
    )
    await shop.pay(invoice, '0.01')
    await shop.mine(1)
    if (how === 'together') await shop.reorganise(3, [invoice.txHash])
    else {
      const { simulatedChains } = service.app.store
      await simulatedChains.reorganise(gate, 3, [invoice.txHash], { others: 'mempool' })
      await settle(service, gate)
      await shop.mine(2)
    }
    const { status, amount_paid, amount_due, amount_overpaid, payments } = await shop.get(invoice)
    expect({ status, amount_paid, amount_due, amount_overpaid }).toEqual({
      status: 'expired',
      amount_paid: '0.01',
      amount_due: '0.01',
      amount_overpaid: '0',
    })
    expect(payments).toMatchObject([{ status: 'reversed' }, { status: 'confirmed', late: true }])
    expect((await shop.told()).sort()).toEqual([
      'balance.credited',
      'invoice.deposit_reversed',
      'invoice.late_deposit',
    ])
    expect((await shop.ledger('BTC')).map(({ entry_type }) => entry_type)).toEqual([
      'deposit',
      'reversal',
      'late_deposit',
    ])
  },
)

it('a reversed invoice can be paid again, and invoice.paid is still sent only once', async () => {
  const shop = await openShop(service)
  const invoice = await paidInvoice(shop, 2)
  await shop.reorganise(2, [invoice.txHash])
  await shop.told()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'paid',
    amount_paid: '0.01',
    paid_at: expect.any(String),
  })
  expect(await shop.told()).toEqual(['invoice.payment_detected', 'balance.credited'])
  expect((await shop.balance('BTC')).available).toBe('0.01')
})

it('a payment that returns to the mempool and is mined again is reversed, then restored', async () => {
  const shop = await openShop(service, { feeBps: 100 })
  const invoice = await paidInvoice(shop, 2)
  await unmine(2, 'mempool')
  expect(await shop.get(invoice)).toMatchObject({
    status: 'pending',
    amount_paid: '0',
    amount_pending: '0.01',
    payments: [{ status: 'detected' }],
  })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({
    status: 'paid',
    amount_paid: '0.01',
    fee_amount: '0.0001',
    payments: [{ status: 'confirmed', tx_hash: invoice.txHash }],
  })
  const events = await shop.events()
  expect(events.map(({ event }) => event)).toEqual(['balance.credited', 'invoice.deposit_restored'])
  const ledger = await shop.ledger('BTC')
  expect(ledger.map(({ entry_type }) => entry_type)).toEqual(['deposit', 'fee', 'reversal', 'deposit', 'fee'])
  expect(events[0].data).toMatchObject({ ledger_entry_id: 4, available: '0.0099' })

  // Each further round is one reversal and one credit.
  await unmine(4, 'mempool')
  await shop.mine(2)
  expect(await shop.told()).toEqual([
    'invoice.deposit_reversed',
    'balance.credited',
    'invoice.deposit_restored',
  ])
  expect(await shop.ledger('BTC')).toHaveLength(8)
  expect((await shop.balance('BTC')).available).toBe('0.0099')
})

it('a payment back in the mempool after the window can still settle its invoice, which does not expire', async () => {
  const shop = await openShop(service)
  const invoice = await paidInvoice(shop, 2)
  await query(service.database.url, `update invoices set expires_at = clock_timestamp() where id = $1`, [
    invoice.id,
  ])
  await unmine(2, 'mempool')
  expect((await shop.get(invoice)).status).toBe('pending')
  await shop.mine(2)
  expect((await shop.get(invoice)).status).toBe('paid')
  expect(await shop.told()).toEqual([
    'invoice.deposit_reversed',
    'balance.credited',
    'invoice.deposit_restored',
  ])
})

it('an invoice that expired without its payment is paid again when the payment returns', async () => {
  const shop = await openShop(service)
  const invoice = await paidInvoice(shop, 2)
  await query(service.database.url, `update invoices set expires_at = clock_timestamp() where id = $1`, [
    invoice.id,
  ])
  await shop.reorganise(2, [invoice.txHash])
  expect((await shop.get(invoice)).status).toBe('expired')
  // The simulator drops transactions for good; a real network may bring them back.
  await query(service.database.url, `update simulated_transactions set state = 'waiting' where hash = $1`, [
    invoice.txHash,
  ])
  await shop.mine(2)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.01' })
  expect(await shop.told()).toEqual([
    'invoice.deposit_reversed',
    'balance.credited',
    'invoice.deposit_restored',
  ])
})

it('a payment moved to another height that is still deep enough changes nothing but the height', async () => {
  const shop = await openShop(service)
  const deep = await paidInvoice(shop, 3)
  const { payments: before } = await shop.get(deep)
  await unmine(3, 'next_height')
  expect((await shop.get(deep)).payments[0].block_height).toBe(before[0].block_height + 1)
  expect((await shop.get(deep)).status).toBe('paid')
  expect(await shop.told()).toEqual([])
  expect(await shop.ledger('BTC')).toHaveLength(1)
})

it('a late deposit is reversed and restored as a late deposit, and the status stays', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.expire(invoice)
  const txHash = await shop.pay(invoice, '0.01')
  await shop.mine(2)
  await shop.told()
  await unmine(2, 'mempool')
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
  expect(await shop.get(invoice)).toMatchObject({ status: 'expired', amount_paid: '0' })
  const height = await shop.mine(2)
  expect(await shop.told()).toEqual(['balance.credited', 'invoice.deposit_restored'])
  expect(await shop.get(invoice)).toMatchObject({
    status: 'expired',
    amount_paid: '0.01',
    payments: [{ late: true, status: 'confirmed', block_height: height - 1 }],
  })
  await shop.reorganise(2, [txHash])
  expect((await shop.ledger('BTC')).map(({ entry_type }) => entry_type)).toEqual([
    'late_deposit',
    'reversal',
    'late_deposit',
    'reversal',
  ])
  expect((await shop.balance('BTC')).available).toBe('0')
})

it('an invoice overpaid by two deposits is paid without one of them, and pending without both', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const [first, second] = [await shop.pay(invoice, '0.01'), await shop.pay(invoice, '0.01')]
  await shop.mine(2)
  expect((await shop.get(invoice)).status).toBe('overpaid')
  await shop.told()
  await shop.reorganise(2, [second])
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid', amount_paid: '0.01', amount_overpaid: '0' })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
  await shop.reorganise(3, [first])
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending', amount_paid: '0' })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
})

it('an invoice paid by two deposits is underpaid without one of them', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const [first] = [await shop.pay(invoice, '0.006'), await shop.pay(invoice, '0.004')]
  await shop.mine(2)
  await shop.told()
  await shop.reorganise(2, [first])
  expect(await shop.get(invoice)).toMatchObject({
    status: 'underpaid',
    amount_paid: '0.004',
    amount_due: '0.006',
  })
  expect(await shop.told()).toEqual(['invoice.deposit_reversed'])
})

it('an unconfirmed payment that is reorganised away was never credited, so nothing is reversed', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  const txHash = await shop.pay(invoice, '0.01')
  await shop.mine(1)
  await shop.reorganise(1, [txHash])
  expect(await shop.get(invoice)).toMatchObject({
    status: 'pending',
    amount_pending: '0',
    payments: [{ status: 'reversed' }],
  })
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.payment_detected'])
  expect(await shop.ledger('BTC')).toEqual([])
  // The payment was seen all the same: it may still arrive.
  expect((await shop.cancel(invoice)).status).toBe(409)
})

it('one reorganisation affects each merchant’s payment on its own', async () => {
  const shops = await Promise.all(Array.from({ length: 5 }, () => openShop(service)))
  const invoices = await Promise.all(shops.map((shop) => shop.create()))
  const hashes = await Promise.all(shops.map((shop, at) => shop.pay(invoices[at], '0.01')))
  const [first] = shops as [Shop]
  await first.mine(2)
  await first.reorganise(2, [hashes[0] as string])
  const statuses = await Promise.all(shops.map(async (shop, at) => (await shop.get(invoices[at])).status))
  expect(statuses).toEqual(['pending', 'paid', 'paid', 'paid', 'paid'])
})

it('random reorganisations with payments in between leave sound books', async () => {
  const shop = await openShop(service, { feeBps: 150 })
  const invoice = await shop.create({ currency: 'BTC', amount: '0.05' })
  let seed = 20_250_101
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const kinds = ['mempool', 'next_height', 'same_height'] as const
  for (let round = 0; round < 12; round++) {
    await shop.pay(invoice, `0.0${1 + random(9)}`)
    if (random(3) > 0) await shop.mine(1 + random(3))
    await service.app.store.simulatedChains.reorganise(gate, 1 + random(6), [], {
      others: kinds[random(3)] ?? 'mempool',
    })
  }
  await shop.mine(3)
  const { payments } = await shop.get(invoice)
  expect(payments).toHaveLength(12)
  expect(payments.every(({ status }: { status: string }) => status === 'confirmed')).toBe(true)
})
