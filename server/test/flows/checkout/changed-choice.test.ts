import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { openTestDatabase } from '../../support/database/open-database.ts'
import { callCheckout, openPage, tinyPage, tokenOf } from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ ...quiet, page: tinyPage })
})
afterAll(() => service.stop())
afterEach(() => expectSoundBooks(service.database.url))

const price = { amount_fiat: '49.90', fiat_currency: 'USD', expires_in: 600 }
const btc = { currency: 'BTC', network: 'bitcoin' }
const ltc = { currency: 'LTC', network: 'litecoin' }
const usdc = { currency: 'USDC', network: 'ethereum' }
const eth = { currency: 'ETH', network: 'ethereum' }
const sol = { currency: 'SOL', network: 'solana' }

type Choice = { readonly currency: string; readonly network: string }

/** A deferred invoice whose payer can choose. */
async function openInvoice(shop: Shop) {
  const invoice = await shop.create(price)
  const token = await tokenOf(invoice)
  const call = (json: object) => callCheckout(service.url, 'chooseCheckoutAsset', { token, json })
  const choose = async (json: object): Promise<Row> => {
    const answer = await call(json)
    expect(answer.status, answer.text).toBe(200)
    return shop.get(invoice)
  }
  return {
    invoice,
    token,
    first: (choice: Choice) => choose(choice),
    change: (from: Choice, to: Choice) => choose({ ...to, instead_of: from }),
    tryChange: (from: Choice, to: Choice) => call({ ...to, instead_of: from }),
    offers: () => callCheckout(service.url, 'listCheckoutAssets', { token }),
    page: async () => (await openPage(invoice.checkout_url)).state.checkout,
  }
}

const fixed = ({
  currency,
  network,
  amount,
  deposit_address,
  exchange_rate,
  rate_locked_at,
  amount_in_base_currency,
}: Row) => ({
  currency,
  network,
  amount,
  deposit_address,
  exchange_rate,
  rate_locked_at,
  amount_in_base_currency,
})

it('a payer who has paid nothing picks another asset, pays it, and the window stays', async () => {
  const shop = await openShop(service)
  const { invoice, first, change, page } = await openInvoice(shop)
  const before = await first(btc)
  expect(await page()).toMatchObject({ phase: 'pay', can_change_asset: true })
  const after = await change(btc, ltc)
  expect(after).toMatchObject({
    ...ltc,
    status: 'pending',
    expires_at: before.expires_at,
    gate_id: 'litecoin-test',
  })
  expect(after.deposit_address).not.toBe(before.deposit_address)
  const events = await shop.events()
  expect(events.map(({ event, data }) => [event, data.currency])).toEqual([
    ['invoice.confirming', 'BTC'],
    ['invoice.confirming', 'LTC'],
  ])
  await shop.pay(after, after.amount)
  expect(await page()).toMatchObject({ phase: 'detected', can_change_asset: false })
  await shop.mine(after.required_confirmations, 'litecoin')
  expect((await shop.get(invoice)).status).toBe('paid')
  expect(await shop.told()).toEqual(['invoice.payment_detected', 'balance.credited', 'invoice.paid'])
})

it('an asset that was picked before has the same amount, rate and address, whatever the rate is now', async () => {
  const shop = await openShop(service)
  const { first, change, offers } = await openInvoice(shop)
  const before = await first(btc)
  await change(btc, ltc)
  // As if the rate had been another one at the first choice.
  await query(service.database.url, 'alter table invoice_choices disable trigger user')
  await query(
    service.database.url,
    `update invoice_choices set amount_units = amount_units * 2 where invoice_id = $1`,
    [before.id],
  )
  await query(service.database.url, 'alter table invoice_choices enable trigger user')
  const doubled = (await offers()).body.data.find((offer: Row) => offer.currency === 'BTC')
  expect(doubled).toMatchObject({ status: 'available', estimated_amount: '0.00166334' })
  const back = await change(ltc, btc)
  expect(fixed(back)).toEqual({ ...fixed(before), amount: '0.00166334' })
  const there = await change(btc, ltc)
  expect(fixed(await change(ltc, btc))).toEqual(fixed(back))
  expect(fixed(await change(btc, ltc))).toEqual(fixed(there))
})

