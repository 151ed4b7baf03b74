import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimalOfMinor, portion } from '../shared/decimals.ts'
import { endInvoice, isInvoiceFor, openInvoice, standingOf } from '../shared/invoices.ts'
import { readNotice } from '../shared/notices.ts'
import { priceOf } from '../shared/prices.ts'
import { destinationOf, refundOnce } from '../shared/refunds.ts'
import { type Connection, connectionTo } from '../shared/settings.ts'
import { openAtSluice, type ShopAtSluice } from './shop-at-sluice.ts'

const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const price = { amount: '49.90', currency: 'EUR' }
let sluice: ShopAtSluice
let connection: Connection
let orders = 0

beforeAll(async () => {
  // Nothing listens there; the engines' stories have webhooks.
  sluice = await openAtSluice('http://127.0.0.1:9/hooks')
  connection = connectionTo('medusa', sluice.settings)
})

afterAll(async () => {
  await sluice?.stop()
})

function open(externalId = `order-${++orders}`) {
  return openInvoice(connection, { key: externalId, externalId, price })
}

const standing = async ({ id }: { id: string }) => standingOf(await connection.sluice.invoices.get(id))

describe('an invoice of a shop', () => {
  it('is made once for a key and a price, and again for another price', async () => {
    const invoice = await open('order-a')
    expect((await open('order-a')).id).toBe(invoice.id)
    const dearer = await openInvoice(connection, {
      key: 'order-a',
      externalId: 'order-a',
      price: { ...price, amount: '60.00' },
    })
    expect(dearer.id).not.toBe(invoice.id)
  })

  it('is made anew if the one for this key and price has ended, and not if a payment was seen for it', async () => {
    const first = await open('order-again')
    await endInvoice(connection, first.id)
    const second = await open('order-again')
    expect([second.id === first.id, await standing(second)]).toEqual([false, 'open'])
    expect((await open('order-again')).id).toBe(second.id)
    await sluice.pay(second.id)
    // Orders that were numbered from 1 again must not be paid by what was paid for others.
    await expect(open('order-again')).rejects.toThrow(TypeError)
    await sluice.shop.mine(2)
    await expect(open('order-again')).rejects.toThrow(TypeError)
  })

  it('stands as paid only once all of it is confirmed', async () => {
    const invoice = await open()
    expect(await standing(invoice)).toBe('open')
    await sluice.pay(invoice.id, { numerator: 1n, denominator: 2n })
    await sluice.shop.mine(2)
    expect(await standing(invoice)).toBe('short')
    await sluice.pay(invoice.id)
    expect(await standing(invoice)).toBe('seen')
    await sluice.shop.mine(2)
    expect(await standing(invoice), 'overpaid').toBe('paid')
    const [{ tx_hash: hash }] = (await sluice.shop.get(invoice)).payments.slice(-1)
    await sluice.shop.reorganise(2, [hash])
    expect(await standing(invoice)).toBe('short')
  })

  it('is over when it has expired, also if money comes too late', async () => {
    const invoice = await open()
    await sluice.shop.activate(invoice, { currency: 'BTC' })
    await sluice.shop.expire(invoice)
    await sluice.pay(invoice.id)
    await sluice.shop.mine(2)
    expect(await standing(invoice)).toBe('over')
  })

  it('ends when nothing was paid, as often as it is asked, and never when something was seen', async () => {
    const invoice = await open()
    expect([await endInvoice(connection, invoice.id), await endInvoice(connection, invoice.id)]).toEqual([
      'over',
      'over',
    ])
    // It was made under another connection, before the shop went live.
    expect(await endInvoice(connection, crypto.randomUUID())).toBe('over')
    const seen = await open()
    await sluice.pay(seen.id, { numerator: 1n, denominator: 2n })
    expect(await endInvoice(connection, seen.id)).toBe('short')
    await sluice.pay(seen.id)
    expect(await endInvoice(connection, seen.id)).toBe('seen')
    await sluice.shop.mine(2)
    expect(await endInvoice(connection, seen.id)).toBe('paid')
  })

  it('is for one order, at one price, of one shop', async () => {
    const invoice = await open('order-b')
    const order = { externalId: 'order-b', price: { amount: '49.9', currency: 'EUR' } }
    expect(isInvoiceFor(connection, invoice, order)).toBe(true)
    expect(isInvoiceFor(connection, invoice, { ...order, externalId: 'order-c' })).toBe(false)
    for (const other of [
      { amount: '49.89', currency: 'EUR' },
      { amount: '49.90', currency: 'USD' },
    ])
      expect(isInvoiceFor(connection, invoice, { ...order, price: other })).toBe(false)
    expect(isInvoiceFor({ ...connection, shop: 'vendure' }, invoice, order)).toBe(false)
  })
})

describe('a refund of a shop', () => {
  it('is made once until the shop has recorded it, and again if it was rejected', async () => {
    const { id } = await open()
    await sluice.pay(id)
    await sluice.shop.mine(2)
    const invoice = await connection.sluice.invoices.get(id)
    const want = {
      price: { amount: '10.00', currency: 'EUR' },
      destination: destinationOf(address),
      recorded: [],
    }
    expect(await refundOnce(connection, invoice, { ...want, destination: null })).toBe(null)
    const refund = await refundOnce(connection, invoice, want)
    if (refund === null) throw new Error('There is no refund.')
    expect(refund.amount).toBe(portion(invoice.amount ?? '', '10.00', '49.90', 8))
    const again = await refundOnce(connection, invoice, { ...want, price: { ...want.price, amount: '10' } })
    expect(again?.id).toBe(refund.id)
    const another = await refundOnce(connection, invoice, { ...want, recorded: [refund.id] })
    expect(another?.id).not.toBe(refund.id)
    for (const { payout_id: payoutID } of [refund, another ?? refund])
      expect((await sluice.shop.call('rejectTestPayout', { path: { payoutID } })).status).toBe(200)
    const third = await refundOnce(connection, invoice, want)
    expect([refund.id, another?.id]).not.toContain(third?.id)
  })
})

describe('a webhook', () => {
  it('says where to look, and a forged one is refused', async () => {
    const invoice = { id: crypto.randomUUID(), status: 'paid' }
    const { body, headers } = await sluice.webhook('invoice.paid', invoice)
    expect(await readNotice(connection, body, headers)).toEqual({ about: 'invoice', invoiceId: invoice.id })
    await expect(readNotice(connection, `${body} `, headers)).rejects.toThrow('No signature matches')
    const other = await sluice.webhook('payout.completed', {})
    expect(await readNotice(connection, other.body, other.headers)).toEqual({ about: 'nothing' })
  })
})

describe('amounts', () => {
  it.each([
    ['10.335', 'eur', '10.34'],
    ['1500', 'JPY', '1500'],
    ['1500.5', 'JPY', '1501'],
    ['1.2345', 'KWD', '1.235'],
    ['0.1', 'USD', '0.10'],
    ['90071992547409.93', 'USD', '90071992547409.93'],
  ])('%s %s is %s', (amount, currency, paid) => {
    expect(priceOf(amount, currency).amount).toBe(paid)
  })

  it('minor units become decimals without a float', () => {
    expect(decimalOfMinor(1981, 2)).toBe('19.81')
    expect(decimalOfMinor(5, 2)).toBe('0.05')
    expect(() => decimalOfMinor(0.5, 2)).toThrow(TypeError)
  })

  it('the whole price is the whole amount, and a part is rounded down', () => {
    expect(portion('0.00033017', '19.81', '19.81', 8)).toBe('0.00033017')
    expect(portion('0.00033017', '10', '19.81', 8)).toBe('0.00016666')
  })
})
