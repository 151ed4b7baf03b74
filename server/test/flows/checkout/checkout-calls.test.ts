import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCheckoutToken } from '../../../src/domain/checkout-token.ts'
import { callsPerInvoice, maxGuesses } from '../../../src/http/checkout/gatekeeper.ts'
import { query } from '../../support/database/database.ts'
import {
  callCheckout,
  checkoutOperations,
  newVisitor,
  openPage,
  openShopBehindProxy,
  tokenOf,
} from '../../support/shop/checkout-client.ts'
import type { Answer } from '../../support/shop/contract.ts'
import type { TestService } from '../../support/shop/service.ts'
import { openShop, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop

beforeAll(async () => {
  ;({ service, shop } = await openShopBehindProxy())
})
afterAll(() => service.stop())

const deferred = { amount_fiat: '50.00', fiat_currency: 'USD', deferred: true }
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const linkOf = (invoice: { checkout_url: string }) =>
  new URL(invoice.checkout_url).pathname.slice('/pay/'.length)

/** The page of an invoice, with the calls its script makes. */
async function visit(invoice: { checkout_url: string }) {
  const token = await tokenOf(invoice)
  const ask = async (status: number, operation: string, json?: object) => {
    const answer = await callCheckout(service.url, operation, { token, ...(json !== undefined && { json }) })
    expect(answer.status, answer.text).toBe(status)
    return answer
  }
  return {
    ask,
    get: async () => (await ask(200, 'getCheckout')).body.data,
    simulate: async (action: string) => (await ask(200, 'simulateCheckoutPayment', { action })).body.data,
  }
}

describe.each(checkoutOperations)('$id', ({ id, body }) => {
  // A caller who may not call is refused before anything of the request is read.
  const ask = (token?: string, headers = newVisitor()) =>
    callCheckout(service.url, id, {
      headers,
      ...(token !== undefined && { token }),
      ...(body !== null && { body: '{' }),
    })

  it('answers every invalid token with the same 401, byte for byte', async () => {
    const [mine, another] = [await shop.create(), await shop.create()]
    const live = await shop.create()
    await query(service.database.url, `update invoices set environment = 'live' where id = $1`, [live.id])
    const ended = await shop.create()
    await shop.cancel(ended)
    const endedToken = await tokenOf(ended)
    await query(
      service.database.url,
      `update invoices set updated_at = clock_timestamp() - interval '31 days' where id = $1`,
      [ended.id],
    )
    const good = await tokenOf(mine)
    const token = (whose: { id: string }, link: string, until = inMinutes(15)) =>
      makeCheckoutToken({ id: whose.id, link }, until)
    const changed = `${good.slice(0, 30)}${good[30] === 'A' ? 'B' : 'A'}${good.slice(31)}`
    const wrong: (string | undefined)[] = [
      undefined,
      'x',
      '',
      good.slice(1),
      `${good}A`,
      changed,
      shop.key,
      linkOf(mine),
      token(mine, linkOf(mine), inMinutes(-1)),
      token(mine, linkOf(another)),
      token(mine, linkOf(live)),
      token(live, linkOf(mine)),
      token({ id: '01890000-0000-7000-8000-000000000000' }, linkOf(mine)),
      endedToken,
    ]
    const answers = await Promise.all(wrong.map((each) => ask(each)))
    for (const answer of answers)
      expect([answer.status, answer.body.error?.code], answer.text).toEqual([401, 'unauthorized'])
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => [...headers.keys()].join())).size).toBe(1)
  })

  it('refuses an IP address that has tried too many forged tokens', async () => {
    const headers = newVisitor()
    const forged = makeCheckoutToken({ id: '01890000-0000-7000-8000-000000000000', link: 'x' }, inMinutes(15))
    for (let n = 0; n <= maxGuesses; n++) expect((await ask(forged, headers)).status).toBe(401)
    const shut = await ask(await tokenOf(await shop.create()), headers)
    expect([shut.status, shut.headers.get('ratelimit-remaining')]).toEqual([429, '0'])
  })
})

const posted = checkoutOperations.filter(({ method }) => method === 'POST')

it.each(posted)('$id refuses a body that violates the contract with 400', async ({ id, body }) => {
  const token = await tokenOf(await shop.create())
  const wrong = ['{', '[]', '{"x":1,"x":2}', '{"__proto__":1}', '{"no_such_field":1}']
  for (const text of [...wrong, ...(body === null ? [] : ['', 'null', '{}'])]) {
    const answer = await callCheckout(service.url, id, { token, body: text })
    expect([answer.status, answer.body.error.code], text).toEqual([400, 'validation_error'])
  }
})