it('what is paid first decides: a payment of an earlier choice brings the invoice back to it', async () => {
  const shop = await openShop(service)
  const { invoice, first, change } = await openInvoice(shop)
  const inBtc = await first(btc)
  const inLtc = await change(btc, ltc)
  const inSol = await change(ltc, sol)
  await shop.events()
  await shop.pay(inLtc, inLtc.amount)
  expect(fixed(await shop.get(invoice))).toEqual(fixed(inLtc))
  await shop.mine(inLtc.required_confirmations, 'litecoin')
  expect(await shop.get(invoice)).toMatchObject({ ...ltc, status: 'paid', expires_at: inBtc.expires_at })
  expect(await shop.told()).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ])
  // Everything else that arrives then belongs to no invoice, and says whose it was.
  await shop.pay(inBtc, inBtc.amount)
  await shop.pay(inSol, inSol.amount)
  await shop.mine(2)
  await shop.mine(32, 'solana')
  const rows = await query(
    service.database.url,
    `select currency, suspense_reason, for_invoice_id from payments where invoice_id is null and for_invoice_id = $1 order by 1`,
    [invoice.id],
  )
  expect(rows).toEqual([
    { currency: 'BTC', suspense_reason: 'wrong_network', for_invoice_id: invoice.id },
    { currency: 'SOL', suspense_reason: 'wrong_network', for_invoice_id: invoice.id },
  ])
  expect(await shop.get(invoice)).toMatchObject({ ...ltc, status: 'paid' })
})

it('of two payments on one network the first decides, where addresses are shared too', async () => {
  const shop = await openShop(service)
  const { invoice, first, change } = await openInvoice(shop)
  const inEth = await first(eth)
  const inUsdc = await change(eth, usdc)
  expect(inUsdc.deposit_address).not.toBe(inEth.deposit_address)
  await shop.pay(inEth, inEth.amount)
  await shop.pay(inUsdc, inUsdc.amount)
  await shop.mine(inEth.required_confirmations, 'ethereum')
  expect(await shop.get(invoice)).toMatchObject({ ...eth, status: 'paid' })
  const rows = await query(
    service.database.url,
    `select currency, suspense_reason from payments where for_invoice_id = $1`,
    [invoice.id],
  )
  expect(rows).toEqual([{ currency: 'USDC', suspense_reason: 'wrong_currency' }])
})

it('neither dust nor another currency at an earlier address brings the invoice back', async () => {
  const shop = await openShop(service)
  const { invoice, first, change } = await openInvoice(shop)
  const inBtc = await first(btc)
  const inEth = await change(btc, eth)
  await change(eth, ltc)
  await shop.pay(inBtc, '0.00000001')
  await shop.mine(1)
  await shop.pay({ ...inEth, currency: 'USDC' }, '49.9')
  await shop.mine(1, 'ethereum')
  expect(await shop.get(invoice)).toMatchObject({ ...ltc, status: 'pending', payments: [] })
  // What arrived counts for nothing, so the payer may still change.
  await change(ltc, btc)
})

it('a payment of an earlier choice after the window is a late deposit, in the asset that was paid', async () => {
  const shop = await openShop(service)
  const { invoice, first, change } = await openInvoice(shop)
  const inBtc = await first(btc)
  await change(btc, ltc)
  await shop.expire(invoice)
  await shop.events()
  await shop.pay(inBtc, inBtc.amount)
  await shop.mine(2)
  const late = await shop.get(invoice)
  expect(late).toMatchObject({ ...btc, amount_paid: inBtc.amount })
  expect(await shop.told()).toContain('invoice.late_deposit')
})

it('nothing can be changed once a payment was seen, even one that vanished, nor after the window or a cancellation', async () => {
  const shop = await openShop(service)
  const seen = await openInvoice(shop)
  const inBtc = await seen.first(btc)
  const hash = await shop.pay(inBtc, inBtc.amount)
  expect((await seen.tryChange(btc, ltc)).status).toBe(409)
  expect((await seen.offers()).status).toBe(409)
  await shop.mine(1)
  await shop.reorganise(1, [hash])
  expect((await seen.tryChange(btc, ltc)).status).toBe(409)
  expect(await seen.page()).toMatchObject({ can_change_asset: false })

  const over = await openInvoice(shop)
  await over.first(btc)
  await query(
    service.database.url,
    `update invoices set expires_at = clock_timestamp() - interval '1 second', due_at = null where id = $1`,
    [over.invoice.id],
  )
  expect((await over.tryChange(btc, ltc)).status).toBe(409)

  const cancelled = await openInvoice(shop)
  await cancelled.first(btc)
  await shop.cancel(cancelled.invoice)
  expect((await cancelled.tryChange(btc, ltc)).status).toBe(409)

  const plain = await shop.create({ currency: 'BTC', amount_fiat: '10', fiat_currency: 'USD' })
  const answer = await callCheckout(service.url, 'chooseCheckoutAsset', {
    token: await tokenOf(plain),
    json: { ...ltc, instead_of: btc },
  })
  expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
  expect((await openPage(plain.checkout_url)).state.checkout).toMatchObject({ can_change_asset: false })
})

