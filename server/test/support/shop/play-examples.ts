import type { Examples } from '../../../src/http/with-examples.ts'
import { query } from '../database/database.ts'
import { makePerson, signedIn } from '../people/dashboard-client.ts'
import { allowedShop, shopRequest } from '../people/pairing-shop.ts'
import { delivered, startHookReceiver } from '../servers/hook-receiver.ts'
import { type CallOptions, call, contractOperations } from './contract-client.ts'
import { until } from './money-out.ts'
import type { TestService } from './service.ts'
import { openShop, type Row } from './shop.ts'

type Asked = CallOptions & { json?: object }

const shownOrigin = 'https://pay.example.com'
const shownHook = 'https://shop.example.com/hooks/sluice'
const shownSecret = `whsec_${Buffer.from('an example secret, never use it!').toString('base64')}`
const shownKey = `sk_test_${'0123456789abcdef'.repeat(4)}`
const payee = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/**
 * Plays a day of a shop on a running service, and returns what the service answered to each operation, each kind of refusal
 * and each event. Every answer was checked against the contract.
 */
export async function playExamples(service: TestService): Promise<Examples> {
  const shop = await openShop(service, { feeBps: 100, payoutFeeBps: 50 })
  const hook = await startHookReceiver()
  const operations: Record<string, Row> = {}
  const refusals: Record<string, Row> = {}
  const webhooks: Record<string, Row> = {}

  const ask = async (operation: string, { json, ...options }: Asked = {}): Promise<Row> => {
    const { status, text, body } = await call(service.url, operation, {
      key: shop.key,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...options,
    })
    if (status >= 300) throw new Error(`${operation} answered ${status}: ${text}`)
    operations[operation] ??= body
    return body.data
  }
  const refused = async (name: string, operation: string, { json, ...options }: Asked): Promise<void> => {
    const { status, text, body } = await call(service.url, operation, {
      key: shop.key,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...options,
    })
    if (status < 400) throw new Error(`${operation} answered ${status}: ${text}`)
    refusals[name] = body
  }
  const of = (name: string, { id }: Row, further: Asked = {}): Asked => ({ path: { [name]: id }, ...further })
  const pay = ({ deposit_address: address, currency, network }: Row, amount: string) =>
    ask('createTestDeposit', { json: { address, currency, network, amount } })
  const mine = (count: number, network = 'bitcoin') => ask('mineTestBlocks', { json: { network, count } })
  const complete = async (payout: Row) => {
    await ask('approveTestPayout', of('payoutID', payout))
    await until(shop, payout, 'completed')
  }
  const fail = async (payout: Row) => {
    await shop.approve(payout)
    await ask('failTestPayout', of('payoutID', payout))
    await until(shop, payout, 'failed')
  }

  try {
    const endpoint = await ask('createWebhookEndpoint', {
      json: { url: hook.url, description: 'Order desk' },
    })
    await ask('testWebhookEndpoint', of('endpointID', endpoint))

    const invoice = await ask('createInvoice', {
      json: {
        amount_fiat: '49.90',
        fiat_currency: 'EUR',
        currency: 'BTC',
        external_id: 'order-1001',
        description: 'Two tickets',
        metadata: { customer: 'c-217' },
        redirect_url: 'https://shop.example.com/orders/1001',
        idempotency_key: 'order-1001',
      },
    })
    await pay(invoice, invoice.amount)
    await mine(invoice.required_confirmations)
    await ask('getInvoice', of('invoiceID', invoice))

    const unlucky = await shop.create({ currency: 'BTC', amount: '0.01', external_id: 'order-1000' })
    const { tx_hash: hash } = await pay(unlucky, '0.01')
    await shop.mine(2)
    await ask('reorganiseTestChain', { json: { network: 'bitcoin', depth: 2, drop: [hash] } })
    // The simulator drops transactions for good; a real network may bring them back.
    const back = `update simulated_transactions set state = 'waiting' where hash = $1`
    await query(service.database.url, back, [hash])
    await shop.mine(2)

    const short = await shop.create({ currency: 'BTC', amount: '0.02', external_id: 'order-1002' })
    await shop.pay(short, '0.015')
    await shop.mine(2)
    await shop.pay(short, '0.01')
    await shop.mine(2)
    const late = await shop.create({ currency: 'LTC', amount: '0.5', external_id: 'order-1003' })
    await ask('expireTestInvoice', of('invoiceID', late))
    await shop.pay(late, '0.5')
    await shop.mine(late.required_confirmations, 'litecoin')
    const open = await shop.create({ amount_fiat: '120.00', fiat_currency: 'EUR', external_id: 'order-1004' })
    await ask(
      'activateTestInvoice',
      of('invoiceID', open, { json: { currency: 'USDT', network: 'ethereum' } }),
    )
    await ask('cancelInvoice', of('invoiceID', open))
    await refused('Conflict', 'cancelInvoice', of('invoiceID', invoice))

    const address = await ask('createAddress', { json: { currency: 'BTC', label: 'Customer c-217' } })
    await shop.deposit({ address: address.address, currency: 'BTC', amount: '0.05' })
    await shop.deposit({ address: address.address, currency: 'BTC', amount: '0.00000100' })
    await shop.mine(2)
    await ask('getAddress', of('addressID', address))
    await ask('listAddresses')
    await ask('listAddressInvoices', of('addressID', address))
    await ask('listSuspense')

    const payout = await ask('createPayout', {
      json: {
        currency: 'BTC',
        amount: '0.005',
        destination: payee,
        description: 'Supplier 7',
        idempotency_key: 'payroll-7',
      },
    })
    await complete(payout)
    await ask('getPayout', of('payoutID', payout))
    const [first, second] = await ask('createPayouts', {
      json: {
        payouts: [
          { currency: 'BTC', amount: '0.001', destination: payee, idempotency_key: 'payroll-8' },
          { currency: 'BTC', amount: '5', destination: payee, idempotency_key: 'payroll-9' },
        ],
      },
    })
    if (second.outcome === first.outcome) throw new Error('One of the two payouts exceeds the balance.')
    await ask('cancelPayout', of('payoutID', first.payout))
    const rejected = await shop.payOut({ currency: 'BTC', amount: '0.001', destination: payee })
    await ask('rejectTestPayout', of('payoutID', rejected))
    const doomed = await shop.payOut({ currency: 'BTC', amount: '0.001', destination: payee })
    await fail(doomed)

    const refund = await ask('createRefund', {
      json: {
        invoice_id: short.id,
        currency: 'BTC',
        amount: '0.005',
        destination: payee,
        description: 'Paid too much',
      },
      headers: { 'Idempotency-Key': 'refund-1002' },
    })
    await complete({ id: refund.payout_id, network: 'bitcoin' })
    await ask('getRefund', { path: { refundID: refund.id } })
    const lost = await shop.refund({
      invoice_id: short.id,
      currency: 'BTC',
      amount: '0.001',
      destination: payee,
    })
    await fail({ id: lost.body.data.payout_id, network: 'bitcoin' })

    for (const list of ['listInvoices', 'listPayouts', 'listRefunds', 'listBalances', 'listEvents'])
      await ask(list, list === 'listBalances' ? {} : { query: { limit: '2' } })
    await ask('listLedgerEntries', { path: { currency: 'BTC' }, query: { limit: '4' } })
    await ask('listRates', { query: { currency: 'BTC,ETH', fiat_currency: 'EUR,USD' } })
    await ask('listCurrencies', { query: { environment: 'test' } })

    await refused('Unauthorized', 'listInvoices', { key: `sk_test_${'0'.repeat(64)}` })
    const { key } = await service.makeKey(shop.merchantId, { permissions: ['invoices:read'] })
    await refused('Forbidden', 'createInvoice', { key, json: { currency: 'BTC', amount: '0.01' } })
    await refused('ValidationError', 'createInvoice', { json: { currency: 'BTC', amount: '1e3' } })
    await refused('NotFound', 'getInvoice', of('invoiceID', { id: '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e' }))
    await refused('InvalidRequestOrState', 'createRefund', {
      json: { invoice_id: open.id, currency: 'BTC', amount: '0.001', destination: payee },
    })
    await refused('Unprocessable', 'createPayout', {
      json: { currency: 'BTC', amount: '0.001', destination: `${payee.slice(0, -1)}y` },
    })
    await ask('setTestGate', { json: { network: 'litecoin', status: 'offline' } })
    await refused('GateUnavailable', 'createInvoice', { json: { currency: 'LTC', amount: '0.5' } })
    await shop.setGate('litecoin', 'online')

    const events: Row[] = (await shop.expect(200, 'listEvents', { query: { limit: '100' } })).body.data
    // Oldest last: of each kind the first one, which belongs to the story of one order.
    for (const { position: _, ...event } of events) webhooks[event.event] = event
    const paid = events.find(({ event }) => event === 'invoice.paid')
    await delivered(shop, paid, {})
    await ask('getEvent', { path: { eventID: paid.id } })
    await ask('redeliverEvent', { path: { eventID: paid.id } })
    const { created_at: from } = events.at(-1)
    await ask('redeliverEvents', {
      json: {
        endpoint_id: endpoint.id,
        created_after: from,
        created_before: new Date(Date.parse(from) + 1).toISOString(),
      },
    })
    await ask('getWebhookEndpoint', of('endpointID', endpoint))
    await ask('listWebhookEndpoints')
    await ask('rotateWebhookSecret', of('endpointID', endpoint))
    await ask('enableWebhookEndpoint', of('endpointID', endpoint))
    await ask('deleteWebhookEndpoint', of('endpointID', endpoint))
    const owner = await signedIn(
      service,
      await makePerson(service, { merchantId: shop.merchantId, role: 'owner' }),
    )
    const place = { merchantID: shop.merchantId, environment: 'test' }
    const asks = shopRequest({ name: 'Blue Bottle Books', webhook: `${hook.url}/sluice` })
    await ask('createShopConnection', { json: await allowedShop(owner, place, asks) })
    await shop.create({ currency: 'BTC', amount: '0.01' })
    await ask('advanceTestClock', { json: { advance_seconds: 3600 } })
    await ask('getTestClock')
  } finally {
    await hook.close()
  }

  const shown = JSON.stringify({ operations: inOrder(operations), refusals, webhooks })
    .replaceAll(hook.url, shownHook)
    .replaceAll(service.url, shownOrigin)
    .replaceAll(/sk_test_[0-9a-f]{64}/g, shownKey)
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, shownSecret)
  return JSON.parse(shown) as Examples
}

function inOrder(operations: Record<string, Row>): Record<string, Row> {
  return Object.fromEntries(
    contractOperations.filter(({ id }) => id in operations).map(({ id }) => [id, operations[id]]),
  )
}
