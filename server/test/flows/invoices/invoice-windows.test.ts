import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

it('an invoice expires when its window ends, and invoice.expired is sent once', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  expect(await shop.expire(invoice)).toMatchObject({
    status: 'expired',
    amount_due: '0.01',
    payment_uri: null,
  })
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.expired'])
  const again = await shop.call('expireTestInvoice', { path: { invoiceID: invoice.id } })
  expect(again.status).toBe(409)
})

it('an underpaid invoice expires too, and keeps the amount paid', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.004')
  await shop.mine(2)
  await shop.told()
  expect(await shop.expire(invoice)).toMatchObject({ status: 'expired', amount_paid: '0.004' })
  expect(await shop.told()).toEqual(['invoice.expired'])
  expect((await shop.balance('BTC')).available).toBe('0.004')
})

it('a payment seen in time delays the expiry and settles the invoice, however long it takes', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  expect(await shop.expire(invoice)).toMatchObject({ status: 'pending' })
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'pending' })
  await shop.mine(1)
  expect(await shop.get(invoice)).toMatchObject({ status: 'paid' })
  expect((await shop.told()).slice(-2)).toEqual(['balance.credited', 'invoice.paid'])
})

it('a payment seen in time that is too small does not delay the expiry', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.pay(invoice, '0.004')
  expect(await shop.expire(invoice)).toMatchObject({ status: 'expired', amount_pending: '0.004' })
  await shop.mine(2)
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'invoice.expired',
    'balance.credited',
    'invoice.late_deposit',
  ])
})

it.each(['expired', 'cancelled'])(
  'a deposit to an invoice that is %s is booked as late and does not change the status',
  async (status) => {
    const shop = await openShop(service)
    const invoice = await shop.create()
    if (status === 'expired') await shop.expire(invoice)
    else expect((await shop.cancel(invoice)).body.data).toMatchObject({ status: 'cancelled' })
    await shop.told()
    await shop.pay(invoice, '0.01')
    expect(await shop.told()).toEqual([])
    await shop.mine(2)
    const after = await shop.get(invoice)
    expect(after).toMatchObject({ status, amount_paid: '0.01', amount_overpaid: '0', paid_at: null })
    expect(after.payments).toEqual([expect.objectContaining({ late: true, status: 'confirmed' })])
    const events = await shop.events()
    expect(events.map(({ event }) => event)).toEqual(['balance.credited', 'invoice.late_deposit'])
    expect(events[0].data).toMatchObject({ entry_type: 'late_deposit', available: '0.01' })
    expect(await shop.ledger('BTC')).toEqual([
      expect.objectContaining({ entry_type: 'late_deposit', direction: 'credit', reference_id: invoice.id }),
    ])
  },
)

it('an invoice can be cancelled only while it is pending without a payment, and only once', async () => {
  const shop = await openShop(service)
  const fresh = await shop.create()
  const answer = await shop.call('cancelInvoice', { path: { invoiceID: fresh.id }, json: {} })
  expect(answer.body.data).toMatchObject({ status: 'cancelled', cancelled_at: expect.any(String) })
  expect(await shop.told()).toEqual(['invoice.confirming', 'invoice.cancelled'])
  expect((await shop.cancel(fresh)).status).toBe(409)

  const seen = await shop.create()
  await shop.pay(seen, '0.0001')
  expect((await shop.cancel(seen)).body.error.code).toBe('conflict')
  await shop.mine(2)
  expect((await shop.get(seen)).status).toBe('underpaid')
  expect((await shop.cancel(seen)).status).toBe(409)
  await shop.pay(seen, '0.0099')
  await shop.mine(2)
  expect((await shop.cancel(seen)).status).toBe(409)

  const expired = await shop.create()
  await shop.expire(expired)
  expect((await shop.cancel(expired)).status).toBe(409)
  expect((await shop.told()).filter((name) => name === 'invoice.cancelled')).toEqual([])
})
