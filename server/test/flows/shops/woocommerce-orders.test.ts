import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../../support/shop/shop.ts'
import { openWooCommerceShop, type WooCommerceShop } from '../../support/shop/woocommerce-shop.ts'

/** What becomes of orders of WooCommerce where things happen twice, at once, too late, or by a person's hand. */

const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
let woo: WooCommerceShop
beforeAll(async () => {
  woo = await openWooCommerceShop()
  await woo.connect()
})
afterAll(() => woo.stop())

/** An order that was paid and is on its way. */
async function shipped(total = '30.00'): Promise<{ id: number; invoice: Row }> {
  const { id, invoice } = await woo.ordered(total)
  await woo.pay(invoice)
  await woo.becomes(id, 'processing')
  return { id, invoice }
}
const byHand = (id: number, status: string) => woo.shop.act('change', { id, status })
const expired = (invoice: Row) =>
  expect.poll(async () => (await woo.payer.get(invoice)).status).toBe('expired')

describe('an order', () => {
  it('is paid once when its webhooks come at the same moment', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.withoutWebhooks(async () => {
      await woo.pay(invoice)
      const events = ['invoice.payment_detected', 'invoice.paid', 'invoice.paid']
      const answers = await Promise.all(events.map((name) => woo.deliver(name, invoice)))
      expect(answers).toEqual([204, 204, 204])
      expect(await woo.status(id)).toBe('processing')
      expect((await woo.notes(id)).match(/Status changed from \S+ to processing/g)).toHaveLength(1)
    })
  })

  it('is tried again when WooCommerce could not complete it', async () => {
    const { id, invoice } = await woo.ordered('49.90', 'EUR', { failures: 1 })
    await woo.withoutWebhooks(async () => {
      await woo.pay(invoice)
      expect(await woo.deliver('invoice.paid', invoice)).toBe(503)
      expect(await woo.deliver('invoice.paid', invoice)).toBe(204)
      expect(await woo.shop.order(id)).toMatchObject({ status: 'processing', completed: 1 })
    })
  })

  it('that was paid asks for no second payment, also before a webhook has said so', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.withoutWebhooks(async () => {
      await woo.pay(invoice)
      expect(await woo.shop.act('pay', { id })).toEqual({ result: 'success', redirect: invoice.redirect_url })
      expect(await woo.status(id)).toBe('processing')
      expect(await woo.invoicesOf(id)).toHaveLength(1)
    })
  })

  it('whose price has changed can be paid at the new price only, and at none while a payment is on its way', async () => {
    const { id, invoice } = await woo.ordered('10.00')
    await woo.shop.act('change', { id, total: '12.00' })
    const second = await woo.paying(id)
    expect(second.amount_fiat).toBe('12.00')
    expect((await woo.payer.get(invoice)).status).toBe('cancelled')
    // Its webhook says nothing about the order, whose invoice is another one now.
    expect(await woo.deliver('invoice.cancelled', invoice)).toBe(204)
    expect(await woo.status(id)).toBe('pending')
    await woo.payer.pay(second, second.amount)
    await woo.becomes(id, 'on-hold')
    await woo.shop.act('change', { id, total: '14.00', status: 'pending' })
    expect((await woo.shop.act('pay', { id })).result).toBe('failure')
    expect(await woo.invoicesOf(id)).toHaveLength(2)
    await woo.payer.mine(2)
    await expect.poll(() => woo.notes(id)).toContain('cancelled or changed meanwhile')
  })

  it.each([
    ['JPY', '1500.00', '1500'],
    ['KWD', '10.500', '10.500'],
    ['EUR', '49.9000', '49.90'],
  ])('in %s for %s is paid as %s, however many decimals the shop shows', async (currency, total, price) => {
    const { id, invoice } = await woo.ordered(total, currency)
    expect([invoice.amount_fiat, invoice.fiat_currency]).toEqual([price, currency])
    await woo.pay(invoice)
    await woo.becomes(id, 'processing')
  })

  it('can be paid although an answer was lost and the order reads differently now', async () => {
    const id = await woo.create('21.00')
    const { api_key: key } = await woo.shop.act('connection')
    const lost = await woo.payer.expect(201, 'createInvoice', {
      key,
      json: {
        amount_fiat: '21.00',
        fiat_currency: 'EUR',
        description: 'Bestellung in einer anderen Sprache',
        idempotency_key: `${createHash('sha256').update(`wc_order_k${id}`).digest('hex')}-1`,
      },
    })
    const invoice = await woo.paying(id)
    expect(invoice.id).not.toBe(lost.body.data.id)
  })
})

