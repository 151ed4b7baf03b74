import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, query } from '../../support/database/database.ts'
import {
  answering,
  createEndpoint,
  eventually,
  type HookReceiver,
  startHookReceiver,
} from '../../support/servers/hook-receiver.ts'
import {
  type OtlpCollector,
  type ReceivedSpan,
  startOtlpCollector,
} from '../../support/servers/otlp-collector.ts'
import { newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

const password = 'planted-collector-password'
const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'

let service: TestService
let collector: OtlpCollector
let receiver: HookReceiver
let shop: Shop
beforeAll(async () => {
  collector = await startOtlpCollector()
  receiver = await startHookReceiver()
  service = await startTestService({
    ...quiet,
    env: {
      ...quiet.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${password}`,
    },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service?.stop()
  await receiver?.close()
  await collector?.close()
})

/** Waits for a span, which is exported a little later than it ends. */
function spanOf(name: string, matching: (span: ReceivedSpan) => boolean = () => true): Promise<ReceivedSpan> {
  return eventually(() => {
    const found = collector.spans.find((span) => span.name === name && matching(span))
    if (found === undefined) throw new Error(`There is no span "${name}" yet.`)
    return found
  })
}

const inTrace = (traceId: string) => (span: ReceivedSpan) => span.traceId === traceId

/** Follows parents up to a span that has none here. */
function rootOf(span: ReceivedSpan): ReceivedSpan {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? span : rootOf(parent)
}

it('one trace leads from the request that creates an invoice to the webhooks about its payment', async () => {
  await createEndpoint(shop, { url: receiver.url })
  const traceparent = `00-${callersTrace}-${callersSpan}-01`
  const json = { currency: 'BTC', amount: '0.01234567', description: 'planted description' }
  const answer = await shop.expect(201, 'createInvoice', { json, headers: { traceparent } })
  const invoice = answer.body.data
  await shop.pay(invoice, '0.01234567')
  await shop.mine(invoice.required_confirmations)

  const request = await spanOf('POST /api/v1/invoices', inTrace(callersTrace))
  expect(request).toMatchObject({ parentSpanId: callersSpan, kind: 2 })
  expect(request.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v1/invoices',
    'http.response.status_code': '201',
    'sluice.operation': 'createInvoice',
    'sluice.request_id': answer.body.meta.request_id,
    'sluice.merchant_id': shop.merchantId,
    'sluice.environment': 'test',
  })
  const insert = await spanOf('insert invoices', inTrace(callersTrace))
  expect(insert.parentSpanId).toBe(request.spanId)

  const seen = await spanOf('payments seen', ({ links }) =>
    links.some((link) => link.traceId === callersTrace),
  )
  expect(seen.traceId).not.toBe(callersTrace)
  expect(seen.links).toContainEqual({ traceId: callersTrace, spanId: request.spanId })
  expect(seen.attributes).toEqual({ 'sluice.gate': 'bitcoin-test' })
  const assessed = await spanOf('assess invoice', inTrace(callersTrace))
  expect(assessed).toMatchObject({
    parentSpanId: request.spanId,
    attributes: { 'sluice.invoice_id': invoice.id },
  })
  const booked = await spanOf('transaction', inTrace(callersTrace))
  expect(booked.attributes['db.query.summary']).toMatch(/^[a-z_, ]+$/)

  for (const event of [
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ]) {
    const delivery = await spanOf(`deliver ${event}`, inTrace(callersTrace))
    expect(rootOf(delivery).spanId).toBe(request.spanId)
    expect(delivery.kind).toBe(3)
    expect(delivery.attributes).toMatchObject({ 'sluice.event': event, 'http.response.status_code': '204' })
    // The receiver goes on from the attempt that reached it.
    const hook = receiver.hooks.find(({ body }) => body.event === event)
    expect(hook?.headers.traceparent).toBe(`00-${callersTrace}-${delivery.spanId}-01`)
    expect(hook?.body.id).toBe(`evt_${delivery.attributes['sluice.event_id']}`)
  }

  const line = service.logged.find(({ request_id }) => request_id === answer.body.meta.request_id)
  expect(line).toMatchObject({ operation: 'createInvoice', trace_id: callersTrace })

  const sent = collector.texts.join('\n')
  const secrets = [
    shop.key,
    invoice.deposit_address,
    '0.01234567',
    '"1234567"',
    'planted',
    invoice.checkout_url,
  ]
  expect(secrets.filter((secret) => secret === undefined || sent.includes(secret))).toEqual([])
  expect(collector.headers.every(({ authorization }) => authorization === password)).toBe(true)
})

it('a payout is submitted, signed, sent and settled in the trace of the request that created it', async () => {
  await shop.fund('0.1')
  const destination = await newAddress('bitcoin')
  const payout = await shop.payOut({ currency: 'BTC', amount: '0.02345678', destination })
  await shop.approve(payout)
  await until(shop, payout, 'completed')
  const request = await spanOf('POST /api/v1/payouts')
  for (const name of ['submit payout', 'wait for signature', 'broadcast', 'settle payout']) {
    const span = await spanOf(name, inTrace(request.traceId))
    expect(span).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'sluice.payout_id': payout.id },
    })
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  }
  for (const event of ['payout.processing', 'payout.completed'])
    expect(rootOf(await spanOf(`deliver ${event}`, inTrace(request.traceId))).spanId).toBe(request.spanId)
  const sent = collector.texts.join('\n')
  expect([destination, '0.02345678', '"2345678"'].filter((secret) => sent.includes(secret))).toEqual([])
})

it('a malformed traceparent is ignored, and a refused request is told apart from one that failed', async () => {
  const traceparent = `00-${callersTrace}-${'0'.repeat(16)}-01`
  const path = { invoiceID: '00000000-0000-7000-8000-000000000000' }
  await shop.expect(404, 'getInvoice', { path, headers: { traceparent } })
  const refused = await spanOf('GET /api/v1/invoices/{invoiceID}')
  expect(refused.traceId).not.toBe(callersTrace)
  expect(refused).not.toHaveProperty('parentSpanId')
  expect(refused).not.toHaveProperty('status')
  expect(refused.attributes['http.response.status_code']).toBe('404')
})

it('what is stored is the trace of its own request, however many share a statement', async () => {
  const made = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const traceId = n.toString(16).padStart(32, 'a')
      const traceparent = `00-${traceId}-${callersSpan}-01`
      const json = { currency: 'BTC', amount: '0.01' }
      const { body } = await shop.expect(201, 'createInvoice', { json, headers: { traceparent } })
      return { id: body.data.id as string, traceId }
    }),
  )
  const rows = await query<{ id: string; invoice: string; event: string }>(
    service.database.url,
    `select invoices.id, split_part(invoices.traceparent, '-', 2) as invoice, split_part(events.traceparent, '-', 2) as event
     from invoices join events on events.resource_id = invoices.id where invoices.id = any ($1)`,
    [made.map(({ id }) => id)],
  )
  expect(new Map(rows.map(({ id, invoice, event }) => [id, [invoice, event]]))).toEqual(
    new Map(made.map(({ id, traceId }) => [id, [traceId, traceId]])),
  )
})

it('a webhook that is retried after a restart is still in the trace of its request', async () => {
  const database = await createTestDatabase()
  const hooks = await startHookReceiver()
  hooks.answer = answering(503)
  const start = () =>
    startTestService({
      ...quiet,
      env: { ...quiet.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin },
      database,
    })
  const first = await start()
  const client = await openShop(first)
  await createEndpoint(client, { url: hooks.url })
  const traceId = 'b'.repeat(32)
  const traceparent = `00-${traceId}-${callersSpan}-01`
  await client.expect(201, 'createInvoice', {
    json: { currency: 'BTC', amount: '0.01' },
    headers: { traceparent },
  })
  await hooks.received(1)
  await first.stop()
  hooks.answer = answering(204)
  await query(database.url, 'update webhook_deliveries set due_at = clock_timestamp()')
  const second = await start()
  const isAccepted = (span: ReceivedSpan) => span.attributes['http.response.status_code'] === '204'
  const delivery = await spanOf(
    'deliver invoice.confirming',
    (span) => inTrace(traceId)(span) && isAccepted(span),
  )
  expect(delivery.attributes['sluice.attempt']).toBe('2')
  const refused = await spanOf(
    'deliver invoice.confirming',
    (span) => inTrace(traceId)(span) && !isAccepted(span),
  )
  expect(refused).toMatchObject({ parentSpanId: delivery.parentSpanId, status: { code: 2 } })
  expect(refused.attributes['error.type']).toBe('503')
  await second.stop()
  await hooks.close()
  await database.drop()
})

it('with a collector that accepts and never answers the service works, and stops in time', async () => {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => sockets.add(socket.resume())).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const origin = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
  const other = await startTestService({
    ...quiet,
    env: { ...quiet.env, OTEL_EXPORTER_OTLP_ENDPOINT: origin },
  })
  const client = await openShop(other)
  for (let n = 0; n < 20; n++) await client.create()
  const started = performance.now()
  await other.stop()
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(sockets.size).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  mute.close()
  await once(mute, 'close')
})

it('without a collector no row has a trace and no webhook carries one', async () => {
  const other = await startTestService(quiet)
  const client = await openShop(other)
  const hooks = await startHookReceiver()
  await createEndpoint(client, { url: hooks.url })
  const traceparent = `00-${callersTrace}-${callersSpan}-01`
  const json = { currency: 'BTC', amount: '0.01' }
  await client.expect(201, 'createInvoice', { json, headers: { traceparent } })
  const [hook] = await hooks.received(1)
  expect(hook?.headers).not.toHaveProperty('traceparent')
  const rows = await query(
    other.database.url,
    'select from events where traceparent is not null union all select from invoices where traceparent is not null',
  )
  expect(rows).toEqual([])
  await other.stop()
  await hooks.close()
})
