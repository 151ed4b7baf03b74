import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  AuthenticationError,
  ConflictError,
  createSluice,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  responseOf,
  type Sluice,
  UnprocessableError,
  ValidationError,
  webhooks,
} from '../../../../sdk/src/client.ts'
import { eventually, type HookReceiver, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { quiet } from '../../support/shop/shop.ts'

// The client's own tests run against a stand-in. Here the service itself answers.
let service: TestService
let receiver: HookReceiver
let merchantId: string
let sluice: Sluice
const clientOf = (apiKey: string) => createSluice({ baseUrl: `${service.url}/api`, apiKey, maxRetries: 0 })
beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
  merchantId = await service.makeMerchant()
  sluice = clientOf((await service.makeKey(merchantId)).key)
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const btc = { currency: 'BTC', amount: '0.01' }
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  )

it('takes a payment from invoice to webhook', async () => {
  const { id: endpointId, secret } = await sluice.webhookEndpoints.create({ url: receiver.url })
  const invoice = await sluice.invoices.create(btc, { idempotencyKey: 'order-1' })
  const again = await sluice.invoices.create(btc, { idempotencyKey: 'order-1' })
  expect(again).toEqual(invoice)
  expect([responseOf(invoice)?.replayed, responseOf(again)?.replayed]).toEqual([false, true])
  expect(responseOf(again)?.requestId).not.toBe(responseOf(invoice)?.requestId)

  await sluice.test.deposit({ ...btc, address: invoice.deposit_address ?? '' })
  await sluice.test.mine({ network: 'bitcoin', count: 2 })
  expect(await sluice.invoices.get(invoice.id)).toMatchObject({
    status: 'paid',
    payments: [{ amount: '0.01' }],
  })

  const hook = await eventually(() => {
    const found = receiver.hooks.find(({ body }) => body.event === 'invoice.paid')
    if (found === undefined) throw new Error('invoice.paid has not arrived')
    return found
  })
  const event = await webhooks.verify(hook.text, hook.headers, secret)
  expect(event.event === 'invoice.paid' && event.data.id).toBe(invoice.id)
  const refused = await failure(webhooks.verify(`${hook.text}\n`, hook.headers, secret))
  expect(refused).toMatchObject({ reason: 'wrong_signature' })
  await sluice.webhookEndpoints.delete(endpointId)
})

it('pays out and refunds with the helpers of the test environment', async () => {
  const invoice = await sluice.invoices.create(btc)
  await sluice.test.deposit({ ...btc, address: invoice.deposit_address ?? '' })
  await sluice.test.mine({ network: 'bitcoin', count: 2 })
  const small = { currency: 'BTC', amount: '0.001', destination }
  const payout = await sluice.payouts.create(small)
  expect((await sluice.test.rejectPayout(payout.id)).status).toBe('cancelled')
  const refund = { ...small, invoice_id: invoice.id }
  const made = await sluice.refunds.create(refund, { idempotencyKey: 'ticket-1' })
  const replayed = await sluice.refunds.create(refund, { idempotencyKey: 'ticket-1' })
  expect([replayed.id, responseOf(replayed)?.replayed]).toEqual([made.id, true])
})

it('lists everything, however small the pages', async () => {
  const merchant = await service.makeMerchant()
  const own = clientOf((await service.makeKey(merchant)).key)
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift((await own.invoices.create(btc)).id)
  const found: string[] = []
  for await (const { id } of own.invoices.all({ limit: 2 })) found.push(id)
  expect(found).toEqual(ids)
  // An event is listed once no open transaction can put another before it, and other tests share this PostgreSQL.
  const listed = async () => {
    const names: string[] = []
    for await (const { event } of own.events.all({ after: '0', limit: 2 })) names.push(event)
    return names
  }
  await expect.poll(listed).toEqual(ids.map(() => 'invoice.confirming'))
})

it('tells refusals apart, and names the fields', async () => {
  const invoice = await sluice.invoices.create(btc, { idempotencyKey: 'order-2' })
  await sluice.invoices.cancel(invoice.id)
  const { key: reader } = await service.makeKey(merchantId, { permissions: ['invoices:read'] })
  const tooMuch = { currency: 'BTC', amount: '1000', destination }
  const cases = [
    [ValidationError, () => sluice.invoices.create({ currency: 'BTC', amount: 'much' })],
    [AuthenticationError, () => clientOf(`sk_test_${'0'.repeat(64)}`).balances.list()],
    [PermissionError, () => clientOf(reader).invoices.create(btc)],
    [NotFoundError, () => sluice.invoices.get('019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e')],
    [ConflictError, () => sluice.invoices.cancel(invoice.id)],
    [
      IdempotencyError,
      () => sluice.invoices.create({ ...btc, amount: '0.02' }, { idempotencyKey: 'order-2' }),
    ],
    [UnprocessableError, () => sluice.payouts.create(tooMuch)],
  ] as const
  for (const [kind, call] of cases) expect(await failure(call())).toBeInstanceOf(kind)
  const wrong = await failure(sluice.invoices.list({ limit: 1000, offset: -1 }))
  expect((wrong as Error).message).toMatch(
    /^limit: must be at most 100; offset: must be .+ \(request req_.+\)$/,
  )
})
