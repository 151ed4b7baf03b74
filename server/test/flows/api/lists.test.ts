import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSoundBooks } from '../../support/database/books.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(() => service.stop())

async function list(shop: Shop, filter: Record<string, string> = {}) {
  const { data, meta } = (await shop.expect(200, 'listInvoices', { query: filter })).body
  return { ids: data.map(({ id }: { id: string }) => id) as string[], ...meta.pagination }
}

it('invoices are listed newest first, page by page, without gap or repeat', async () => {
  const shop = await openShop(service)
  const made: string[] = []
  for (let n = 0; n < 23; n++) made.unshift((await shop.create()).id)
  expect(await list(shop)).toEqual({
    ids: made.slice(0, 20),
    total: 23,
    limit: 20,
    offset: 0,
    has_more: true,
    next_cursor: made[19],
  })
  const paged: string[] = []
  for (let offset = 0; offset < 30; offset += 5) {
    const page = await list(shop, { limit: '5', offset: String(offset) })
    expect(page).toMatchObject({ total: 23, has_more: offset + 5 < 23 })
    paged.push(...page.ids)
  }
  expect(paged).toEqual(made)
})

it('an invoice created while a client pages shifts the pages by one and loses none', async () => {
  const shop = await openShop(service)
  for (let n = 0; n < 6; n++) await shop.create()
  const first = await list(shop, { limit: '3' })
  await shop.create()
  const second = await list(shop, { limit: '3', offset: '3' })
  expect(second.ids[0]).toBe(first.ids[2])
  expect(second.total).toBe(7)
})

it('invoices are filtered by status and currency, alone and together, with exact totals', async () => {
  const shop = await openShop(service)
  const [paid, expired] = [await shop.create(), await shop.create()]
  const litecoin = await shop.create({ currency: 'LTC', amount: '1' })
  const deferred = await shop.create({ amount_fiat: '5', fiat_currency: 'USD' })
  await shop.pay(paid, '0.01')
  await shop.mine(2)
  await shop.expire(expired)
  const found = async (filter: Record<string, string>) => {
    const { ids, total } = await list(shop, filter)
    expect(total).toBe(ids.length)
    return ids
  }
  expect(await found({ status: 'paid' })).toEqual([paid.id])
  expect(await found({ status: 'expired' })).toEqual([expired.id])
  expect(await found({ status: 'pending' })).toEqual([deferred.id, litecoin.id])
  expect(await found({ currency: 'btc' })).toEqual([expired.id, paid.id])
  expect(await found({ currency: 'LTC', status: 'pending' })).toEqual([litecoin.id])
  expect(await found({ currency: 'LTC', status: 'paid' })).toEqual([])
  for (const nothing of ['Paid', 'nope', '', "' or true --"])
    expect(await found({ status: nothing })).toEqual([])
  expect(await found({ currency: 'nope' })).toEqual([])

  await shop.activate(deferred, { currency: 'LTC' })
  expect(await found({ currency: 'LTC' })).toEqual([deferred.id, litecoin.id])
  await shop.cancel(litecoin)
  expect(await found({ status: 'pending' })).toEqual([deferred.id])
  expect(await found({ status: 'cancelled' })).toEqual([litecoin.id])
})

it('totals stay exact while statuses change and clients read', async () => {
  const shop = await openShop(service)
  const invoices = await Promise.all(Array.from({ length: 30 }, () => shop.create()))
  let done = false
  const statuses = ['pending', 'paid', 'underpaid', 'cancelled', 'expired', 'overpaid']
  const reading = (async () => {
    for (let n = 0; !done; n++) {
      // Page and total come from one snapshot, even while the counts are folded.
      const page = await list(shop, {
        limit: '100',
        ...(n % 2 === 0 && { status: statuses[(n / 2) % 6] as string }),
      })
      expect(page.total).toBe(page.ids.length)
      await service.app.store.counts.fold()
    }
  })()
  await Promise.all([
    ...invoices.slice(0, 10).map((invoice) => shop.pay(invoice, '0.01')),
    ...invoices.slice(10, 20).map((invoice) => shop.cancel(invoice)),
    ...invoices.slice(20, 25).map((invoice) => shop.expire(invoice)),
  ])
  await shop.mine(2)
  done = true
  await reading
  const totals = await Promise.all(statuses.map(async (status) => (await list(shop, { status })).total))
  expect(totals).toEqual([5, 10, 0, 10, 5, 0])
  await expectSoundBooks(service.database.url)
})

it('folding keeps every total and leaves one row per count', async () => {
  const shop = await openShop(service)
  for (let n = 0; n < 5; n++) await shop.cancel(await shop.create())
  const before = await list(shop, { status: 'cancelled' })
  const rows = () =>
    query<{ rows: number }>(
      service.database.url,
      `select count(*)::integer as rows from list_totals where merchant_id = $1
         and not exists (select from list_counts where merchant_id = $1) group by list, facet, currency`,
      [shop.merchantId],
    )
  await expect
    .poll(async () => {
      await service.app.store.counts.fold()
      return (await rows()).map((row) => row.rows)
    })
    .toEqual([1, 1, 1, 1])
  expect(await list(shop, { status: 'cancelled' })).toEqual(before)
  expect(before.total).toBe(5)
  expect((await list(shop, { status: 'pending' })).total).toBe(0)
  await expectSoundBooks(service.database.url)
})

it('invoices of another merchant or environment are in no list and no total', async () => {
  const [one, two] = [await openShop(service), await openShop(service)]
  await one.create()
  expect(await list(two)).toMatchObject({ ids: [], total: 0, has_more: false })
  const { key } = await service.makeKey(one.merchantId, { environment: 'live' })
  const live = await one.expect(200, 'listInvoices', { key })
  expect(live.body.meta.pagination.total).toBe(0)
})
