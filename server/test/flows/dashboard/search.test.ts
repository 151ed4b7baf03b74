import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { expectCleanBooks, newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract; tests read what they need
type Row = any

let service: TestService
let shop: Shop
let owner: DashboardClient
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
  owner = await signedIn(service, await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }))
})
afterAll(() => service.stop())
afterEach(() => expectCleanBooks(service))

const here = () => ({ merchantID: shop.merchantId, environment: 'test' })
const found = async (q: string) => {
  const answer = await owner.call('searchMerchant', { path: here(), query: { q } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map(({ type, id, matched }: Row) => [type, id, matched])
}

describe('a search', () => {
  it('finds an invoice by id, external id or its beginning, address in any form, and transaction hash', async () => {
    const invoice = await shop.create({ currency: 'ETH', amount: '0.5', external_id: 'Order_1001%' })
    const hash = await shop.pay(invoice, '0.5')
    await shop.mine(1, 'ethereum')
    const hit = (matched: string) => [['invoice', invoice.id, matched]]
    expect(await found(invoice.id.toUpperCase())).toEqual(hit('id'))
    expect(await found('Order_1001%')).toEqual(hit('external_id'))
    expect(await found('Order_')).toEqual(hit('external_id'))
    expect(await found('Orderx')).toEqual([])
    expect(await found('RDER_1001')).toEqual(hit('external_id'))
    for (const address of [invoice.deposit_address, invoice.deposit_address.toLowerCase()])
      expect(await found(` ${address} `)).toEqual(hit('address'))
    for (const text of [hash, hash.toUpperCase().replace('0X', '0x'), hash.slice(2)])
      expect(await found(text)).toEqual(hit('tx_hash'))
    expect(await found('0x'.padEnd(66, '0'))).toEqual([])
    expect(await found(invoice.id.slice(0, 18))).toEqual(hit('id'))
    expect(await found(invoice.id.slice(-8))).toEqual(hit('id'))
    expect(await found(invoice.deposit_address.slice(0, 10))).toEqual(hit('address'))
    expect(await found(invoice.deposit_address.slice(-6))).toEqual(hit('address'))
    for (const text of [hash.slice(0, 12), hash.slice(2, 12).toUpperCase()])
      expect(await found(text)).toEqual(hit('tx_hash'))
  })

  it('finds invoices by description and by customer in metadata, anywhere in them and in any case', async () => {
    const invoice = await shop.create({
      currency: 'BTC',
      amount: '0.01',
      description: 'Zwei Becher "Morgenrot"',
      metadata: { customer_email: 'Grace@Hopper.example', items: 2 },
    })
    for (const text of ['becher', '"MORGEN', 'Zwei Becher "Morgenrot"'])
      expect(await found(text)).toEqual([['invoice', invoice.id, 'description']])
    for (const text of ['grace@hopper.example', 'HOPPER'])
      expect(await found(text)).toEqual([['invoice', invoice.id, 'metadata']])
    expect(await found('customer_email')).toEqual([])
    expect(await found('bec%er')).toEqual([])
  })

  it('finds payouts and refunds by id, key, destination and transaction hash', async () => {
    const paid = await shop.fund('0.2')
    const [to, back] = [await newAddress('bitcoin'), await newAddress('bitcoin')]
    const payout = await shop.payOut({
      currency: 'BTC',
      amount: '0.05',
      destination: to,
      idempotency_key: 'wages-7',
    })
    const refund = (
      await shop.refund({ invoice_id: paid.id, currency: 'BTC', amount: '0.01', destination: back }, 'r-1')
    ).body.data
    expect(await found(payout.id)).toEqual([['payout', payout.id, 'id']])
    expect(await found(to)).toEqual([['payout', payout.id, 'destination']])
    expect(await found(to.slice(0, 12))).toEqual([['payout', payout.id, 'destination']])
    expect(await found('wages-7')).toEqual([['payout', payout.id, 'idempotency_key']])
    expect(await found(refund.id)).toEqual([['refund', refund.id, 'id']])
    expect(await found(back.toUpperCase())).toEqual([['refund', refund.id, 'destination']])
    await shop.approve(payout)
    const done = await until(shop, { id: payout.id, network: 'bitcoin' }, 'completed')
    expect(await found(done.tx_hash)).toEqual([['payout', payout.id, 'tx_hash']])
    await shop.cancelPayout({ id: refund.payout_id })
  })

  it('finds static addresses by label in any case and by address with tag, and events by id', async () => {
    const address = await shop.createAddress({ currency: 'XRP', label: 'Spenden für Bäume' })
    const hit = (matched: string) => [['static_address', address.id, matched]]
    expect(await found('SPENDEN für')).toEqual(hit('label'))
    expect(await found(`${address.address}:${address.address_tag}`)).toEqual(hit('address'))
    expect(await found(address.address)).toEqual(hit('address'))
    const [event] = (await shop.call('listEvents')).body.data
    expect(await found(event.id)).toEqual([['event', event.id, 'id']])
  })

  it('finds nothing of another merchant or of the other environment', async () => {
    const other = await openShop(service)
    const theirs = await other.create({ currency: 'BTC', amount: '0.01', external_id: 'theirs-1' })
    for (const q of [theirs.id, 'theirs-1', theirs.deposit_address]) expect(await found(q)).toEqual([])
    const own = await shop.create({ currency: 'BTC', amount: '0.01', external_id: 'ours-1' })
    const place = { merchantId: shop.merchantId, role: 'viewer' } as const
    const viewer = await signedIn(service, await makePerson(service, place))
    const live = await viewer.call('searchMerchant', {
      path: { ...here(), environment: 'live' },
      query: { q: own.id },
    })
    expect(live.body.data).toEqual([])
  })
})
