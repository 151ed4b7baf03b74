import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { woocommerceFiles, woocommerceZip } from '../../../../scripts/release/woocommerce.ts'
import { parseDecimal } from '../../../src/domain/money.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { type PhpShop, startPhpShop } from '../../support/servers/php-shop.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

/**
 * The plugin for WooCommerce, as it ships, against this service: paired, paid, refunded and disconnected over HTTP, with the
 * webhooks that the service sends. WordPress and WooCommerce are stand-ins.
 */

let service: TestService
let shop: PhpShop
let payer: Shop
let owner: DashboardClient
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await startPhpShop()
  payer = await openShop(service)
  owner = await signedIn(service, await makePerson(service, { merchantId: payer.merchantId, role: 'owner' }))
})
afterAll(async () => {
  await shop.stop()
  await service.stop()
})

const here = () => ({ merchantID: payer.merchantId, environment: 'test' })
const nonce = (action: string) => createHash('sha256').update(`nonce ${action}`).digest('hex').slice(0, 10)
const post = (form: Record<string, string>, headers = {}) =>
  shop.ask('/wp-admin/admin-post.php', { method: 'POST', body: new URLSearchParams(form), headers })
const outcome = (answer: Response) => new URL(answer.headers.get('location') ?? '').searchParams.get('sluice')

async function begin(): Promise<Record<string, string>> {
  const form = { action: 'sluice_connect', _wpnonce: nonce('sluice_connect'), sluice_url: service.url }
  const to = new URL((await post(form)).headers.get('location') ?? '')
  expect(`${to.origin}${to.pathname}`).toBe(`${service.url}/dashboard/connect`)
  return Object.fromEntries(to.searchParams)
}
const goBack = async (url: string) => shop.ask(url.replace(shop.url, ''))
async function connect(): Promise<void> {
  const allowed = await owner.call('allowShop', { path: here(), body: await begin() })
  expect(outcome(await goBack(allowed.body.data.redirect_to))).toBe('connected')
}

let orders = 1000
/** An order at the payment page, whose payer has chosen a currency. */
async function ordered(total = '49.90', id = ++orders): Promise<{ id: number; invoice: Row }> {
  await shop.act('create', { id, total, currency: 'EUR', key: `k${id}` })
  return { id, invoice: await paying(id) }
}
async function paying(id: number): Promise<Row> {
  const { result, redirect } = await shop.act('pay', { id })
  expect([result, redirect]).toEqual(['success', expect.stringContaining(`${service.url}/pay/`)])
  const { body } = await payer.expect(200, 'listInvoices', { query: { external_id: String(id) } })
  const path = { invoiceID: body.data[0].id }
  return (await payer.expect(200, 'activateTestInvoice', { path, json: { currency: 'BTC' } })).body.data
}
const pay = async (invoice: Row, amount = invoice.amount) => {
  const hash = await payer.pay(invoice, amount)
  await payer.mine(2)
  return hash
}
const becomes = (id: number, status: string) =>
  expect.poll(async () => (await shop.order(id)).status).toBe(status)
const satoshi = (amount: string) => parseDecimal(amount, 8) as bigint
const notes = async (id: number) => (await shop.order(id)).notes.join('\n')

async function deliver(body: object, secret: string): Promise<number> {
  const text = JSON.stringify(body)
  const at = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, text),
  }
  return (await shop.ask('/wc-api/sluice/', { method: 'POST', body: text, headers })).status
}
const event = (name: string, data: object) => ({
  id: 'evt_1',
  event: name,
  created_at: new Date().toISOString(),
  environment: 'test',
  data,
})

describe('connecting', () => {
  it('needs a manager of the shop, a nonce and the address of a Sluice', async () => {
    const form = { action: 'sluice_connect', _wpnonce: nonce('sluice_connect'), sluice_url: service.url }
    expect((await post(form, { 'X-Role': 'customer' })).status).toBe(403)
    expect((await post({ ...form, _wpnonce: 'wrong' })).status).toBe(403)
    for (const wrong of [
      '',
      'pay.example.com',
      'javascript:alert(1)',
      'http://pay.example.com',
      'https://a:b@c.example',
    ])
      expect(outcome(await post({ ...form, sluice_url: wrong }))).toBe('bad_url')
  })

  it('takes no code that was not asked for here, and no attempt twice', async () => {
    const request = await begin()
    expect(request).toMatchObject({
      app: 'woocommerce',
      name: 'Blue & Bottle',
      webhook: `${shop.url}/wc-api/sluice/`,
    })
    const { redirect_to: back } = (await owner.call('allowShop', { path: here(), body: request })).body.data
    expect(outcome(await goBack(back.replace(/state=[^&]+/, 'state=of-a-stranger')))).toBe('stale')
    expect(outcome(await goBack(back))).toBe('stale')
    const declined = (await owner.call('reviewShop', { path: here(), query: await begin() })).body.data
    expect(outcome(await goBack(declined.decline_url))).toBe('declined')
    expect(await shop.act('settings')).toMatchObject({ needs_setup: true })
  })

  it('stores both secrets and shows neither', async () => {
    await connect()
    const kept = await shop.act('connection')
    expect(kept).toMatchObject({ environment: 'test', api_key: expect.stringMatching(/^sk_test_/) })
    const { html, needs_setup } = await shop.act('settings')
    expect([needs_setup, html]).toEqual([
      false,
      expect.stringContaining(`sk_test_…${kept.api_key.slice(-4)}`),
    ])
    for (const secret of [kept.api_key, kept.webhook_secret]) expect(html).not.toContain(secret)
  })
})