describe('a person who accepts an order by hand', () => {
  it('is not overruled when the rest of a short payment never comes', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.pay(invoice, '0.0001')
    await expect.poll(() => woo.notes(id)).toContain('Too little was paid')
    await byHand(id, 'processing')
    await woo.payer.expire(invoice)
    await expired(invoice)
    await expect.poll(() => woo.notes(id)).toContain('arrived, but the invoice has ended')
    expect(await woo.status(id)).toBe('processing')
  })

  it('is not overruled by a late payment’s webhook that is repeated, nor when another invoice ends', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.payer.expire(invoice)
    await woo.becomes(id, 'failed')
    const second = await woo.paying(id)
    await woo.pay(invoice)
    await woo.becomes(id, 'on-hold')
    // The shop has to decide about the money that came, so the end of the second invoice does not cancel the order.
    await woo.payer.expire(second)
    expect(await woo.deliver('invoice.expired', second)).toBe(204)
    expect(await woo.status(id)).toBe('on-hold')
    await byHand(id, 'completed')
    const before = await woo.shop.order(id)
    for (const each of [invoice, second, invoice])
      expect(await woo.deliver('invoice.late_deposit', each)).toBe(204)
    expect(await woo.shop.order(id)).toEqual(before)
  })

  it('is not overruled when an invoice ends whose payment left the blockchain', async () => {
    const { id, invoice } = await woo.ordered()
    const hash = await woo.pay(invoice)
    await woo.becomes(id, 'processing')
    await woo.payer.reorganise(2, [hash])
    await woo.becomes(id, 'on-hold')
    await byHand(id, 'processing')
    await woo.payer.expire(invoice)
    await expired(invoice)
    expect(await woo.deliver('invoice.expired', invoice)).toBe(204)
    expect(await woo.status(id)).toBe('processing')
  })

  it('hears of it when the invoice is paid after all, which may be for the second time', async () => {
    const { id, invoice } = await woo.ordered()
    // By bank transfer, for instance.
    await byHand(id, 'processing')
    await woo.pay(invoice)
    await expect.poll(() => woo.notes(id)).toContain('paid otherwise')
    expect(await woo.status(id)).toBe('processing')
  })

  it('may let the payer pay again for a payment that left the blockchain', async () => {
    const { id, invoice } = await woo.ordered()
    const hash = await woo.pay(invoice)
    await woo.becomes(id, 'processing')
    await woo.payer.reorganise(2, [hash])
    await woo.becomes(id, 'on-hold')
    await woo.payer.expire(invoice)
    await expired(invoice)
    await byHand(id, 'pending')
    const second = await woo.paying(id)
    await woo.pay(second)
    await woo.becomes(id, 'processing')
    expect(await woo.notes(id)).not.toContain('A second invoice')
  })
})

describe('a refund', () => {
  const refundsOf = async (invoice: Row): Promise<Row[]> =>
    (await woo.payer.expect(200, 'listRefunds', { query: { invoice_id: invoice.id } })).body.data

  it('is requested once although its answer was lost, also for another reason', async () => {
    const { id, invoice } = await shipped()
    await woo.shop.act('address', { id, _sluice_refund_address: address })
    expect(await woo.shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    const { meta } = await woo.shop.order(id)
    await woo.shop.act('change', { id, meta: { ...meta, _sluice_refunds: '' } })
    const again = await woo.shop.act('refund', { id, amount: '10.00', reason: 'The colour was wrong' })
    expect(again).toEqual({ refused: null })
    expect(await refundsOf(invoice)).toHaveLength(1)
    // Another one, which Sluice must not take for the same.
    expect(await woo.shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    expect(await refundsOf(invoice)).toHaveLength(2)
    await woo.shop.act('change', { id, meta: { ...meta, _sluice_refunds: '' } })
    const other = await woo.shop.act('refund', { id, amount: '5.00' })
    expect(other.refused).toContain('Sluice has a refund')
    expect(await refundsOf(invoice)).toHaveLength(2)
  })

  it('is one of the invoice that was paid, not of the one that was opened last', async () => {
    const { id, invoice } = await shipped()
    const { meta } = await woo.shop.order(id)
    const other = await woo.payer.create({ amount_fiat: '30.00', fiat_currency: 'EUR' })
    await woo.shop.act('change', { id, meta: { ...meta, _sluice_invoice_id: other.id } })
    await woo.shop.act('address', { id, _sluice_refund_address: address })
    expect(await woo.shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    expect(await refundsOf(invoice)).toHaveLength(1)
  })

  it('that is rejected is noted when the shop asks', async () => {
    const { id, invoice } = await shipped()
    await woo.shop.act('address', { id, _sluice_refund_address: address })
    expect(await woo.shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    const [refund] = await refundsOf(invoice)
    await woo.payer.expect(200, 'rejectTestPayout', { path: { payoutID: refund.payout_id } })
    await woo.shop.act('refresh', { id })
    expect(await woo.notes(id)).toContain('was not sent')
  })
})

it('the settings say that a test connection takes no real money', async () => {
  expect((await woo.shop.act('settings')).html).toContain('no real money')
})
