import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createEmptyDatabase,
  query,
  type TestDatabase,
} from '../../../server/test/support/database/database.ts'
import { freePort } from '../../../server/test/support/servers/free-port.ts'
import { type EngineProcess, startEngine } from '../../test/engine-process.ts'
import { openAtSluice, type ShopAtSluice } from '../../test/shop-at-sluice.ts'
import { VendureShop } from './vendure-shop.ts'

const password = 'only here'
const refundTo = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
let database: TestDatabase
let sluice: ShopAtSluice
let engine: EngineProcess
let vendure: VendureShop
let hookUrl = ''

beforeAll(async () => {
  const port = await freePort()
  hookUrl = `http://127.0.0.1:${port}/payments/sluice`
  database = await createEmptyDatabase()
  sluice = await openAtSluice(hookUrl)
  engine = await startEngine('vendure', {
    port,
    password,
    databaseUrl: database.url,
    sluice: { ...sluice.settings, redirectUrl: 'https://shop.example.com/thanks' },
  })
  vendure = new VendureShop(`http://127.0.0.1:${port}`)
  await vendure.stock(password)
})

afterAll(async () => {
  await engine?.stop()
  await sluice?.stop()
  await database?.drop()
})

/** Sends a webhook by hand, and returns the status of the answer. */
async function send({ body, headers }: { body: string; headers: Record<string, string> }): Promise<number> {
  return (await fetch(hookUrl, { method: 'POST', headers, body })).status
}

it('a paid invoice settles the payment and places the order, once, however often it is told', async () => {
  const checkout = await vendure.checkOut()
  const before = await checkout.order()
  const [payment] = before.payments
  expect([before.state, payment.state]).toEqual(['ArrangingPayment', 'AwaitingPayment'])
  const invoice = await sluice.shop.get({ id: payment.transactionId })
  // 12.34 with 20 % tax, and 5.00 for the post.
  expect(invoice).toMatchObject({ amount_fiat: '19.81', fiat_currency: 'USD', external_id: before.code })
  expect(payment.metadata.public.checkoutUrl).toBe(invoice.checkout_url)

  await sluice.pay(invoice.id)
  const seen = await sluice.webhook('invoice.paid', invoice)
  expect(await send(seen), 'an event that claims more than is true').toBe(200)
  expect((await checkout.order()).state).toBe('ArrangingPayment')

  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  expect((await checkout.payment()).state).toBe('Settled')
  const settled = await checkout.order()
  for (const event of ['invoice.paid', 'invoice.payment_detected', 'invoice.paid'])
    expect(await send(await sluice.webhook(event, invoice))).toBe(200)
  expect(await checkout.order()).toEqual(settled)
})

it('an underpaid order is not placed, and the rest places it', async () => {
  const checkout = await vendure.checkOut()
  const { transactionId } = await checkout.payment()
  await sluice.pay(transactionId, { numerator: 1n, denominator: 2n })
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.payment()).metadata.public.status).toBe('underpaid')
  expect((await checkout.order()).state).toBe('ArrangingPayment')
  expect((await checkout.payment()).state).toBe('AwaitingPayment')
  const declined = await checkout.pay()
  expect(declined.paymentErrorMessage).toContain('A payment for this order was seen')
  // More than the rest: overpaid is paid, and the order's amount is what is settled.
  await sluice.pay(transactionId, { numerator: 3n, denominator: 4n })
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  expect(await sluice.shop.get({ id: transactionId })).toMatchObject({ status: 'overpaid' })
  const settled = (await checkout.order()).payments.filter(
    (each: { state: string }) => each.state === 'Settled',
  )
  expect(settled).toMatchObject([{ amount: 1981, transactionId }])
})

it('a forged webhook is refused and changes nothing', async () => {
  const checkout = await vendure.checkOut()
  const before = await checkout.order()
  const invoice = { id: before.payments[0].transactionId, status: 'paid' }
  const forged = await sluice.webhook('invoice.paid', invoice, `whsec_${btoa('x'.repeat(32))}`)
  expect(await send(forged)).toBe(400)
  expect(await send({ body: '{}', headers: { 'content-type': 'application/json' } })).toBe(400)
  const genuine = await sluice.webhook('invoice.paid', invoice)
  expect(await send({ ...genuine, body: genuine.body.replace('paid', 'paid ') })).toBe(400)
  expect(await checkout.order()).toEqual(before)
})

it('an order has one invoice that can be paid: a second attempt cancels the first', async () => {
  const checkout = await vendure.checkOut()
  const first = await checkout.payment()
  expect(await checkout.pay()).toMatchObject({ __typename: 'Order' })
  const second = await checkout.payment()
  expect(second.transactionId).not.toBe(first.transactionId)
  expect(second.amount).toBe(1981)
  expect((await sluice.shop.get({ id: first.transactionId })).status).toBe('cancelled')
  const statesOf = async () =>
    (await checkout.order()).payments.map((each: { state: string }) => each.state).sort()
  await expect.poll(statesOf).toEqual(['AwaitingPayment', 'Cancelled'])
})