it.each(posted.filter(({ body }) => body !== null))(
  '$id refuses a body that is too large or not JSON',
  async ({ id }) => {
    const token = await tokenOf(await shop.create())
    const headers = { 'Content-Type': 'text/plain' }
    expect((await callCheckout(service.url, id, { token, body: '{}', headers })).status).toBe(415)
    const large = JSON.stringify({ action: 'x'.repeat(65 * 1024) })
    expect((await callCheckout(service.url, id, { token, body: large })).status).toBe(413)
  },
)

it('an expired token does not count as a guess, so a page that slept is not locked out', async () => {
  const invoice = await shop.create()
  const headers = newVisitor()
  const old = makeCheckoutToken({ id: invoice.id, link: linkOf(invoice) }, inMinutes(-1))
  for (let n = 0; n < maxGuesses + 5; n++)
    expect((await callCheckout(service.url, 'getCheckout', { token: old, headers })).status).toBe(401)
  const token = await tokenOf(invoice)
  expect((await callCheckout(service.url, 'getCheckout', { token, headers })).status).toBe(200)
})

it('the pages of one invoice share a limit, wherever they are open', async () => {
  const invoice = await shop.create()
  const token = await tokenOf(invoice)
  const ask = () => callCheckout(service.url, 'getCheckout', { token, headers: newVisitor() })
  for (let n = 0; n < callsPerInvoice; n++) expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  const other = await tokenOf(await shop.create())
  expect((await callCheckout(service.url, 'getCheckout', { token: other })).status).toBe(200)
})

