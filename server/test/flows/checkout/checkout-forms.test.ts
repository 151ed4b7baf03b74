import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeSettings } from '../../../src/app/merchants/change-settings.ts'
import { callCheckout, openPage, tinyPage, tokenOf } from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

// A page whose script is off or still loading sends forms.
let service: TestService
let shop: Shop

beforeAll(async () => {
  service = await startTestService({ ...quiet, page: tinyPage })
  shop = await openShop(service)
})
afterAll(() => service.stop())

const deferred = { amount_fiat: '50.00', fiat_currency: 'USD', deferred: true }
const offerName = ({ currency, network }: { currency: string; network: string }) => `${currency}@${network}`

it('a form chooses the asset and leads back to the page in its language and frame', async () => {
  const invoice = await shop.create(deferred)
  const page = await openPage(invoice.checkout_url)
  expect(page.state.checkout).toMatchObject({ phase: 'choose', asset: null, amount_fiat: '50.00' })
  expect(page.state.offers?.find(({ currency }) => currency === 'BTC')).toMatchObject({
    status: 'available',
    network: 'bitcoin',
  })
  const chosen = await openPage(`${invoice.checkout_url}?lang=de`, {
    form: { asset: 'BTC@bitcoin', embed: '1' },
  })
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, `${page.state.path}?lang=de&embed=1`])
  const after = await openPage(invoice.checkout_url)
  expect(after.state.checkout).toMatchObject({ phase: 'pay', asset: { currency: 'BTC' } })
  const second = await openPage(invoice.checkout_url, { form: { asset: 'LTC@litecoin' } })
  expect(second.headers.get('location')).toBe(`${page.state.path}?notice=not_done`)
  expect((await openPage(invoice.checkout_url)).state.checkout?.asset?.currency).toBe('BTC')
})

it('a form changes the choice; the list of others comes only where the choice may be changed', async () => {
  const invoice = await shop.create(deferred)
  await openPage(invoice.checkout_url, { form: { asset: 'BTC@bitcoin' } })
  expect((await openPage(invoice.checkout_url)).state.offers).toBeNull()
  const page = await openPage(`${invoice.checkout_url}?change=1`)
  expect(page.state.offers?.map(({ currency }) => currency)).toContain('LTC')
  const changed = await openPage(invoice.checkout_url, {
    form: { asset: 'LTC@litecoin', instead_of: 'BTC@bitcoin' },
  })
  expect(changed.headers.get('location')).toBe(page.state.path)
  const after = await openPage(invoice.checkout_url)
  expect(after.state.checkout).toMatchObject({ phase: 'pay', asset: { currency: 'LTC' } })
  await openPage(invoice.checkout_url, { form: { simulate: 'pay_exact' } })
  expect((await openPage(`${invoice.checkout_url}?change=1`)).state.offers).toBeNull()
})

it('the merchant’s order comes before the usual one, on the page and in what an open page asks for', async () => {
  const ordering = await openShop(service)
  const invoice = await ordering.create(deferred)
  const token = await tokenOf(invoice)
  const listed = async (of = invoice, by = token): Promise<string[]> => {
    const asked = (await callCheckout(service.url, 'listCheckoutAssets', { token: by })).body.data
    expect((await openPage(of.checkout_url)).state.offers).toEqual(asked)
    return asked.map(offerName)
  }
  const usual = await listed()
  const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
  await changeSettings(service.app, by, ordering.merchantId, {
    currencyOrder: ['LTC', 'USDC', 'BTC'],
    networkOrder: ['solana', 'polygon'],
  })
  const ordered = await listed()
  expect(ordered.toSorted()).toEqual(usual.toSorted())
  const codes = [...new Set(ordered.map((name) => name.split('@')[0]))]
  expect(codes.slice(0, 6)).toEqual(['LTC', 'USDC', 'BTC', 'USDT', 'ETH', 'SOL'])
  const onUsual = usual.filter((name) => name.startsWith('USDC@'))
  const first = ['USDC@solana', 'USDC@polygon']
  expect(ordered.filter((name) => name.startsWith('USDC@'))).toEqual([
    ...first,
    ...onUsual.filter((name) => !first.includes(name)),
  ])
  // What cannot be chosen comes last, wherever the merchant put it.
  await ordering.setGate('litecoin', 'offline')
  const left = await listed()
  expect([left[0], left.at(-1)]).toEqual(['USDC@solana', 'LTC@litecoin'])
  // The payers of another merchant see the usual order.
  const another = await shop.create(deferred)
  expect(await listed(another, await tokenOf(another))).toEqual(usual)
})

it('a form pays a test invoice', async () => {
  const invoice = await shop.create()
  const pay = await openPage(invoice.checkout_url, { form: { simulate: 'pay_less' } })
  expect([pay.status, pay.headers.get('location')]).toEqual([303, new URL(invoice.checkout_url).pathname])
  expect((await openPage(invoice.checkout_url)).state.checkout).toMatchObject({
    phase: 'detected',
    asset: { amount_pending: '0.005', amount_missing: '0.005' },
  })
})

it.each([
  ['no action', {}, 'not_done'],
  ['an unknown action', { simulate: 'rob' }, 'not_done'],
  ['an unknown asset', { asset: 'NOPE@bitcoin' }, 'not_done'],
  ['an asset without a network', { asset: 'BTC' }, 'not_done'],
])('a form with %s is redirected with a notice', async (_, form, notice) => {
  const invoice = await shop.create(deferred)
  const { status, headers } = await openPage(invoice.checkout_url, { form })
  expect([status, headers.get('location')]).toEqual([
    303,
    `${new URL(invoice.checkout_url).pathname}?notice=${notice}`,
  ])
})

it('an offline network is named in the notice', async () => {
  const other = await openShop(service)
  const invoice = await other.create(deferred)
  await other.setGate('litecoin', 'offline')
  const { headers } = await openPage(invoice.checkout_url, { form: { asset: 'LTC@litecoin' } })
  expect(headers.get('location')).toContain('notice=gate_offline')
  const { state } = await openPage(invoice.checkout_url)
  expect(state.offers?.find(({ currency }) => currency === 'LTC')?.status).toBe('offline')
})

it('a form to an unknown link gets the same answer as the page', async () => {
  const form = { asset: 'BTC@bitcoin' }
  const unknown = await openPage(`${service.url}/pay/${'A'.repeat(22)}`, { form })
  expect([unknown.status, unknown.state.problem]).toEqual([404, 'unknown'])
})
