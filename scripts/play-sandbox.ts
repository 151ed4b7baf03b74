import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { addDestination } from '../server/src/app/payouts/add-destination.ts'
import { setPolicy } from '../server/src/app/payouts/set-policy.ts'
import { createUser } from '../server/src/app/people/create-user.ts'
import { releasePayment } from '../server/src/app/suspense/release-payment.ts'
import { inviteMember } from '../server/src/app/team/invite-member.ts'
import { query, type TestDatabase } from '../server/test/support/database/database.ts'
import {
  DashboardClient,
  enrolPasskey,
  enrolTotp,
  signedIn,
} from '../server/test/support/people/dashboard-client.ts'
import type { Answer } from '../server/test/support/shop/contract-client.ts'
import { newAddress, payOutTo, until } from '../server/test/support/shop/money-out.ts'
import { startTestService, type TestService } from '../server/test/support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../server/test/support/shop/shop.ts'

const longestMs = 60_000
const dollars: Readonly<Record<string, number>> = { BTC: 50_000, ETH: 2_500, LTC: 80, USDT: 1 }
const operator = { actor: 'cli:ada', name: 'ada', ip: null, userAgent: null }
const password = 'correct horse battery staple'

/** Plays a sandbox on a database until most tables hold something, in most of the states there are, and leaves it at rest. */
export async function playSandbox(database: TestDatabase): Promise<void> {
  const outside = await startOutside()
  const base = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const service = await startTestService({
    ...quiet,
    database,
    config: {
      ...quiet.config,
      rates: { sources: ['coinbase'], base_urls: { coinbase: base }, refresh_seconds: 3600 },
    },
  })
  try {
    await untilNone(service, 'select 1 where not exists (select from rates)')
    const shop = await openShop(service, {
      feeBps: 100,
      payoutFeeBps: 50,
      refundFeeBps: 25,
      toleranceBps: 100,
    })
    const other = await openShop(service, { baseCurrency: 'EUR' })
    await shop.expect(201, 'createWebhookEndpoint', { json: { url: `${base}/hooks` } })
    const broken = { url: `${base}/broken`, events: ['invoice.paid', 'payout.completed'] }
    await shop.expect(201, 'createWebhookEndpoint', { json: broken })
    await takeMoneyIn(shop)
    await reverse(shop)
    await holdInSuspense(shop, other)
    await sendMoneyOut(shop, other)
    await letPeopleIn(service, shop)
    await untilNone(service, `select from jobs where kind <> 'send_mail'`)
    await untilNone(service, `select from webhook_deliveries where status = 'pending' and attempts = 0`)
  } finally {
    await service.stop()
    outside.closeAllConnections()
    outside.close()
  }
}

