import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { woocommerceFiles, woocommerceZip } from '../../../../scripts/release/woocommerce.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import {
  nonce,
  openWooCommerceShop,
  outcome,
  type WooCommerceShop,
} from '../../support/shop/woocommerce-shop.ts'

/**
 * The plugin for WooCommerce, as it ships, against this service: paired, paid, refunded and disconnected over HTTP, with the
 * webhooks that the service sends. WordPress and WooCommerce are stand-ins.
 */

let woo: WooCommerceShop
beforeAll(async () => {
  woo = await openWooCommerceShop()
})
afterAll(() => woo.stop())

const satoshi = (amount: string) => parseDecimal(amount, 8) as bigint

describe('connecting', () => {
  it('needs a manager of the shop, a nonce and the address of a Sluice', async () => {
    const form = { action: 'sluice_connect', _wpnonce: nonce('sluice_connect'), sluice_url: woo.service.url }
    expect((await woo.post(form, { 'X-Role': 'customer' })).status).toBe(403)
    expect((await woo.post({ ...form, _wpnonce: 'wrong' })).status).toBe(403)
    for (const wrong of [
      '',
      'pay.example.com',
      'javascript:alert(1)',
      'http://pay.example.com',
      'https://a:b@c.example',
    ])
      expect(outcome(await woo.post({ ...form, sluice_url: wrong }))).toBe('bad_url')
  })

  it('takes no code that was not asked for here, and no attempt twice', async () => {
    const request = await woo.begin()
    expect(request).toMatchObject({
      app: 'woocommerce',
      name: 'Blue & Bottle',
      webhook: `${woo.shop.url}/wc-api/sluice/`,
    })
    const { redirect_to: back } = (await woo.owner.call('allowShop', { path: woo.here(), body: request }))
      .body.data
    expect(outcome(await woo.goBack(back.replace(/state=[^&]+/, 'state=of-a-stranger')))).toBe('stale')
    expect(outcome(await woo.goBack(back))).toBe('stale')
    const declined = (await woo.owner.call('reviewShop', { path: woo.here(), query: await woo.begin() })).body
      .data
    expect(outcome(await woo.goBack(declined.decline_url))).toBe('declined')
    expect(await woo.shop.act('settings')).toMatchObject({ needs_setup: true })
  })

  it('stores both secrets and shows neither', async () => {
    await woo.connect()
    const kept = await woo.shop.act('connection')
    expect(kept).toMatchObject({ environment: 'test', api_key: expect.stringMatching(/^sk_test_/) })
    const { html, needs_setup } = await woo.shop.act('settings')
    expect([needs_setup, html]).toEqual([
      false,
      expect.stringContaining(`sk_test_…${kept.api_key.slice(-4)}`),
    ])
    for (const secret of [kept.api_key, kept.webhook_secret]) expect(html).not.toContain(secret)
  })
})

describe('an order', () => {
  it('is on hold while its payment confirms, then paid, once, however often the events come', async () => {
    const { id, invoice } = await woo.ordered()
    expect(invoice).toMatchObject({ amount_fiat: '49.90', fiat_currency: 'EUR', external_id: String(id) })
    expect(invoice.redirect_url).toBe(`${woo.shop.url}/checkout/order-received/${id}/?key=wc_order_k${id}`)
    await woo.payer.pay(invoice, invoice.amount)
    await woo.becomes(id, 'on-hold')
    await woo.payer.mine(2)
    await woo.becomes(id, 'processing')
    const before = await woo.shop.order(id)
    // Late, repeated and untrue: the invoice is read, so none of them changes anything.
    for (const name of ['invoice.paid', 'invoice.paid', 'invoice.expired'])
      expect(await woo.deliver(name, { ...invoice, status: 'expired' })).toBe(204)
    expect(await woo.shop.order(id)).toEqual(before)
    expect([before.completed, before.transaction_id]).toEqual([1, invoice.id])
  })

  it('is never paid because an event says so: only by the invoice as the service shows it', async () => {
    const { id, invoice } = await woo.ordered()
    const forged = { ...invoice, status: 'paid', amount_paid: invoice.amount }
    const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect(await woo.deliver('invoice.paid', forged, wrong)).toBe(400)
    expect(await woo.deliver('invoice.paid', forged)).toBe(204)
    expect((await woo.shop.order(id)).status).toBe('pending')
  })

  it('is on hold when too little came, and paid once the rest has come', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.pay(invoice, '0.0001')
    await expect.poll(() => woo.notes(id)).toContain('Too little was paid: 0.0001 BTC')
    expect((await woo.shop.order(id)).status).toBe('on-hold')
    const { amount_due: rest } = await woo.payer.get(invoice)
    await woo.pay(invoice, rest)
    await woo.becomes(id, 'processing')
  })

  it('fails when the time is over, can be paid again, and says what came late', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.payer.expire(invoice)
    await woo.becomes(id, 'failed')
    const second = await woo.paying(id)
    expect(second.id).not.toBe(invoice.id)
    expect((await woo.shop.act('pay', { id })).redirect).toBe(second.checkout_url)
    await woo.pay(invoice)
    await expect.poll(() => woo.notes(id)).toContain('arrived, but the invoice has ended')
    expect((await woo.shop.order(id)).status).toBe('on-hold')
  })

  it('is on hold when its payment leaves the chain, and when its price changed meanwhile', async () => {
    const { id, invoice } = await woo.ordered()
    const hash = await woo.pay(invoice)
    await woo.becomes(id, 'processing')
    await woo.payer.reorganise(2, [hash])
    await woo.becomes(id, 'on-hold')
    expect(await woo.notes(id)).toContain('left the blockchain')
    const other = await woo.ordered()
    await woo.shop.act('change', { id: other.id, total: '60.00' })
    await woo.pay(other.invoice)
    await expect.poll(() => woo.notes(other.id)).toContain('cancelled or changed meanwhile')
    expect(await woo.shop.order(other.id)).toMatchObject({ status: 'on-hold', completed: 0 })
  })

  it('is brought up to date when the payer comes back before any event', async () => {
    const { id, invoice } = await woo.ordered()
    await woo.withoutWebhooks(async () => {
      await woo.pay(invoice)
      expect((await woo.shop.order(id)).status).toBe('pending')
      await woo.shop.act('thank-you', { id })
      expect((await woo.shop.order(id)).status).toBe('processing')
    })
  })
})

