import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

const body = { currency: 'BTC', amount: '0.01', metadata: { a: 1, b: 'x' } }
const replayHeader = 'idempotent-replayed'
const countOf = async (shop: Shop) =>
  (await shop.expect(200, 'listInvoices')).body.meta.pagination.total as number

it('a repeated request returns the same invoice in its current state, marked as a replay', async () => {
  const shop = await openShop(service)
  const json = { ...body, idempotency_key: 'order 1' }
  const first = await shop.expect(201, 'createInvoice', { json })
  expect(first.headers.get(replayHeader)).toBeNull()
  const again = await shop.expect(201, 'createInvoice', { json })
  expect(again.headers.get(replayHeader)).toBe('true')
  expect(again.body.data).toEqual(first.body.data)

  await shop.pay(first.body.data, '0.01')
  await shop.mine(2)
  const paid = await shop.expect(201, 'createInvoice', { json })
  expect(paid.headers.get(replayHeader)).toBe('true')
  expect(paid.body.data).toMatchObject({ id: first.body.data.id, status: 'paid', idempotency_key: 'order 1' })
  expect(await countOf(shop)).toBe(1)
  expect((await shop.told()).filter((name) => name === 'invoice.confirming')).toHaveLength(1)
})

it('the order of keys, whitespace and explicit nulls make no difference', async () => {
  const shop = await openShop(service)
  const { id } = await shop.create({ ...body, idempotency_key: 'k' })
  const same = [
    '{"idempotency_key":"k","metadata":{"b":"x","a":1},"amount":"0.01","currency":"BTC"}',
    '{ "currency" : "BTC",\n"amount": "0.01", "metadata": { "a": 1.0, "b": "\\u0078" }, "idempotency_key": "k" }',
    JSON.stringify({ ...body, idempotency_key: 'k', network: null, description: null, deferred: null }),
  ]
  for (const text of same) {
    const answer = await shop.expect(201, 'createInvoice', { body: text })
    expect([answer.body.data.id, answer.headers.get(replayHeader)]).toEqual([id, 'true'])
  }
})

it.each([
  ['another amount', { ...body, amount: '0.02' }],
  ['the same amount, written differently', { ...body, amount: '0.010' }],
  ['the same currency, written differently', { ...body, currency: 'btc' }],
  ['one more field', { ...body, description: 'x' }],
  ['one field less', { currency: 'BTC', amount: '0.01' }],
  ['a null in metadata, which is significant', { ...body, metadata: { a: 1, b: 'x', c: null } }],
  ['another shape', { amount_fiat: '600', fiat_currency: 'USD' }],
])('%s under the same key is a mismatch and creates nothing', async (_, other) => {
  const shop = await openShop(service)
  await shop.create({ ...body, idempotency_key: 'k' })
  const answer = await shop.call('createInvoice', { json: { ...other, idempotency_key: 'k' } })
  expect([answer.status, answer.body.error.code]).toEqual([422, 'idempotency_key_mismatch'])
  expect(answer.body.error.details).toEqual([expect.stringMatching(/^\/idempotency_key: /)])
  expect(await countOf(shop)).toBe(1)
})

it('an invalid request gets its own error first and does not use up the key', async () => {
  const shop = await openShop(service)
  const wrong = await shop.call('createInvoice', { json: { ...body, amount: '0', idempotency_key: 'k' } })
  expect(wrong.status).toBe(400)
  const small = await shop.call('createInvoice', {
    json: { ...body, amount: '0.000001', idempotency_key: 'k' },
  })
  expect(small.status).toBe(422)
  await shop.create({ ...body, idempotency_key: 'k' })
  const wrongAgain = await shop.call('createInvoice', {
    json: { ...body, amount: '0', idempotency_key: 'k' },
  })
  expect(wrongAgain.status).toBe(400)
  // The idempotency key is checked before the minimum amount.
  const smallAgain = await shop.call('createInvoice', {
    json: { ...body, amount: '0.000001', idempotency_key: 'k' },
  })
  expect(smallAgain.body.error.code).toBe('idempotency_key_mismatch')
})

