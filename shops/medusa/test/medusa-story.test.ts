import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createEmptyDatabase,
  query,
  type TestDatabase,
} from '../../../server/test/support/database/database.ts'
import { freePort } from '../../../server/test/support/servers/free-port.ts'
import { type EngineProcess, startEngine } from '../../test/engine-process.ts'
import { openAtSluice, type ShopAtSluice } from '../../test/shop-at-sluice.ts'
import { type MedusaFacts, MedusaShop } from './medusa-shop.ts'

const refundTo = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
let database: TestDatabase
let sluice: ShopAtSluice
let engine: EngineProcess
let medusa: MedusaShop
let facts: MedusaFacts
let hookUrl = ''

beforeAll(async () => {
  const port = await freePort()
  hookUrl = `http://127.0.0.1:${port}/hooks/payment/sluice_sluice`
  database = await createEmptyDatabase()
  sluice = await openAtSluice(hookUrl)
  engine = await startEngine('medusa', {
    port,
    password: 'only here',
    databaseUrl: database.url,
    sluice: { ...sluice.settings, redirectUrl: 'https://shop.example.com/thanks' },
  })
  facts = engine.facts as MedusaFacts
  medusa = new MedusaShop(`http://127.0.0.1:${port}`, facts)
})

afterAll(async () => {
  await engine?.stop()
  await sluice?.stop()
  await database?.drop()
})

const invoiceOf = ({ session }: { session: { data: { invoice_id: string } } }) => ({
  id: session.data.invoice_id,
})

async function send({ body, headers }: { body: string; headers: Record<string, string> }): Promise<number> {
  return (await fetch(hookUrl, { method: 'POST', headers, body })).status
}

/** Until Medusa, which answers before it looks, has looked at everything it was sent. */
async function looked(): Promise<void> {
  const other = await medusa.checkOut()
  await sluice.pay(other.session.data.invoice_id)
  await sluice.shop.mine(2)
  await expect.poll(() => other.status()).toBe('captured')
}

it('a paid invoice captures the payment and places the order, once, however often it is told', async () => {
  const checkout = await medusa.checkOut()
  const invoice = await sluice.shop.get(invoiceOf(checkout))
  expect(invoice).toMatchObject({
    amount_fiat: '12.34',
    fiat_currency: 'EUR',
    external_id: checkout.session.id,
    checkout_url: checkout.session.data.checkout_url,
  })
  const early = await sluice.webhook('invoice.paid', { ...invoice, status: 'paid' })
  expect(await send(early), 'an event that claims more than is true').toBe(200)
  expect((await checkout.complete()).type, 'nothing is paid').not.toBe('order')
  await sluice.pay(invoice.id)
  await sluice.shop.mine(2)
  await expect.poll(() => checkout.status()).toBe('captured')
  const captured = await checkout.collection()
  expect(captured).toMatchObject({ amount: 12.34, captured_amount: 12.34 })
  for (const event of ['invoice.paid', 'invoice.payment_detected', 'invoice.paid'])
    expect(await send(await sluice.webhook(event, invoice))).toBe(200)
  await looked()
  const told = await checkout.collection()
  expect(told).toMatchObject({ captured_amount: 12.34, payments: [{ id: captured.payments[0].id }] })
  expect(told.payments[0].captures).toHaveLength(1)
})

it('a payer who comes back before the confirmation has an order whose payment is awaited', async () => {
  const checkout = await medusa.checkOut()
  await sluice.pay(checkout.session.data.invoice_id)
  expect((await checkout.complete()).type).toBe('order')
  expect(await checkout.status()).not.toBe('captured')
  expect((await checkout.collection())?.captured_amount ?? 0).toBe(0)
  await sluice.shop.mine(2)
  await expect.poll(() => checkout.status()).toBe('captured')
})

it('an underpaid invoice captures nothing, and neither do an expired one and a forged webhook', async () => {
  const short = await medusa.checkOut()
  await sluice.pay(short.session.data.invoice_id, { numerator: 1n, denominator: 2n })
  await sluice.shop.mine(2)
  expect(await short.complete()).toMatchObject({ type: 'not_allowed' })
  const expired = await medusa.checkOut()
  await sluice.shop.activate(invoiceOf(expired), { currency: 'BTC' })
  await sluice.shop.expire(invoiceOf(expired))
  expect(await expired.complete()).toMatchObject({ type: 'not_allowed' })
  const open = await medusa.checkOut()
  const data = { ...(await sluice.shop.get(invoiceOf(open))), status: 'paid' }
  await send(await sluice.webhook('invoice.paid', data, `whsec_${btoa('x'.repeat(32))}`))
  await looked()
  expect(await Promise.all([short, expired, open].map((each) => each.status()))).toEqual([null, null, null])
})

