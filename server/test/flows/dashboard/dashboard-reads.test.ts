import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { type DashboardClient, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import {
  answering,
  type HookReceiver,
  startHookReceiver,
  verify,
} from '../../support/servers/hook-receiver.ts'
import { cents, units } from '../../support/shop/amounts.ts'
import { expectCleanBooks, newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract; tests read what they need
type Row = any

let service: TestService
let shop: Shop
let owner: DashboardClient
let userId: string
let receiver: HookReceiver
beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
  shop = await openShop(service)
  const login = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  userId = login.userId
  owner = await signedIn(service, login)
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})
afterEach(() => expectCleanBooks(service))

const here = () => ({ merchantID: shop.merchantId, environment: 'test' })
const read = async (
  id: string,
  options: { path?: object; query?: Record<string, string> } = {},
): Promise<Row> => {
  const answer = await owner.call(id, { ...options, path: { ...here(), ...options.path } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
describe('the timeline of an invoice', () => {
  it('shows everything oldest first: creator, payments, events, webhooks, refund and payout', async () => {
    const target = { url: receiver.url, events: ['invoice.overpaid'] }
    const endpoint = (await owner.call('createWebhookEndpoint', { path: here(), body: target })).body.data
    const body = { currency: 'BTC', amount: '0.01' }
    const invoice = (await owner.call('createInvoice', { path: here(), body })).body.data
    expect(invoice.source).toBe('dashboard')
    const hash = await shop.pay(invoice, '0.03')
    await shop.mine(2)
    const destination = await newAddress('bitcoin')
    const refund = (
      await shop.refund({ invoice_id: invoice.id, currency: 'BTC', amount: '0.02', destination })
    ).body.data
    await shop.approve({ id: refund.payout_id })
    await until(shop, { id: refund.payout_id, network: 'bitcoin' }, 'completed')
    await receiver.received(1)

    const path = { invoiceID: invoice.id }
    const deliveriesIn = (timeline: readonly Row[]) =>
      timeline.flatMap(({ events }) => events).flatMap(({ deliveries }) => deliveries)
    await expect
      .poll(async () =>
        deliveriesIn(await read('getInvoiceTimeline', { path })).map(({ status }: Row) => status),
      )
      .toEqual(['succeeded'])
    const timeline: Row[] = await read('getInvoiceTimeline', { path })
    const times = timeline.slice(1).map(({ at }) => at)
    expect(times).toEqual([...times].sort())
    expect(timeline[0].by_name).not.toBeNull()
    const told = timeline.map(({ kind, event, events }) => [
      event ?? kind,
      ...events.map((each: Row) => each.event),
    ])
    expect(told).toEqual([
      ['invoice_created', 'invoice.confirming'],
      ['payment_seen', 'invoice.payment_detected'],
      ['payment_credited', 'balance.credited'],
      ['invoice.paid', 'invoice.paid'],
      ['invoice.overpaid', 'invoice.overpaid'],
      ['payout_created'],
      ['payout_approved', 'payout.approved'],
      ['payout_sent', 'payout.processing'],
      ['payout_completed', 'payout.completed', 'refund.completed'],
    ])
    const of = (name: string) => timeline.find(({ kind, event }) => (event ?? kind) === name)
    expect(of('invoice_created')).toMatchObject({ by: `user:${userId}` })
    expect(of('payment_seen')?.payment).toMatchObject({
      tx_hash: hash,
      address: invoice.deposit_address,
      amount: '0.03',
      explorer_url: null,
    })
    expect(of('payment_credited')).toMatchObject({
      status: 'confirmed',
      payment: { confirmations: expect.any(Number) },
    })
    expect(of('invoice.overpaid')?.details).toContain('Overpaid by 0.02 BTC')
    expect(of('invoice.overpaid')?.events[0].deliveries).toMatchObject([
      { endpoint_id: endpoint.id, url: receiver.url, attempts: 1, status_code: 204, reasons: [] },
    ])
    expect(of('payout_created')).toMatchObject({
      by: expect.stringMatching(/^key:/),
      payout: { refund_id: refund.id, destination, amount: '0.02' },
    })
    expect(of('payout_approved')).toMatchObject({ by: expect.stringMatching(/^test:/), by_name: 'test' })
    expect(of('payout_completed')).toMatchObject({ payout: { status: 'completed', explorer_url: null } })
  })

  it('says who cancelled it', async () => {
    const invoice = await shop.create()
    const path = { invoiceID: invoice.id }
    const answer = await owner.call('cancelInvoice', { path: { ...here(), ...path } })
    expect(answer.status).toBe(200)
    const timeline: Row[] = await read('getInvoiceTimeline', { path })
    expect(timeline.at(-1)).toMatchObject({ event: 'invoice.cancelled', by: `user:${userId}` })
    expect(timeline.at(-1)?.by_name).not.toBeNull()
  })

  it('shows a late payment, and one that was reorganised away', async () => {
    const late = await shop.create()
    await shop.expire(late)
    await shop.pay(late, '0.01')
    const lost = await shop.create()
    const hash = await shop.pay(lost, '0.01')
    await shop.mine(2)
    await shop.reorganise(2, [hash])
    const kinds = async (invoice: Row) =>
      (await read('getInvoiceTimeline', { path: { invoiceID: invoice.id } })).map(
        ({ kind, event }: Row) => event ?? kind,
      )
    expect(await kinds(lost)).toEqual(
      expect.arrayContaining(['payment_seen', 'invoice.paid', 'invoice.deposit_reversed']),
    )
    await shop.mine(3)
    const shown: Row[] = await read('getInvoiceTimeline', { path: { invoiceID: late.id } })
    const credited = shown.find(({ kind }) => kind === 'payment_credited')
    expect(await kinds(late)).toContain('invoice.expired')
    expect(credited?.details).not.toBeNull()
    expect(credited?.events.map(({ event }: Row) => event)).toEqual([
      'balance.credited',
      'invoice.late_deposit',
    ])
  })

  it('gets 404 for another merchant’s invoice', async () => {
    const theirs = await (await openShop(service)).create()
    const path = { ...here(), invoiceID: theirs.id }
    expect((await owner.call('getInvoiceTimeline', { path })).status).toBe(404)
  })
})

describe('the ledger', () => {
  it('shows all currencies together, newest first, each entry with the exact balance after it', async () => {
    await shop.fund('1.5', 'LTC', 'litecoin')
    const all: Row[] = await read('listLedger', { query: { limit: '100' } })
    expect(new Set(all.map(({ currency }) => currency)).size).toBeGreaterThan(1)
    expect(all[0]).toMatchObject({ currency: 'LTC', amount: '1.5', balance_after: '1.5' })
    const times = all.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort().reverse())
    const bitcoin: Row[] = await read('listLedger', { query: { currency: 'btc', limit: '100' } })
    expect(bitcoin).toEqual(all.filter(({ currency }) => currency === 'BTC'))
    for (const [at, entry] of bitcoin.entries()) {
      const before = bitcoin[at + 1]?.balance_after ?? '0'
      const change = (entry.direction === 'debit' ? -1n : 1n) * units(entry.amount)
      expect(units(before) + change).toBe(units(entry.balance_after))
    }
  })

  it('is filtered by type, reference and time, with exact totals, page by page', async () => {
    const pages = async (filter: Record<string, string>) => {
      const rows: Row[] = []
      for (let offset = 0; ; offset += 2) {
        const { body } = await owner.call('listLedger', {
          path: here(),
          query: { ...filter, limit: '2', offset: String(offset) },
        })
        rows.push(...body.data)
        expect(body.meta.pagination.total).toBeGreaterThanOrEqual(rows.length)
        if (!body.meta.pagination.has_more) {
          expect(body.meta.pagination.total).toBe(rows.length)
          return rows
        }
      }
    }
    const all = await pages({})
    const entry = all.find(({ entry_type }) => entry_type === 'refund')
    const name = ({ currency, id }: Row) => `${currency} ${id}`
    const expectSame = async (filter: Record<string, string>, keep: (row: Row) => boolean) =>
      expect((await pages(filter)).map(name)).toEqual(all.filter(keep).map(name))
    await expectSame({ entry_type: 'deposit' }, ({ entry_type }) => entry_type === 'deposit')
    await expectSame(
      { reference_id: entry.reference_id },
      ({ reference_id }) => reference_id === entry.reference_id,
    )
    const at = entry.created_at
    await expectSame({ created_after: at }, ({ created_at }) => created_at >= at)
    await expectSame(
      { created_before: at, currency: 'BTC' },
      ({ created_at, currency }) => created_at < at && currency === 'BTC',
    )
    const unknown = await owner.call('listLedger', { path: here(), query: { currency: 'DOGECOIN' } })
    expect(unknown.status).toBe(400)
    expect(unknown.body.error.problems).toEqual([
      {
        pointer: '/currency',
        code: 'field_currency_unknown',
        message: 'is not a supported currency; GET /v1/currencies lists them',
        values: {},
      },
    ])
  })

  it('gives people, and no key, the codes of what it says', async () => {
    await shop.fund('1')
    const destination = await newAddress('bitcoin')
    const payout = await shop.payOut({ currency: 'BTC', amount: '0.1', destination })
    expect((await shop.cancelPayout(payout)).status).toBe(200)
    const isRelease = ({ entry_type, reference_id }: Row) =>
      entry_type === 'release' && reference_id === payout.id
    const message = 'The payout was cancelled.'
    const shown = ((await read('listLedger', { query: { limit: '100' } })) as Row[]).find(isRelease)
    expect(shown).toMatchObject({
      description: message,
      reasons: [{ code: 'ledger_payout_cancelled', message, values: {} }],
    })
    const told = (await shop.ledger('BTC')).find(isRelease)
    expect(told).toMatchObject({ description: message })
    expect(told).not.toHaveProperty('reasons')
    const refused = await shop.call('createPayout', { json: {} })
    expect(refused.body.error.details).toContain('/amount: is required')
    expect(refused.body.error).not.toHaveProperty('problems')
    const amount = { pointer: '/amount', code: 'field_required', message: 'is required', values: {} }
    const answer = await owner.call('createPayout', { path: here(), body: {} })
    expect(answer.body.error.problems).toContainEqual(amount)
    expect(answer.body.error.problems).toHaveLength(answer.body.error.details.length)
  })
})

describe('the overview', () => {
  it('sums what was received, paid out and refunded at the values of the time, with the previous period', async () => {
    const own = await openShop(service)
    const client = await signedIn(
      service,
      await makePerson(service, { merchantId: own.merchantId, role: 'viewer' }),
    )
    const overview = async (days = 7): Promise<Row> =>
      (
        await client.call('getOverview', {
          path: { ...here(), merchantID: own.merchantId },
          query: { days: String(days) },
        })
      ).body.data
    const empty = await overview()
    expect(empty).toMatchObject({ received: { amount: '0.00', before: '0.00' }, balances: [], attention: [] })
    expect(empty.bars).toHaveLength(7)
    expect(empty.axis).toEqual([])

    const invoice = await own.create({ currency: 'BTC', amount_fiat: '100.00', fiat_currency: 'USD' })
    await own.pay(invoice, invoice.amount)
    const other = await own.create({ currency: 'LTC', amount: '2' })
    await own.pay(other, '2')
    await own.mine(2)
    await own.mine(6, 'litecoin')
    const [worth, paid] = [other.amount_in_base_currency, '100.00']
    const total = (cents(worth) + cents(paid)).toString()
    const after = await overview()
    expect(cents(after.received.amount).toString()).toBe(total)
    expect(cents(after.bars.at(-1).received).toString()).toBe(total)
    expect(after.balance_in_base_currency).not.toBe('0.00')

    // What happened eight days ago belongs to the week before.
    await query(
      service.database.url,
      `update daily_sums set day = day - 8 where merchant_id = $1 and currency = 'LTC'`,
      [own.merchantId],
    )
    const week = await overview()
    expect([week.received.amount, cents(week.received.before)]).toEqual([paid, cents(worth)])
    await query(
      service.database.url,
      `update daily_sums set day = day + 8 where merchant_id = $1 and currency = 'LTC'`,
      [own.merchantId],
    )

    const payout = await own.payOut({
      currency: 'LTC',
      amount: '0.5',
      destination: await newAddress('litecoin'),
    })
    expect((await overview()).attention).toMatchObject([
      { kind: 'payouts_to_approve', count: 1, target: 'payouts?status=pending_approval' },
    ])
    expect((await overview()).paid_out.amount).toBe('0.00')
    await own.approve(payout)
    await until(own, { id: payout.id, network: 'litecoin' }, 'completed')
    expect((await overview()).paid_out.amount).toBe(payout.amount_in_base_currency)
    expect((await overview()).invoices.find(({ status }: Row) => status === 'paid').count).toBe(2)
  })

  it('deducts what a reorganisation removes, to the cent, even after the sums were folded', async () => {
    const own = await openShop(service, { feeBps: 150 })
    const client = await signedIn(
      service,
      await makePerson(service, { merchantId: own.merchantId, role: 'viewer' }),
    )
    const received = async () =>
      (await client.call('getOverview', { path: { ...here(), merchantID: own.merchantId } })).body.data
        .received.amount
    const invoice = await own.create({ currency: 'BTC', amount: '0.01234567' })
    const hash = await own.pay(invoice, '0.00345671')
    await own.pay(invoice, '0.00888896')
    await own.mine(2)
    const both = await received()
    await own.reorganise(2, [hash])
    expect(cents(await received())).toBeLessThan(cents(both))
    await service.app.store.dailySums.fold()
    await own.mine(3)
    await own.reorganise(5, [])
    const folded = async () => {
      await service.app.store.dailySums.fold()
      return query(service.database.url, 'select from daily_sums where merchant_id = $1', [own.merchantId])
    }
    // The service folds too, and each skips the rows that the other is working on.
    await expect.poll(folded).toHaveLength(1)
  })

  it('names what needs attention: failing or disabled endpoints and underpaid invoices that end soon', async () => {
    const own = await openShop(service)
    const login = await makePerson(service, { merchantId: own.merchantId, role: 'owner' })
    const client = await signedIn(service, login)
    const path = { ...here(), merchantID: own.merchantId }
    const invoice = await own.create()
    await own.pay(invoice, '0.005')
    await own.mine(2)
    const endpoint = (await client.call('createWebhookEndpoint', { path, body: { url: receiver.url } })).body
      .data
    await query(service.database.url, `update webhook_endpoints set failing_since = now() where id = $1`, [
      endpoint.id,
    ])
    const attention = async (): Promise<Row[]> =>
      (await client.call('getOverview', { path })).body.data.attention
    expect(await attention()).toMatchObject([
      { kind: 'webhook_failing', subject: endpoint.id, target: `webhooks/${endpoint.id}` },
      { kind: 'invoices_underpaid', count: 1 },
    ])
    await query(
      service.database.url,
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'Gone.' where id = $1`,
      [endpoint.id],
    )
    expect((await attention())[0]).toMatchObject({
      kind: 'webhook_disabled',
      details: expect.stringContaining('Gone.'),
    })
  })
})

it('an endpoint’s deliveries show the request with headers that verify, and the answer', async () => {
  const own = await openShop(service)
  const client = await signedIn(
    service,
    await makePerson(service, { merchantId: own.merchantId, role: 'owner' }),
  )
  const path = { ...here(), merchantID: own.merchantId }
  receiver.answer = answering(500)
  const endpoint = (await client.call('createWebhookEndpoint', { path, body: { url: receiver.url } })).body
    .data
  const event = (await client.call('testWebhookEndpoint', { path: { ...path, endpointID: endpoint.id } }))
    .body.data
  const deliveries = async (query: Record<string, string> = {}): Promise<Row> =>
    (await client.call('listEndpointDeliveries', { path: { ...path, endpointID: endpoint.id }, query })).body
  await expect.poll(async () => (await deliveries()).data[0]?.attempts).toBe(1)
  const [delivery] = (await deliveries()).data
  expect(delivery).toMatchObject({ event_id: event.id, event: 'webhook.test', status: 'pending' })
  const [attempt] = delivery.attempt_log
  expect(attempt).toMatchObject({ number: 1, status_code: 500, answer: null })
  const sent = receiver.of(event).at(-1)
  expect(delivery.request_body).toBe(sent?.text)
  for (const [name, value] of Object.entries(attempt.request_headers))
    expect(sent?.headers[name.toLowerCase()]).toBe(value)
  verify(endpoint.secret, { ...sent, text: delivery.request_body, headers: attempt.request_headers } as never)
  expect((await deliveries({ status: 'succeeded' })).meta.pagination.total).toBe(0)
  const foreign = await owner.call('listEndpointDeliveries', { path: { ...here(), endpointID: endpoint.id } })
  expect(foreign.status).toBe(404)
})