it('a live invoice from before live required https is replayed to the request that created it', async () => {
  const shop = await openShop(service)
  const json = { ...body, redirect_url: 'http://shop.example.com/', idempotency_key: 'plain' }
  const { id } = await shop.create(json)
  await query(service.database.url, `update invoices set environment = 'live' where id = $1`, [id])
  const { key } = await service.makeKey(shop.merchantId, { environment: 'live' })
  const again = (each: object) =>
    call(service.url, 'createInvoice', { key, body: JSON.stringify({ ...json, ...each }) })
  expect((await again({})).body.data).toMatchObject({ id, redirect_url: json.redirect_url })
  expect((await again({ idempotency_key: 'new' })).status).toBe(400)
})

it('a key belongs to one merchant and one environment', async () => {
  const [one, two] = [await openShop(service), await openShop(service)]
  const json = { ...body, idempotency_key: 'shared' }
  const [first, second] = [await one.create(json), await two.create(json)]
  expect(first.id).not.toBe(second.id)
  const { key } = await service.makeKey(one.merchantId, { environment: 'live' })
  // Live has no gate in this installation: the other environment's invoice is not replayed.
  const live = await call(service.url, 'createInvoice', { key, body: JSON.stringify(json) })
  expect([live.status, live.body.error.code]).toEqual([503, 'gate_offline'])
  await query(service.database.url, `update invoices set environment = 'live' where id = $1`, [first.id])
  const moved = await call(service.url, 'createInvoice', { key, body: JSON.stringify(json) })
  expect([moved.status, moved.body.data.id]).toEqual([201, first.id])
  expect((await one.create(json)).id).not.toBe(first.id)
})

it('other API keys of the same merchant replay the invoice too', async () => {
  const shop = await openShop(service)
  const json = { ...body, idempotency_key: 'k' }
  const { id } = await shop.create(json)
  const { key } = await service.makeKey(shop.merchantId)
  const answer = await shop.expect(201, 'createInvoice', { key, json })
  expect([answer.body.data.id, answer.headers.get(replayHeader)]).toEqual([id, 'true'])
})

it('a replay works while the network is offline, and a different body is still a mismatch', async () => {
  const shop = await openShop(service)
  const json = { ...body, idempotency_key: 'k' }
  const { id } = await shop.create(json)
  await shop.setGate('bitcoin', 'offline')
  expect((await shop.expect(201, 'createInvoice', { json })).body.data.id).toBe(id)
  const other = await shop.call('createInvoice', { json: { ...json, amount: '0.02' } })
  expect(other.body.error.code).toBe('idempotency_key_mismatch')
  expect((await shop.call('createInvoice', { json: { ...json, idempotency_key: 'new' } })).status).toBe(503)
})

it('200 concurrent creates with one key make one invoice and get identical answers', async () => {
  const shop = await openShop(service)
  const json = { ...body, idempotency_key: 'at once' }
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => shop.expect(201, 'createInvoice', { json })),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get(replayHeader) === null)).toHaveLength(1)
  expect(await countOf(shop)).toBe(1)
  expect(await shop.told()).toEqual(['invoice.confirming'])
})

it('of two bodies sent at once under one key, one always wins and the other is a mismatch', async () => {
  const shop = await openShop(service)
  for (let round = 0; round < 5; round++) {
    const bodies = ['0.01', '0.02'].map((amount) => ({ ...body, amount, idempotency_key: `round ${round}` }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => shop.call('createInvoice', { json: bodies[n % 2] as object })),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(10)
    expect(new Set(won.map((answer) => answer.body.data.id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10)
  }
  expect(await countOf(shop)).toBe(5)
})

it('keys may be any text of up to 255 characters, compared exactly', async () => {
  const shop = await openShop(service)
  const keys = ['k', 'K', ' k', '€'.repeat(255), '__proto__', "' or 1=1 --", '👍']
  const ids = new Set<string>()
  for (const idempotency_key of keys) ids.add((await shop.create({ ...body, idempotency_key })).id)
  expect(ids.size).toBe(keys.length)
  for (const idempotency_key of ['', 'x'.repeat(256), 'a\0', 7]) {
    expect((await shop.call('createInvoice', { json: { ...body, idempotency_key } })).status).toBe(400)
  }
})

it('without a key every request creates an invoice of its own', async () => {
  const shop = await openShop(service)
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await shop.create(body)).id))
  expect(new Set(ids).size).toBe(20)
})
