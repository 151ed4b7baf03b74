import { expect, it } from 'vitest'
import { createSluice } from '../src/client.ts'
import { clientOf, failure, one, page, type Sent } from './answering-client.ts'

const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

it('a retry after a lost answer creates the payout under the same key, which the client generates if none is given', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [failure, one({ id: 'a' })])
  expect(await sluice.payouts.create({ currency: 'BTC', amount: '0.01', destination })).toEqual({ id: 'a' })
  expect(sent).toHaveLength(2)
  expect(sent[0]?.body?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]).toEqual(sent[0])
})

it('a refund carries its key in the header, the same on every attempt', async () => {
  const keys: (string | null)[] = []
  const answers = [failure, one({ id: 'a' })]
  const sluice = createSluice(
    {
      baseUrl: 'http://127.0.0.1:1/api',
      apiKey: `sk_test_${'ab'.repeat(32)}`,
      fetch: async (_, init) => {
        keys.push(new Headers(init.headers).get('idempotency-key'))
        return (answers[keys.length - 1] ?? one({ id: 'b' }))()
      },
    },
    { sleep: async () => {}, random: () => 0, now: () => 0 },
  )
  const refund = { invoice_id: 'i', currency: 'BTC', amount: '0.01', destination }
  expect(await sluice.refunds.create(refund)).toEqual({ id: 'a' })
  expect(await sluice.refunds.create(refund, { idempotencyKey: 'ticket 1' })).toEqual({ id: 'b' })
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys).toEqual([keys[0], keys[0], 'ticket 1'])
})

it('several payouts are sent with a key each, and sent again with the same keys', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [failure, one([])])
  const payout = { currency: 'BTC', amount: '0.01', destination }
  await sluice.payouts.createMany([payout, { ...payout, idempotency_key: 'mine' }])
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]?.body).toEqual({
    payouts: [
      { ...payout, idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { ...payout, idempotency_key: 'mine' },
    ],
  })
  sent.length = 0
  const keyless = { body: { payouts: [payout] } } as never
  await expect(clientOf(sent, [failure]).request('createPayouts', keyless)).rejects.toThrow()
  expect(sent).toHaveLength(1)
})

it('payouts and refunds can be fetched, cancelled and read page by page', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [
    one({ id: 'a' }),
    one({ id: 'a' }),
    one({ id: 'a' }),
    page([{ id: 3 }, { id: 2 }], true),
    page([{ id: 1 }], false),
    page([{ id: 1 }], false),
  ])
  await sluice.payouts.get('a')
  await sluice.payouts.cancel('a')
  await sluice.refunds.get('b')
  const ids: unknown[] = []
  for await (const payout of sluice.payouts.all({ status: 'approved' })) ids.push(payout.id)
  for await (const refund of sluice.refunds.all({ invoice_id: 'i' })) ids.push(refund.id)
  expect(ids).toEqual([3, 2, 1, 1])
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/payouts/a',
    'POST /v1/payouts/a/cancel',
    'GET /v1/refunds/b',
    'GET /v1/payouts?status=approved&limit=100',
    'GET /v1/payouts?status=approved&limit=100&cursor=next',
    'GET /v1/refunds?invoice_id=i&limit=100',
  ])
})