/** What a service talks to: an exchange in Coinbase's format, a receiver of webhooks, and one that is broken. */
async function startOutside(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    if (pathname === '/hooks') return response.writeHead(204).end()
    if (pathname === '/broken') return response.writeHead(500).end('It is broken.')
    const currency = searchParams.get('currency') ?? ''
    const worth = dollars[currency]
    response.setHeader('content-type', 'application/json')
    const quotes = worth === undefined ? {} : { USD: String(worth), EUR: String(worth * 0.8) }
    response.end(JSON.stringify({ data: { currency, rates: quotes } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Invoices in every status, of both kinds of networks, and a static address. */
async function takeMoneyIn(shop: Shop): Promise<void> {
  await shop.create({ currency: 'BTC', amount: '0.01', external_id: 'order 1', metadata: { table: '7' } })
  await shop.create({
    amount_fiat: '49.90',
    fiat_currency: 'USD',
    description: 'The payer has not chosen yet',
  })
  const chosen = await shop.create({ amount_fiat: '20', fiat_currency: 'USD' })
  await done(shop.activate(chosen, { currency: 'BTC', network: 'bitcoin' }))
  await done(shop.cancel(await shop.create({ currency: 'LTC', amount: '1' })))
  await shop.fund('0.5', 'BTC', 'bitcoin')
  await shop.fund('2', 'ETH', 'ethereum')
  await shop.fund('300', 'USDT', 'ethereum')

  const [over, under, late, static_] = [
    await shop.create({ currency: 'BTC', amount: '0.01' }),
    await shop.create({ currency: 'BTC', amount: '0.02' }),
    await shop.create({ currency: 'BTC', amount: '0.03' }),
    await shop.createAddress({ currency: 'BTC', label: 'Donations' }),
  ]
  await shop.pay(over, '0.015')
  await shop.pay(under, '0.005')
  await shop.expire(late)
  await shop.pay(late, '0.03')
  const address: Row = {
    ...static_,
    deposit_address: static_.address,
    deposit_address_tag: static_.address_tag,
  }
  await shop.pay(address, '0.004')
  await shop.pay(address, '0.006')
  await shop.mine(over.required_confirmations)
  await shop.pay(await shop.get(chosen), '0.0001')
}

/** A credit that a reorganisation takes back. */
async function reverse(shop: Shop): Promise<void> {
  const invoice = await shop.create({ currency: 'LTC', network: 'litecoin', amount: '3' })
  const hash = await shop.pay(invoice, '3')
  await shop.mine(invoice.required_confirmations, 'litecoin')
  await shop.reorganise(invoice.required_confirmations, [hash], 'litecoin')
}

/** Two payments in the wrong currency, one of which the operator releases to another merchant. */
async function holdInSuspense(shop: Shop, other: Shop): Promise<void> {
  const invoice = await shop.create({ currency: 'ETH', amount: '1' })
  const hash = await shop.pay({ ...invoice, currency: 'USDT' }, '25')
  await shop.pay({ ...invoice, currency: 'USDT' }, '26')
  await shop.mine(invoice.required_confirmations, 'ethereum')
  const held: Row[] = (await shop.expect(200, 'listSuspense')).body.data
  const payment = held.find(({ tx_hash }) => tx_hash === hash)
  const note = 'The payer took the wrong shop.'
  await releasePayment(shop.service.app, operator, {
    paymentId: payment.id,
    merchantId: other.merchantId,
    note,
  })
}

/** Payouts in every status and refunds, with the sweeps and gas that they need. */
async function sendMoneyOut(shop: Shop, other: Shop): Promise<void> {
  const { app } = shop.service
  const sent = await payOutTo(shop, 'bitcoin', { currency: 'BTC', amount: '0.1' })
  await until(shop, sent, 'completed')
  const token = await payOutTo(shop, 'ethereum', { currency: 'USDT', amount: '120' })
  await until(shop, token, 'completed')

  const paid = await shop.fund('0.04', 'BTC', 'bitcoin')
  const destination = await newAddress('bitcoin')
  const giveBack = async (amount: string): Promise<Row> => {
    const json = { invoice_id: paid.id, currency: 'BTC', amount, destination }
    return (await shop.expect(201, 'createRefund', { json })).body.data
  }
  const { payout_id: id } = await giveBack('0.01')
  await done(shop.approve({ id }))
  await until(shop, { id, network: 'bitcoin' }, 'completed')
  await giveBack('0.02')

  const failing = await payOutTo(shop, 'ethereum', { currency: 'ETH', amount: '0.2' })
  await until(shop, failing, 'processing')
  await shop.expect(200, 'failTestPayout', { path: { payoutID: failing.id } })

  await shop.payOut({ currency: 'BTC', amount: '0.02', destination, description: 'Waits for an approval' })
  await done(shop.cancelPayout(await shop.payOut({ currency: 'BTC', amount: '0.03', destination })))
  await other.fund('0.2', 'BTC', 'bitcoin')
  const owner = { merchantId: other.merchantId, environment: 'test' } as const
  await setPolicy(app, operator, owner, (before) => ({
    ...before,
    maxPayout: 10_000_00n,
    onlyKnownDestinations: true,
    coolingOffSeconds: 2_592_000,
  }))
  await addDestination(
    app,
    operator,
    owner,
    { network: 'bitcoin', address: destination, tag: null },
    'Cold wallet',
  )
  await done(other.approve(await other.payOut({ currency: 'BTC', amount: '0.05', destination })))
}

/** People with a password, an authenticator app and a passkey, one who is invited, and a stranger who guesses. */
async function letPeopleIn(service: TestService, { merchantId }: Shop): Promise<void> {
  const make = (email: string, name: string, role: 'owner' | 'viewer' | null) =>
    createUser(service.app, operator, {
      email,
      name,
      password,
      merchantId: role === null ? null : merchantId,
      role,
      isOperator: role === null,
    })
  const { userId } = await make('olga@example.com', 'Olga', 'owner')
  await make('victor@example.com', 'Victor', 'viewer')
  await make('ada@example.com', 'Ada', null)
  const login = (email: string) => ({ userId, email, password })
  await enrolPasskey(service, await signedIn(service, login('olga@example.com')), 'Olga’s laptop')
  await enrolTotp(await signedIn(service, login('victor@example.com')))
  await new DashboardClient(service).call('signIn', {
    body: { email: 'ada@example.com', password: 'a guess' },
  })
  const request = { merchantId, email: 'nina@example.com', role: 'finance', appointer: null } as const
  await inviteMember(service.app, operator, request)
}

/** Fails on a refusal. */
async function done(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(text)
}

/** Returns when a statement finds nothing any more. */
async function untilNone({ database }: TestService, statement: string): Promise<void> {
  const endMs = performance.now() + longestMs
  while ((await query(database.url, statement)).length > 0) {
    if (performance.now() > endMs) throw new Error(`Still true after ${longestMs} ms: ${statement}`)
    await delay(50)
  }
}