describe('a refund', () => {
  it('needs the customer’s address, is exact, waits for a person, and its end is noted once', async () => {
    const { id, invoice } = await woo.ordered('30.00')
    await woo.pay(invoice)
    await woo.becomes(id, 'processing')
    expect((await woo.shop.act('refund', { id, amount: '10.00' })).refused).toContain('Refund address')
    await woo.shop.act('address', { id, _sluice_refund_address: 'not an address' })
    expect((await woo.shop.act('refund', { id, amount: '10.00' })).refused).not.toBeNull()
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    await woo.shop.act('address', { id, _sluice_refund_address: address })
    expect((await woo.shop.act('refund', { id, amount: '40.00' })).refused).not.toBeNull()
    expect(await woo.shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    const [refund] = (await woo.payer.expect(200, 'listRefunds')).body.data
    // A third, rounded down to the satoshi.
    const third = satoshi(invoice.amount) / 3n
    expect(refund).toMatchObject({ status: 'pending', destination: address, invoice_id: invoice.id })
    expect(satoshi(refund.amount)).toBe(third)
    await woo.payer.expect(200, 'approveTestPayout', { path: { payoutID: refund.payout_id } })
    await expect
      .poll(async () => {
        await woo.payer.mine(1)
        return woo.notes(id)
      })
      .toContain('is confirmed on the blockchain')
    expect((await woo.notes(id)).match(/is confirmed on the blockchain/g)).toHaveLength(1)
  })
})

it('a shop that is disconnected offers no payment, and forgets its secrets when it is told to or deleted', async () => {
  const [{ id: shopID }] = (await woo.owner.call('listShops', { path: woo.here() })).body.data
  await woo.owner.call('disconnectShop', { path: { ...woo.here(), shopID } })
  await woo.shop.act('create', { id: 1, total: '5.00', currency: 'EUR', key: 'k1' })
  await expect.poll(async () => (await woo.shop.act('pay', { id: 1 })).result).toBe('failure')
  expect(outcome(await woo.post({ action: 'sluice_forget', _wpnonce: nonce('sluice_forget') }))).toBe(
    'forgotten',
  )
  expect(await woo.shop.act('connection')).toBe(false)
  await woo.connect()
  // Another site of the same network is a shop as well.
  await woo.shop.act('copy-connection?site=2', await woo.shop.act('connection'))
  expect(await woo.shop.act('connection?site=2')).toMatchObject({ environment: 'test' })
  await woo.shop.act('uninstall')
  for (const site of [1, 2]) expect(await woo.shop.act(`connection?site=${site}`)).toBe(false)
})

it('the plugin is packed the same every time, whole, with every text for translators and no test', () => {
  const [first, second] = [woocommerceZip(), woocommerceZip()]
  expect(first.equals(second)).toBe(true)
  const files = woocommerceFiles()
  const names = files.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['sluice-for-woocommerce.php', 'uninstall.php', 'vendor/sluice/src/Webhooks.php']),
  )
  expect(names.filter((name) => /test/i.test(name) && !name.startsWith('vendor/'))).toEqual([])
  const template = files.find(({ name }) => name.endsWith('.pot'))?.contents.toString() ?? ''
  const sources = files.filter(({ name }) => /^src\/.+\.php$/.test(name)).map(({ contents }) => `${contents}`)
  const texts = sources.flatMap((source) =>
    [...source.matchAll(/__\(\s*'([^']+)',/g)].map(([, text]) => text),
  )
  expect(texts).toHaveLength(sources.join('').match(/__\(/g)?.length ?? 0)
  for (const text of texts) expect(template).toContain(`msgid ${JSON.stringify(text)}\n`)
})