it('two requests at once for a payment share one invoice, which settles one payment', async () => {
  const checkout = await vendure.checkOut()
  expect(await checkout.pay()).toMatchObject({ __typename: 'Order' })
  await Promise.all([checkout.pay(), checkout.pay()])
  const { payments } = await checkout.order()
  const open = payments.filter((each: { state: string }) => each.state === 'AwaitingPayment')
  const invoices = new Set<string>(open.map((each: { transactionId: string }) => each.transactionId))
  expect(invoices.size).toBeLessThanOrEqual(2)
  const { transactionId } = await checkout.payment()
  await sluice.pay(transactionId)
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  const settled = (await checkout.order()).payments.filter(
    (each: { state: string }) => each.state === 'Settled',
  )
  expect(settled).toHaveLength(1)
  const count = async () =>
    (await checkout.order()).payments.filter((each: { state: string }) => each.state === 'AwaitingPayment')
      .length
  await expect.poll(count).toBe(0)
})

it('money that a reorganisation takes away is noted on the order', async () => {
  const checkout = await vendure.checkOut()
  const { transactionId } = await checkout.payment()
  await sluice.pay(transactionId)
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  const [{ tx_hash: hash }] = (await sluice.shop.get({ id: transactionId })).payments
  await sluice.shop.reorganise(2, [hash])
  const notes = async () =>
    (await checkout.order()).history.items
      .filter((each: { type: string }) => each.type === 'ORDER_NOTE')
      .map((each: { data: { note: string } }) => each.data.note)
  await expect.poll(notes).toEqual([expect.stringContaining('no longer on the chain')])
  expect((await checkout.payment()).state).toBe('Settled')
})

it('an expired invoice ends the payment, and staff can cancel an unpaid one', async () => {
  const expired = await vendure.checkOut()
  const { transactionId } = await expired.payment()
  await sluice.shop.activate({ id: transactionId }, { currency: 'BTC' })
  await sluice.shop.expire({ id: transactionId })
  await expect.poll(async () => (await expired.payment()).state).toBe('Declined')
  expect((await expired.pay()).__typename, 'it can be paid with a new invoice').toBe('Order')
  expect(await expired.payment()).toMatchObject({ state: 'AwaitingPayment', amount: 1981 })

  const cancelled = await vendure.checkOut()
  const payment = await cancelled.payment()
  await vendure.admin.ask('mutation ($id: ID!) { cancelPayment(id: $id) { __typename } }', { id: payment.id })
  expect((await cancelled.payment()).state).toBe('Cancelled')
  expect((await sluice.shop.get({ id: payment.transactionId })).status).toBe('cancelled')
})

/** What the scheduler does every ten minutes. */
const followOpen = () =>
  vendure.admin.ask('mutation { runScheduledTask(id: "sluice-follow-open-payments") { success } }')

it('a refund from the admin waits for its address, its approval and its chain', async () => {
  const checkout = await vendure.checkOut()
  const payment = await checkout.payment()
  await sluice.pay(payment.transactionId)
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  const refund = () => checkout.refund(payment.id, 1000)
  const without = await refund()
  expect(without.errors?.[0]?.message).toContain('/dashboard/')
  expect((await checkout.payment()).refunds).toEqual([])

  await checkout.refundTo(refundTo)
  await refund()
  const [pending] = (await checkout.payment()).refunds
  expect(pending).toMatchObject({ state: 'Pending', total: 1000 })
  expect(pending.metadata.approveAt).toContain(`/invoices/${payment.transactionId}`)

  const invoice = await sluice.shop.get({ id: payment.transactionId })
  const row = (await sluice.shop.expect(200, 'getRefund', { path: { refundID: pending.transactionId } })).body
    .data
  expect(row).toMatchObject({ invoice_id: invoice.id, destination: refundTo, status: 'pending' })
  expect((await sluice.shop.approve({ id: row.payout_id })).status).toBe(200)
  await expect
    .poll(async () => {
      await sluice.shop.mine(1)
      return (await checkout.payment()).refunds[0].state
    })
    .toBe('Settled')
})

it('a refund that is rejected in Sluice fails, and can be made again', async () => {
  const checkout = await vendure.checkOut()
  const payment = await checkout.payment()
  await sluice.pay(payment.transactionId)
  await sluice.shop.mine(2)
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  await checkout.refundTo(refundTo)
  await checkout.refund(payment.id, 1000)
  const [pending] = (await checkout.payment()).refunds
  const path = { refundID: pending.transactionId }
  const { payout_id: payoutID } = (await sluice.shop.expect(200, 'getRefund', { path })).body.data
  await sluice.shop.expect(200, 'rejectTestPayout', { path: { payoutID } })
  await followOpen()
  await expect.poll(async () => (await checkout.payment()).refunds[0].state).toBe('Failed')
  await checkout.refund(payment.id, 1000)
  const states = (await checkout.payment()).refunds.map((each: { state: string }) => each.state)
  expect(states.sort()).toEqual(['Failed', 'Pending'])
})

it('payments whose webhooks are lost are found, also behind one whose invoice belongs to an earlier connection', async () => {
  const stranded = await vendure.checkOut()
  const { id } = await stranded.payment()
  await query(database.url, 'update payment set "transactionId" = $1 where id = $2', [
    crypto.randomUUID(),
    id,
  ])
  const checkout = await vendure.checkOut()
  const { transactionId } = await checkout.payment()
  for (const endpoint of (await sluice.shop.expect(200, 'listWebhookEndpoints')).body.data)
    await sluice.shop.expect(200, 'deleteWebhookEndpoint', { path: { endpointID: endpoint.id } })
  await sluice.pay(transactionId)
  await sluice.shop.mine(2)
  await followOpen()
  await expect.poll(async () => (await checkout.order()).state).toBe('PaymentSettled')
  // The order that is left can be paid under the new connection.
  expect((await stranded.pay()).__typename).toBe('Order')
  expect((await stranded.payment()).transactionId).not.toBe(id)
})