it('a valid token can be renewed, and the new one is valid too', async () => {
  const invoice = await shop.create()
  const { ask } = await visit(invoice)
  const { token, expires_at } = (await ask(200, 'renewCheckoutToken')).body.data
  const leftMs = new Date(expires_at).getTime() - Date.now()
  expect(leftMs / 60_000).toBeGreaterThan(14)
  expect(leftMs / 60_000).toBeLessThanOrEqual(15.1)
  const answer = await callCheckout(service.url, 'getCheckout', { token })
  expect(answer.body.data.invoice_id).toBe(invoice.id)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

describe('the payer sees', () => {
  const phase = ({ phase: now, asset }: { phase: string; asset: Record<string, string> }) => ({
    phase: now,
    missing: asset.amount_missing,
    pending: asset.amount_pending,
  })

  it('an exact payment as detected, confirming and paid', async () => {
    const page = await visit(await shop.create())
    expect(phase(await page.get())).toEqual({ phase: 'pay', missing: '0.01', pending: '0' })
    const detected = await page.simulate('pay_exact')
    expect(phase(detected)).toEqual({ phase: 'detected', missing: '0', pending: '0.01' })
    expect(detected.asset).toMatchObject({ payment_uri: null, qr: null })
    const confirming = await page.simulate('mine')
    expect(phase(confirming)).toEqual({ phase: 'confirming', missing: '0', pending: '0.01' })
    expect(confirming.payments).toMatchObject([
      { confirmations: 1, required_confirmations: 2, status: 'confirming' },
    ])
    const paid = await page.simulate('mine')
    expect(phase(paid)).toEqual({ phase: 'paid', missing: '0', pending: '0' })
    expect(paid.payments).toMatchObject([{ confirmations: 2, status: 'confirmed', late: false }])
    expect(paid.paid_at).not.toBeNull()
    // Further blocks send no update: idle pages are not told of each.
    expect((await page.simulate('mine')).payments).toEqual(paid.payments)
  })

  it('an underpayment with the missing amount at the same address, and then the rest', async () => {
    const invoice = await shop.create()
    const page = await visit(invoice)
    expect(phase(await page.simulate('pay_less'))).toEqual({
      phase: 'detected',
      missing: '0.005',
      pending: '0.005',
    })
    await page.simulate('mine')
    const underpaid = await page.simulate('mine')
    expect(phase(underpaid)).toEqual({ phase: 'underpaid', missing: '0.005', pending: '0' })
    expect(underpaid.asset.address).toBe(invoice.deposit_address)
    expect(underpaid.asset.payment_uri).toContain('amount=0.005')
    expect(phase(await page.simulate('pay_exact'))).toEqual({
      phase: 'detected',
      missing: '0',
      pending: '0.005',
    })
    await page.simulate('mine')
    expect((await page.simulate('mine')).phase).toBe('paid')
    await page.ask(400, 'simulateCheckoutPayment', { action: 'pay_exact' })
  })

  it('an overpayment with the excess', async () => {
    const page = await visit(await shop.create())
    await page.simulate('pay_more')
    await page.simulate('mine')
    const overpaid = await page.simulate('mine')
    expect([overpaid.phase, overpaid.asset.amount_overpaid]).toEqual(['overpaid', '0.001'])
  })

  it('a late payment on an expired invoice with its amount', async () => {
    const invoice = await shop.create()
    const page = await visit(invoice)
    await shop.expire(invoice)
    expect((await page.get()).phase).toBe('expired')
    const late = await page.simulate('pay_exact')
    expect([late.phase, late.asset.amount_late, late.asset.payment_uri]).toEqual(['expired', '0.01', null])
    expect(late.payments).toMatchObject([{ late: true }])
  })

  it('"closing" while the window is over but the chain was not scanned since', async () => {
    const invoice = await shop.create()
    const page = await visit(invoice)
    // Until the chain is scanned again, a payment in time may still be found.
    await query(
      service.database.url,
      `update followed_chains set held_until = clock_timestamp() + interval '1 hour'`,
    )
    await query(
      service.database.url,
      `update invoices set expires_at = clock_timestamp() - interval '1 second', due_at = null where id = $1`,
      [invoice.id],
    )
    const closing = await page.get()
    await query(service.database.url, 'update followed_chains set held_until = null')
    expect([closing.phase, closing.asset.amount_missing, closing.asset.qr]).toEqual(['closing', '0', null])
  })

  it('a cancelled invoice', async () => {
    const invoice = await shop.create()
    const page = await visit(invoice)
    await shop.cancel(invoice)
    expect(await page.get()).toMatchObject({ phase: 'cancelled', asset: { payment_uri: null } })
  })

  it('an offline network', async () => {
    const other = await openShop(service)
    const page = await visit(await other.create())
    await other.setGate('bitcoin', 'offline')
    expect((await page.get()).asset.network_online).toBe(false)
  })
})

describe('choosing an asset', () => {
  it('offers every asset with an estimate and the cost of sending, available ones first', async () => {
    const page = await visit(await shop.create(deferred))
    const offers = (await page.ask(200, 'listCheckoutAssets')).body.data
    expect(offers).toHaveLength(service.app.assets.flatMap(({ assets }) => assets).length)
    const find = (currency: string, network: string) =>
      offers.find(
        (each: { currency: string; network: string }) =>
          each.currency === currency && each.network === network,
      )
    expect(find('BTC', 'bitcoin')).toMatchObject({
      status: 'available',
      token_standard: null,
      network_fee_currency: 'BTC',
      network_fee: expect.stringMatching(/^0\.0000/),
      network_fee_fiat: expect.stringMatching(/^(?!0\.00$)\d+\.\d\d$/),
    })
    expect(find('USDC', 'polygon')).toMatchObject({ token_standard: 'ERC-20', network_fee_currency: 'POL' })
    expect(find('USDC', 'solana')).toMatchObject({ token_standard: 'SPL', network_fee_currency: 'SOL' })
  })

  it('offers what payers use most first, then the others by their code', async () => {
    const page = await visit(await shop.create(deferred))
    const offers = (await page.ask(200, 'listCheckoutAssets')).body.data
    const codes = [...new Set(offers.map(({ currency }: { currency: string }) => currency))]
    const first = ['BTC', 'USDT', 'ETH', 'USDC', 'SOL']
    expect(codes.slice(0, first.length)).toEqual(first)
    const others = codes.slice(first.length)
    expect(others.length).toBeGreaterThan(1)
    expect(others).toEqual([...others].sort())
  })

  it('asks for amounts that forms of exchanges take: at most 8 decimals, even if the asset has more', async () => {
    const price = { amount_fiat: '49.91', fiat_currency: 'USD' }
    const page = await visit(await shop.create({ ...price, deferred: true }))
    const offers = (await page.ask(200, 'listCheckoutAssets')).body.data
    const decimalsOf = ({ estimated_amount: amount }: { estimated_amount: string }) =>
      amount.split('.')[1]?.length ?? 0
    expect(Math.max(...offers.map(decimalsOf))).toBe(8)
    const created = await shop.create({ ...price, currency: 'SOL' })
    const chosen = await page.ask(200, 'chooseCheckoutAsset', { currency: 'SOL', network: 'solana' })
    // 0.332733333… with 9 decimals on the network, at 150 USD.
    expect([created.amount, chosen.body.data.asset.amount]).toEqual(['0.33273334', '0.33273334'])
  })

  it('shows for each asset why it cannot be chosen', async () => {
    const other = await openShop(service)
    const page = await visit(await other.create({ ...deferred, amount_fiat: '0.50' }))
    await other.setGate('solana', 'offline')
    const offers = (await page.ask(200, 'listCheckoutAssets')).body.data
    const statuses = new Map(
      offers.map((each: { currency: string; network: string; status: string }) => [
        `${each.currency}@${each.network}`,
        each.status,
      ]),
    )
    expect(statuses.get('SOL@solana')).toBe('offline')
    expect(statuses.get('USDT@ethereum')).toBe('too_small')
    expect(statuses.get('USDT@polygon')).toBe('available')
    const order = offers.map((each: { status: string }) => each.status === 'available')
    expect(order).toEqual([...order].sort((a, b) => Number(b) - Number(a)))
  })

  it('locks rate, address and window, and asks for exactly the estimated amount', async () => {
    const page = await visit(await shop.create(deferred))
    const offers = (await page.ask(200, 'listCheckoutAssets')).body.data
    const offer = offers.find((each: { currency: string }) => each.currency === 'LTC')
    const chosen = (await page.ask(200, 'chooseCheckoutAsset', { currency: 'LTC', network: 'litecoin' })).body
      .data
    expect(chosen).toMatchObject({ phase: 'pay', asset: { currency: 'LTC', amount: offer.estimated_amount } })
    expect(chosen.asset.exchange_rate).not.toBeNull()
    await page.ask(409, 'chooseCheckoutAsset', { currency: 'BTC', network: 'bitcoin' })
    await page.ask(200, 'simulateCheckoutPayment', { action: 'pay_exact' })
    await page.ask(409, 'listCheckoutAssets')
  })

  it('in two tabs at once lets one choice win, and both tabs show it', async () => {
    for (let round = 0; round < 5; round++) {
      const invoice = await shop.create(deferred)
      const [first, second] = [await visit(invoice), await visit(invoice)]
      const token = await tokenOf(invoice)
      const choose = (currency: string, network: string) =>
        callCheckout(service.url, 'chooseCheckoutAsset', { token, json: { currency, network } })
      const answers = await Promise.all([choose('BTC', 'bitcoin'), choose('LTC', 'litecoin')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const winner = answers.find(({ status }) => status === 200)?.body.data.asset
      for (const page of [first, second])
        expect((await page.get()).asset).toMatchObject({ currency: winner.currency, address: winner.address })
      const told = await query(
        service.database.url,
        `select from events where resource_id = $1 and event = 'invoice.confirming'`,
        [invoice.id],
      )
      expect(told).toHaveLength(1)
    }
  })

  it.each([
    [400, { currency: 'NOPE', network: 'bitcoin' }],
    [400, { currency: 'BTC', network: 'ethereum' }],
    [400, { currency: 'BTC' }],
    [400, { currency: 'BTC', network: 'bitcoin', amount: '1' }],
    [422, { currency: 'USDT', network: 'ethereum' }],
  ])('answers %d to %j, and the invoice stays open', async (status, json) => {
    const page = await visit(await shop.create({ ...deferred, amount_fiat: '0.50' }))
    await page.ask(status, 'chooseCheckoutAsset', json)
    expect((await page.get()).phase).toBe('choose')
  })
})

describe('simulating a payment', () => {
  it('works only for test invoices on simulated networks that have an asset', async () => {
    const unchosen = await visit(await shop.create(deferred))
    const refused = await unchosen.ask(400, 'simulateCheckoutPayment', { action: 'pay_exact' })
    expect(refused.body.error.code).toBe('invalid_state')
    const live = await shop.create()
    await query(
      service.database.url,
      `update invoices set environment = 'live', gate_id = 'bitcoin-live' where id = $1`,
      [live.id],
    )
    const page = await visit(live)
    for (const action of ['pay_exact', 'mine']) await page.ask(400, 'simulateCheckoutPayment', { action })
    expect((await page.get()).asset).toMatchObject({ simulated: false, network_online: false })
  })
})

it('an API key opens no payment page, and a checkout token no API', async () => {
  const invoice = await shop.create()
  const token = await tokenOf(invoice)
  for (const headers of [{ 'X-API-Key': token }, { Authorization: `Bearer ${token}` }] as Record<
    string,
    string
  >[])
    expect((await fetch(`${service.url}/api/v1/invoices/${invoice.id}`, { headers })).status).toBe(401)
  const { html } = await openPage(invoice.checkout_url)
  expect(html).not.toMatch(/sk_(test|live)_/)
})

function withoutRequestId(answer: Answer): string {
  return answer.text.replace(answer.body.meta.request_id, '')
}
