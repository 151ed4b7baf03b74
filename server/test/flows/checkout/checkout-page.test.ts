import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usualOrder } from '../../../src/domain/checkout-order.ts'
import { maxGuesses } from '../../../src/http/checkout/gatekeeper.ts'
import { query } from '../../support/database/database.ts'
import {
  callCheckout,
  newVisitor,
  openPage,
  openShopBehindProxy,
  tinyPage,
} from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop

beforeAll(async () => {
  ;({ service, shop } = await openShopBehindProxy())
})
afterAll(() => service.stop())

const unknownLink = 'A'.repeat(22)

describe('the payment page of an invoice', () => {
  it('shows amount, address, QR code and status in its first HTML', async () => {
    const invoice = await shop.create()
    const { status, state } = await openPage(invoice.checkout_url)
    expect(status).toBe(200)
    expect(state.checkout).toMatchObject({
      phase: 'pay',
      shop: { name: 'Test shop', logo: null, colour: null },
      asset: {
        amount: '0.01',
        amount_missing: '0.01',
        address: invoice.deposit_address,
        payment_uri: invoice.payment_uri,
        simulated: true,
        network_online: true,
        wallet_transaction: null,
        token_standard: null,
      },
    })
    expect(state.checkout?.asset?.qr?.path).toMatch(/^M0 0h7v1h-7z/)
    expect(state).toMatchObject({
      language: 'en',
      embedded: false,
      problem: null,
      notice: null,
      offers: null,
    })
    expect(state.path).toBe(new URL(invoice.checkout_url).pathname)
  })

  it('names the token standard and tag where there is one', async () => {
    const usdt = await shop.create({ currency: 'USDT', network: 'bsc', amount: '5' })
    expect((await openPage(usdt.checkout_url)).state.checkout?.asset).toMatchObject({
      currency_name: 'Tether USD',
      network_name: 'BNB Smart Chain',
      token_standard: 'BEP-20',
      tag: null,
    })
    const xrp = await shop.create({ currency: 'XRP', amount: '5' })
    expect((await openPage(xrp.checkout_url)).state.checkout?.asset?.tag).toEqual({
      name: 'Destination tag',
      value: xrp.deposit_address_tag,
      required: true,
    })
  })

  it('is not cached, sends no referrer, and runs only its own script', async () => {
    const invoice = await shop.create()
    const first = await openPage(invoice.checkout_url)
    const second = await openPage(invoice.checkout_url)
    const nonce = /nonce="([^"]+)"/.exec(first.html)?.[1] ?? ''
    expect(nonce.length).toBeGreaterThanOrEqual(22)
    expect(second.html).not.toContain(nonce)
    expect(first.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; font-src 'self'; img-src 'self' data:; ` +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'content-type': 'text/html; charset=utf-8',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  })

  it.each([
    ['br', 'gzip, deflate, br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', 'gzip, br;q=0', (bytes: Buffer) => gunzipSync(bytes)],
    [null, 'identity', (bytes: Buffer) => bytes],
  ])('is sent as %s to a client that accepts %s', async (encoding, accepted, decode) => {
    const { checkout_url: url } = await shop.create()
    const response = await raw(url, { 'Accept-Encoding': accepted })
    expect(response.encoding).toBe(encoding)
    expect(decode(response.bytes).toString()).toContain('"phase":"pay"')
  })

  it('uses the language that its URL asks for', async () => {
    const { checkout_url: url } = await shop.create()
    expect((await openPage(`${url}?lang=de`)).state.language).toBe('de')
    expect((await openPage(`${url}?lang=xx&lang=de`)).state.language).toBe('en')
  })

  it('repeats only notices that it knows', async () => {
    const { checkout_url: url } = await shop.create()
    expect((await openPage(`${url}?notice=not_done`)).state.notice).toBe('not_done')
    expect((await openPage(`${url}?notice=%3Cb%3E`)).state.notice).toBeNull()
  })

  it('reveals nothing private to the merchant: no fee, ids, metadata or keys', async () => {
    const secrets = {
      external_id: 'secret-order',
      idempotency_key: 'secret-key',
      metadata: { secret: 'secret-value' },
    }
    const invoice = await shop.create({ currency: 'BTC', amount: '0.01', ...secrets })
    const { html } = await openPage(invoice.checkout_url)
    for (const hidden of ['secret', shop.merchantId, shop.key, 'fee_amount', 'base_currency'])
      expect(html).not.toContain(hidden)
  })

  it('shows the merchant’s text as text', async () => {
    const evil = '</script><img src=x onerror=alert(1)>'
    const invoice = await shop.create({ currency: 'BTC', amount: '0.01', description: evil })
    await query(service.database.url, 'update merchants set name = $2 where id = $1', [shop.merchantId, evil])
    const { state, html } = await openPage(invoice.checkout_url)
    await query(service.database.url, `update merchants set name = 'Test shop' where id = $1`, [
      shop.merchantId,
    ])
    expect(html).not.toContain('<img')
    expect([state.checkout?.description, state.checkout?.shop.name]).toEqual([evil, evil])
  })

  it('links only to the web: a script as redirect_url is refused, and never shown even if stored', async () => {
    for (const redirect_url of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      '//x',
      'file:///',
    ])
      await shop.expect(400, 'createInvoice', { json: { currency: 'BTC', amount: '0.01', redirect_url } })
    const good = await shop.create({
      currency: 'BTC',
      amount: '0.01',
      redirect_url: 'https://shop.example.com/x',
    })
    const shown = async () => (await openPage(good.checkout_url)).state.checkout?.redirect_url
    expect(await shown()).toBe('https://shop.example.com/x')
    for (const stored of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,x',
      'http://[',
      'x',
    ]) {
      await query(service.database.url, 'update invoices set redirect_url = $2 where id = $1', [
        good.id,
        stored,
      ])
      expect(await shown()).toBeNull()
    }
  })

  it('sends no payer of real money to a plain http page, even if an older version stored it', async () => {
    const redirect_url = 'http://shop.example.com/x'
    const invoice = await shop.create({ currency: 'BTC', amount: '0.01', redirect_url })
    const shown = async () => (await openPage(invoice.checkout_url)).state.checkout?.redirect_url
    expect(await shown()).toBe(redirect_url)
    await query(service.database.url, `update invoices set environment = 'live' where id = $1`, [invoice.id])
    expect(await shown()).toBeNull()
  })
})

describe('a link', () => {
  it('that does not exist gets 404 in every form', async () => {
    for (const link of [unknownLink, 'x', '%00', '..%2f..', 'a/b', `${unknownLink}A`, 'é', '<script>']) {
      const { status, state, html } = await openPage(`${service.url}/pay/${link}`, { headers: newVisitor() })
      expect([status, state.problem, state.checkout, state.token]).toEqual([404, 'unknown', null, null])
      expect(html).not.toContain('<script>"')
    }
  })

  it('works for 30 days after its invoice is final, and then says only that it has ended', async () => {
    const invoice = await shop.create()
    await shop.cancel(invoice)
    const age = (interval: string) =>
      query(
        service.database.url,
        'update invoices set updated_at = clock_timestamp() - $2::interval where id = $1',
        [invoice.id, interval],
      )
    await age('29 days 23 hours')
    expect((await openPage(invoice.checkout_url)).state.checkout?.phase).toBe('cancelled')
    await age('30 days 1 minute')
    const ended = await openPage(invoice.checkout_url)
    expect([ended.status, ended.state.problem, ended.state.checkout, ended.state.token]).toEqual([
      410,
      'ended',
      null,
      null,
    ])
    expect(ended.html).not.toContain(invoice.deposit_address)
  })

  it('cannot be guessed: an IP address that tried too many unknown links is refused', async () => {
    const { checkout_url: good } = await shop.create()
    const headers = newVisitor()
    const guess = (n: number) => openPage(`${service.url}/pay/${String(n).padStart(22, 'g')}`, { headers })
    for (let n = 0; n < maxGuesses; n++) expect((await guess(n)).status).toBe(404)
    expect((await openPage(good, { headers })).status).toBe(200)
    expect((await guess(99)).status).toBe(404)
    const shut = await openPage(good, { headers })
    expect([shut.status, shut.state.problem]).toEqual([429, 'busy'])
    expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(shut.headers.get('ratelimit-limit')).toBe(String(maxGuesses))
    expect((await openPage(good, { headers: newVisitor() })).status).toBe(200)
  })

  it('appears in no log line, and neither does a token', async () => {
    const invoice = await shop.create()
    const { state } = await openPage(invoice.checkout_url)
    await openPage(`${service.url}/pay/${unknownLink}`, { headers: newVisitor() })
    await expect
      .poll(() => service.logged.filter(({ operation }) => operation === 'checkout_page').length)
      .toBeGreaterThan(0)
    const log = JSON.stringify(service.logged)
    expect(log).not.toContain(state.path.slice('/pay/'.length))
    expect(log).not.toContain(state.token?.token)
    expect(log).not.toContain(unknownLink)
    expect(log).toContain(`"invoice_id":"${invoice.id}"`)
  })
})

describe('a merchant’s brand', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
  const origins = ['https://shop.example.com', 'http://localhost:3000']

  it('is shown on the page, with its logo served as an image only', async () => {
    const branded = await openShop(service)
    await service.app.store.merchantBrands.set(branded.merchantId, {
      colour: '#0a7cff',
      embedOrigins: [],
      logo: { mediaType: 'image/png', bytes: png },
      order: usualOrder,
    })
    const { state } = await openPage((await branded.create()).checkout_url)
    expect(state.checkout?.shop).toMatchObject({
      colour: '#0a7cff',
      logo: expect.stringMatching(/^\/checkout-assets\/logo\//),
    })
    const picture = await fetch(`${service.url}${state.checkout?.shop.logo}`)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    for (const name of ['0'.repeat(64), 'x', '..%2f..%2fpackage.json'])
      expect((await fetch(`${service.url}/checkout-assets/logo/${name}`)).status).toBe(404)
  })

  it('allows only the sites that the merchant lists to embed the page', async () => {
    const embedding = await openShop(service)
    const brand = { colour: null, embedOrigins: origins, logo: null, order: usualOrder }
    await service.app.store.merchantBrands.set(embedding.merchantId, brand)
    const { checkout_url: url } = await embedding.create()
    const frames = async (address: string) =>
      /frame-ancestors (.*)$/.exec(
        (await openPage(address)).headers.get('content-security-policy') ?? '',
      )?.[1]
    expect(await frames(`${url}?embed=1`)).toBe(origins.join(' '))
    expect(await frames(url)).toBe("'none'")
    expect(await frames(`${(await shop.create()).checkout_url}?embed=1`)).toBe("'none'")
    expect((await openPage(`${url}?embed=1`)).state.embedded).toBe(true)
  })
})

it('the page’s files are cached forever and compressed, and no other file is served', async () => {
  const url = `${service.url}/checkout-assets/tiny-1a2b3c4d.js`
  const plain = await raw(url, {})
  const packed = await raw(url, { 'Accept-Encoding': 'gzip, br' })
  expect([plain.encoding, packed.encoding]).toEqual([null, 'br'])
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
  expect(brotliDecompressSync(packed.bytes)).toEqual(plain.bytes)
  expect(Object.fromEntries((await fetch(url)).headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
  })
  for (const name of [
    'nothing.js',
    'tiny-1a2b3c4d.js.br',
    '..%2fserver%2frender.js',
    '%2e%2e%2fserver',
    '__proto__',
    '',
  ])
    expect((await fetch(`${service.url}/checkout-assets/${name}`)).status).toBe(404)
})

it('an IP address has one limit per minute for pages and calls together', async () => {
  const limited = await startTestService({
    env: quiet.env,
    config: { limits: { checkout_per_minute: 5 } },
    page: tinyPage,
  })
  try {
    const { checkout_url: url } = await (await openShop(limited)).create()
    const { state, headers } = await openPage(url)
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['5', '4'])
    for (let n = 0; n < 2; n++) expect((await openPage(url)).status).toBe(200)
    const token = state.token?.token as string
    for (let n = 0; n < 2; n++)
      expect((await callCheckout(limited.url, 'getCheckout', { token })).status).toBe(200)
    const page = await openPage(url)
    expect([page.status, page.state.problem, page.headers.has('retry-after')]).toEqual([429, 'busy', true])
    expect((await callCheckout(limited.url, 'getCheckout', { token })).status).toBe(429)
  } finally {
    await limited.stop()
  }
})

it('a page that was not built gets a readable 503, and the log says what to do', async () => {
  const unbuilt = await startTestService({ ...quiet, page: new URL('nowhere/', tinyPage) })
  try {
    const invoice = await (await openShop(unbuilt)).create()
    for (const form of [undefined, { asset: 'BTC@bitcoin' }]) {
      const page = await openPage(invoice.checkout_url, form === undefined ? {} : { form })
      expect([page.status, page.html]).toEqual([503, expect.stringContaining('npm run build')])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(page.headers.get('cache-control')).toBe('no-store')
    }
    expect(JSON.stringify(unbuilt.logged)).toContain('THE PAYMENT PAGE IS NOT BUILT')
  } finally {
    await unbuilt.stop()
  }
})

/** Bytes as they come over the wire: `fetch` would decompress them. */
async function raw(url: string, headers: Record<string, string>) {
  const { get } = await import('node:http')
  return new Promise<{ encoding: string | null; bytes: Buffer }>((resolve, reject) => {
    get(url, { headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ encoding: response.headers['content-encoding'] ?? null, bytes: Buffer.concat(chunks) })
    }).on('error', reject)
  })
}