describe('an order', () => {
  it('is on hold while its payment confirms, then paid, once, however often the events come', async () => {
    const { id, invoice } = await ordered()
    expect(invoice).toMatchObject({ amount_fiat: '49.90', fiat_currency: 'EUR', external_id: String(id) })
    expect(invoice.redirect_url).toBe(`${shop.url}/checkout/order-received/${id}/?key=wc_order_k${id}`)
    await payer.pay(invoice, invoice.amount)
    await becomes(id, 'on-hold')
    await payer.mine(2)
    await becomes(id, 'processing')
    const before = await shop.order(id)
    const { webhook_secret: secret } = await shop.act('connection')
    // Late, repeated and untrue: the invoice is read, so none of them changes anything.
    for (const name of ['invoice.paid', 'invoice.paid', 'invoice.expired'])
      expect(await deliver(event(name, { ...invoice, status: 'expired' }), secret)).toBe(204)
    expect(await shop.order(id)).toEqual(before)
    expect([before.completed, before.transaction_id]).toEqual([1, invoice.id])
  })

  it('is never paid because an event says so: only by the invoice as the service shows it', async () => {
    const { id, invoice } = await ordered()
    const forged = event('invoice.paid', { ...invoice, status: 'paid', amount_paid: invoice.amount })
    expect(await deliver(forged, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(400)
    const { webhook_secret: secret } = await shop.act('connection')
    expect(await deliver(forged, secret)).toBe(204)
    expect((await shop.order(id)).status).toBe('pending')
  })

  it('is on hold when too little came, and paid once the rest has come', async () => {
    const { id, invoice } = await ordered()
    await pay(invoice, '0.0001')
    await expect.poll(() => notes(id)).toContain('Too little was paid: 0.0001 BTC')
    expect((await shop.order(id)).status).toBe('on-hold')
    const { amount_due: rest } = await payer.get(invoice)
    await pay(invoice, rest)
    await becomes(id, 'processing')
  })

  it('fails when the time is over, can be paid again, and says what came late', async () => {
    const { id, invoice } = await ordered()
    await payer.expire(invoice)
    await becomes(id, 'failed')
    const second = await paying(id)
    expect(second.id).not.toBe(invoice.id)
    expect((await shop.act('pay', { id })).redirect).toBe(second.checkout_url)
    await pay(invoice)
    await expect.poll(() => notes(id)).toContain('arrived, but the invoice has ended')
    expect((await shop.order(id)).status).toBe('on-hold')
  })

  it('is on hold when its payment leaves the chain, and when its price changed meanwhile', async () => {
    const { id, invoice } = await ordered()
    const hash = await pay(invoice)
    await becomes(id, 'processing')
    await payer.reorganise(2, [hash])
    await becomes(id, 'on-hold')
    expect(await notes(id)).toContain('left the blockchain')
    const other = await ordered()
    await shop.act('change', { id: other.id, total: '60.00' })
    await pay(other.invoice)
    await expect.poll(() => notes(other.id)).toContain('cancelled or changed meanwhile')
    expect(await shop.order(other.id)).toMatchObject({ status: 'on-hold', completed: 0 })
  })

  it('is brought up to date when the payer comes back before any event', async () => {
    const { id, invoice } = await ordered()
    await owner.call('deleteWebhookEndpoint', {
      path: {
        ...here(),
        endpointID: (await owner.call('listWebhookEndpoints', { path: here() })).body.data[0].id,
      },
    })
    await pay(invoice)
    expect((await shop.order(id)).status).toBe('pending')
    await shop.act('thank-you', { id })
    expect((await shop.order(id)).status).toBe('processing')
    await connect()
  })
})

describe('a refund', () => {
  it('needs the customer’s address, is exact, waits for a person, and its end is noted once', async () => {
    const { id, invoice } = await ordered('30.00')
    await pay(invoice)
    await becomes(id, 'processing')
    expect((await shop.act('refund', { id, amount: '10.00' })).refused).toContain('Refund address')
    await shop.act('address', { id, _sluice_refund_address: 'not an address' })
    expect((await shop.act('refund', { id, amount: '10.00' })).refused).not.toBeNull()
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    await shop.act('address', { id, _sluice_refund_address: address })
    expect((await shop.act('refund', { id, amount: '40.00' })).refused).not.toBeNull()
    expect(await shop.act('refund', { id, amount: '10.00' })).toEqual({ refused: null })
    const [refund] = (await payer.expect(200, 'listRefunds')).body.data
    // A third, rounded down to the satoshi.
    const third = satoshi(invoice.amount) / 3n
    expect(refund).toMatchObject({ status: 'pending', destination: address, invoice_id: invoice.id })
    expect(satoshi(refund.amount)).toBe(third)
    await payer.expect(200, 'approveTestPayout', { path: { payoutID: refund.payout_id } })
    await expect
      .poll(async () => {
        await payer.mine(1)
        return notes(id)
      })
      .toContain('is confirmed on the blockchain')
    expect((await notes(id)).match(/is confirmed on the blockchain/g)).toHaveLength(1)
  })
})

it('a shop that is disconnected offers no payment, and forgets its secrets when it is told to or deleted', async () => {
  const [{ id: shopID }] = (await owner.call('listShops', { path: here() })).body.data
  await owner.call('disconnectShop', { path: { ...here(), shopID } })
  await shop.act('create', { id: 1, total: '5.00', currency: 'EUR', key: 'k1' })
  await expect.poll(async () => (await shop.act('pay', { id: 1 })).result).toBe('failure')
  expect(outcome(await post({ action: 'sluice_forget', _wpnonce: nonce('sluice_forget') }))).toBe('forgotten')
  expect(await shop.act('connection')).toBe(false)
  await connect()
  await shop.act('uninstall')
  expect(await shop.act('connection')).toBe(false)
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