it('a change from another asset than the present one is refused; of twenty at once one wins and no address is lost', async () => {
  const shop = await openShop(service)
  const { invoice, first, tryChange } = await openInvoice(shop)
  await first(btc)
  expect((await tryChange(ltc, sol)).status).toBe(409)
  expect(await shop.get(invoice)).toMatchObject(btc)
  const others = [ltc, sol, eth]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => tryChange(btc, others[n % 3] as Choice)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const busy = answers.filter(({ status }) => status !== 200).map(({ status }) => status)
  expect(busy.filter((status) => status !== 409 && status !== 503)).toEqual([])
  const kept = await query(
    service.database.url,
    'select currency from invoice_choices where invoice_id = $1',
    [invoice.id],
  )
  expect(kept).toEqual([{ currency: 'BTC' }])
})

it('an invoice is priced in four assets at most, and the payer still moves between those', async () => {
  const shop = await openShop(service)
  const { first, change, tryChange, offers } = await openInvoice(shop)
  await first(btc)
  await change(btc, ltc)
  await change(ltc, eth)
  await change(eth, sol)
  const fifth = await tryChange(sol, usdc)
  expect([fifth.status, fifth.body.error.code]).toEqual([409, 'conflict'])
  expect(fifth.body.error.message).toContain('already priced in 4 assets')
  const offered = (await offers()).body.data.map(({ currency }: Row) => currency)
  expect(offered.sort()).toEqual(['BTC', 'ETH', 'LTC', 'SOL'])
  await change(sol, btc)
})

it('a change and a payment of the present choice at once: the invoice ends with what was paid', async () => {
  const shop = await openShop(service)
  for (let round = 0; round < 6; round++) {
    const { invoice, first, tryChange } = await openInvoice(shop)
    const inBtc = await first(btc)
    const blocker = openTestDatabase(service.database.url, 1)
    let paid: Promise<string> | null = null
    let changed: ReturnType<typeof tryChange> | null = null
    await blocker.db.transaction(async (tx) => {
      await tx.query('select from invoices where id = $1 for no key update', [invoice.id])
      const waits = async (count: number) =>
        expect
          .poll(async () => {
            const rows = await query(
              service.database.url,
              `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            )
            return rows.length
          })
          .toBeGreaterThanOrEqual(count)
      const change = () => (changed = tryChange(btc, ltc))
      const pay = () => (paid = shop.pay(inBtc, inBtc.amount))
      for (const [at, act] of (round % 2 === 0 ? [pay, change] : [change, pay]).entries()) {
        act()
        await waits(at + 1)
      }
    })
    await blocker.close()
    await paid
    expect([200, 409]).toContain((await (changed as unknown as ReturnType<typeof tryChange>)).status)
    await shop.mine(2)
    expect(await shop.get(invoice)).toMatchObject({ ...btc, status: 'paid' })
  }
})

it('search finds the invoice by an address of an earlier choice', async () => {
  const shop = await openShop(service)
  const { invoice, first, change } = await openInvoice(shop)
  const inBtc = await first(btc)
  await change(btc, ltc)
  const rows = await service.app.store.search.byAddress(
    { merchantId: shop.merchantId, environment: 'test' },
    await query(
      service.database.url,
      'select keychain, address, tag from deposit_addresses where address = $1',
      [inBtc.deposit_address],
    ),
  )
  expect(rows.map(({ id }: { id: string }) => id)).toEqual([invoice.id])
})

it('an address that was put among the earlier choices by hand is refused', async () => {
  const shop = await openShop(service)
  const { invoice, first, change, tryChange } = await openInvoice(shop)
  const inBtc = await first(btc)
  await change(btc, ltc)
  await query(service.database.url, 'alter table invoice_choices disable trigger user')
  await query(
    service.database.url,
    `update invoice_choices set deposit_address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' where invoice_id = $1`,
    [invoice.id],
  )
  const answer = await tryChange(ltc, btc)
  expect(answer.status).toBe(503)
  expect(await shop.get(invoice)).toMatchObject(ltc)
  expect(answer.text).not.toContain('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')
  await query(
    service.database.url,
    `update invoice_choices set deposit_address = $2 where invoice_id = $1 and currency = 'BTC'`,
    [invoice.id, inBtc.deposit_address],
  )
  await query(service.database.url, 'alter table invoice_choices enable trigger user')
})
