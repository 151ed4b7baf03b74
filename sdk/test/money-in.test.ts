import { expect, it } from 'vitest'
import { clientOf, failure, one, page, type Sent } from './answering-client.ts'

it('a retry after a lost answer creates the invoice under the same key, which the client generates if none is given', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [failure, one({ id: 'a' })])
  expect(await sluice.invoices.create({ currency: 'BTC', amount: '0.01' })).toEqual({ id: 'a' })
  expect(sent).toHaveLength(2)
  expect(sent[0]?.body?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]).toEqual(sent[0])
})

it('a key given by the caller is kept', async () => {
  const sent: Sent[] = []
  await clientOf(sent, [one({})]).invoices.create({
    currency: 'BTC',
    amount: '1',
    idempotency_key: 'order-1',
  })
  expect(sent[0]?.body).toEqual({ currency: 'BTC', amount: '1', idempotency_key: 'order-1' })
})

it('invoices, addresses and ledgers are read page by page', async () => {
  const sent: Sent[] = []
  const pages = [page([{ id: 3 }, { id: 2 }], true), page([{ id: 1 }], false)]
  const collect = async (rows: AsyncGenerator<{ id: string | number }>) => {
    const ids: unknown[] = []
    for await (const row of rows) ids.push(row.id)
    return ids
  }
  const fresh = () => {
    sent.length = 0
    return clientOf(sent, pages)
  }
  expect(await collect(fresh().invoices.all({ status: 'paid' }))).toEqual([3, 2, 1])
  expect(sent.map(({ url }) => url)).toEqual([
    '/v1/invoices?status=paid&limit=100',
    '/v1/invoices?status=paid&limit=100&cursor=next',
  ])
  expect(await collect(fresh().addresses.all())).toEqual([3, 2, 1])
  expect(await collect(fresh().addresses.invoices('x'))).toEqual([3, 2, 1])
  expect(sent[0]?.url).toBe('/v1/addresses/x/invoices?limit=100')
  expect(await collect(fresh().balances.ledger('BTC', { entry_type: 'fee' }))).toEqual([3, 2, 1])
  expect(sent[0]?.url).toBe('/v1/balances/BTC/ledger?entry_type=fee&limit=100&offset=0')
})

it('a list is read from where its query starts, and on past a page without rows', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [page([], true), page([{ id: 1 }], false)])
  const ids: unknown[] = []
  for await (const { id } of sluice.invoices.all({ search: 'cup', offset: 5, limit: 2 })) ids.push(id)
  for await (const { id } of sluice.invoices.all({ cursor: 'c' })) ids.push(id)
  expect(ids).toEqual([1, 1])
  expect(sent.map(({ url }) => url)).toEqual([
    '/v1/invoices?search=cup&limit=2&offset=5',
    '/v1/invoices?search=cup&limit=2&cursor=next',
    '/v1/invoices?limit=100&cursor=c',
  ])
})

it('a service that gives the same cursor again is not asked forever', async () => {
  const sent: Sent[] = []
  const rows = clientOf(sent, [page([], true)]).payouts.all()
  expect(await rows.next()).toEqual({ done: true, value: undefined })
  expect(sent).toHaveLength(2)
})

it('a single resource is returned as it is', async () => {
  const sent: Sent[] = []
  const sluice = clientOf(sent, [one({ id: 'a' })])
  await sluice.invoices.get('a')
  await sluice.invoices.get('a', { include: 'refunds' })
  await sluice.invoices.cancel('a')
  await sluice.addresses.create({ currency: 'BTC' })
  await sluice.addresses.get('b')
  expect((await sluice.balances.list()).data).toEqual({ id: 'a' })
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v1/invoices/a',
    'GET /v1/invoices/a?include=refunds',
    'POST /v1/invoices/a/cancel',
    'POST /v1/addresses',
    'GET /v1/addresses/b',
    'GET /v1/balances',
  ])
})