it('a changed cart gets a new invoice, and the old one is cancelled', async () => {
  const checkout = await medusa.checkOut()
  const before = invoiceOf(checkout)
  await checkout.addAnother(facts.variantId)
  await checkout.chooseCrypto()
  expect(await sluice.shop.get(invoiceOf(checkout))).toMatchObject({
    amount_fiat: '24.68',
    status: 'pending',
  })
  expect((await sluice.shop.get(before)).status).toBe('cancelled')
})

it('yen have no decimals: a price that has some is rounded, and its order is paid exactly', async () => {
  const checkout = await medusa.checkOut('jpy')
  const invoice = await sluice.shop.get(invoiceOf(checkout))
  expect([invoice.amount_fiat, invoice.fiat_currency]).toEqual(['1501', 'JPY'])
  await sluice.pay(invoice.id)
  // The payer comes back first, so the webhook finds an order.
  expect((await checkout.complete()).type).toBe('order')
  await sluice.shop.mine(2)
  await expect.poll(() => checkout.status()).toBe('captured')
  expect((await checkout.order())?.summary).toMatchObject({ paid_total: 1500.5, pending_difference: 0 })
})

it('a session whose invoice belongs to an earlier connection gives way to a new one', async () => {
  const checkout = await medusa.checkOut()
  await query(
    database.url,
    `update payment_session set data = jsonb_set(data, '{invoice_id}', to_jsonb($1::text)) where id = $2`,
    [crypto.randomUUID(), checkout.session.id],
  )
  await checkout.chooseCrypto()
  await sluice.pay(checkout.session.data.invoice_id)
  await sluice.shop.mine(2)
  await expect.poll(() => checkout.status()).toBe('captured')
})

it('a refund from the admin waits for its address, its approval and its chain, and is then recorded', async () => {
  const checkout = await medusa.checkOut()
  await sluice.pay(checkout.session.data.invoice_id)
  await sluice.shop.mine(2)
  await expect.poll(() => checkout.status()).toBe('captured')
  const [payment] = (await checkout.collection()).payments
  const refund = () => medusa.call(`/admin/payments/${payment.id}/refund`, { amount: 5 })
  const without = await refund()
  expect([without.status, without.body.message]).toEqual([400, expect.stringContaining('/dashboard/')])
  const path = `/admin/sluice/payments/${payment.id}/refund-address`
  expect((await medusa.call(path, { address: ' ' })).status).toBe(400)
  await medusa.expect(path, { address: refundTo })

  const [first, second] = [await refund(), await refund()]
  expect([first.body.message, second.body.message]).toEqual(
    Array(2).fill(expect.stringContaining(`to ${refundTo} is pending`)),
  )
  expect((await checkout.collection()).payments[0].refunds).toEqual([])
  const atSluice = async () =>
    (
      await sluice.shop.expect(200, 'listRefunds', {
        query: { invoice_id: checkout.session.data.invoice_id },
      })
    ).body.data
  const recorded = async () => (await checkout.collection()).payments[0].refunds
  const approve = async (count: number) => {
    const [refund] = (await atSluice()).filter((each: { status: string }) => each.status === 'pending')
    expect((await sluice.shop.approve({ id: refund.payout_id })).status).toBe(200)
    await expect
      .poll(async () => {
        await sluice.shop.mine(1)
        return (await recorded()).length
      })
      .toBe(count)
  }
  expect(await atSluice()).toHaveLength(1)
  await approve(1)
  expect((await recorded())[0].amount).toBe(5)

  // Told again, it is not recorded again; asked for again, it is another one.
  const [done] = await atSluice()
  for (let times = 0; times < 2; times++)
    expect(await send(await sluice.webhook('refund.completed', done))).toBe(200)
  await looked()
  expect(await recorded()).toHaveLength(1)
  expect((await refund()).body.message).toContain('is pending')
  expect(await atSluice()).toHaveLength(2)
  await approve(2)
})
