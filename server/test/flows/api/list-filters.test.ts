import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Narrowing, notNarrowed } from '../../../src/store/reports/list-page.ts'
import { query } from '../../support/database/database.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
beforeAll(async () => {
  service = await startTestService(quiet)
  shop = await openShop(service)
})
afterAll(() => service.stop())

type Filter = Record<string, string>
type List = 'listInvoices' | 'listPayouts' | 'listRefunds' | 'listAddresses'

async function page(list: List, filter: Filter) {
  const { data, meta } = (await shop.expect(200, list, { query: filter })).body
  return { ids: data.map(({ id }: Row) => id) as string[], ...meta.pagination }
}

/** Everything that matches, read in pages of two by cursor; the total and the pages by offset must say the same. */
async function found(list: List, filter: Filter): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const read = await page(list, { ...filter, limit: '2', ...(cursor !== null && { cursor }) })
    expect(read).toMatchObject({ limit: 2, offset: 0, has_more: read.next_cursor !== null })
    ids.push(...read.ids)
    cursor = read.next_cursor
  } while (cursor !== null)
  const whole = await page(list, { ...filter, limit: '100' })
  expect(whole).toMatchObject({ ids, total: ids.length, has_more: false, next_cursor: null })
  const skipped = await page(list, { ...filter, limit: '100', offset: '1' })
  expect(skipped).toMatchObject({ ids: ids.slice(1), total: ids.length, offset: 1 })
  return ids
}

const refused = async (list: List, filter: Filter) =>
  (await shop.expect(400, list, { query: filter })).body.error.details as string[]

describe('invoices', () => {
  let coffee: Row
  let tea: Row
  let cake: Row
  let priced: Row
  let old: Row
  beforeAll(async () => {
    old = await shop.create()
    await query(service.database.url, 'update invoices set created_at = $2 where id = $1', [
      old.id,
      '2025-03-01T10:00:00.123456Z',
    ])
    coffee = await shop.create({
      currency: 'BTC',
      amount: '0.02',
      external_id: 'order-1',
      description: 'Two bags of Coffee',
      metadata: { order: 1001, gift: true, note: null, size: '1001' },
    })
    tea = await shop.create({
      currency: 'USDC',
      network: 'ethereum',
      amount: '12.5',
      external_id: 'order-10',
      metadata: { order: '1001' },
    })
    cake = await shop.create({
      currency: 'USDC',
      network: 'polygon',
      amount: '12.500001',
      description: '50 % off_',
    })
    priced = await shop.create({ amount_fiat: '49.90', fiat_currency: 'EUR', currency: 'BTC' })
  })

  it('by external id, exactly', async () => {
    expect(await found('listInvoices', { external_id: 'order-1' })).toEqual([coffee.id])
    expect(await found('listInvoices', { external_id: 'order' })).toEqual([])
    expect(await found('listInvoices', { external_id: 'order-1', status: 'paid' })).toEqual([])
  })

  it('by creation time, from included, to excluded', async () => {
    const at = '2025-03-01T10:00:00.123Z'
    expect(await found('listInvoices', { created_before: '2025-04-01T00:00:00Z' })).toEqual([old.id])
    expect(
      await found('listInvoices', { created_after: at, created_before: '2025-04-01T00:00:00Z' }),
    ).toEqual([old.id])
    expect(await found('listInvoices', { created_before: at })).toEqual([])
    const since = await found('listInvoices', { created_after: '2025-03-02T00:00:00Z' })
    expect(since).toEqual([priced.id, cake.id, tea.id, coffee.id])
    expect(await found('listInvoices', { created_after: '2025-03-02T00:00:00Z', currency: 'usdc' })).toEqual([
      cake.id,
      tea.id,
    ])
  })

  it('by metadata: a key, or a value under it of any type', async () => {
    expect(await found('listInvoices', { metadata_key: 'order' })).toEqual([tea.id, coffee.id])
    expect(await found('listInvoices', { metadata_key: 'order', metadata_value: '1001' })).toEqual([
      tea.id,
      coffee.id,
    ])
    expect(await found('listInvoices', { metadata_key: 'gift', metadata_value: 'true' })).toEqual([coffee.id])
    expect(await found('listInvoices', { metadata_key: 'note', metadata_value: 'null' })).toEqual([coffee.id])
    expect(await found('listInvoices', { metadata_key: 'note', metadata_value: '' })).toEqual([])
    expect(await found('listInvoices', { metadata_key: 'Order' })).toEqual([])
  })

  it('by amount, in the units of each network', async () => {
    expect(await found('listInvoices', { currency: 'BTC', amount_min: '0.02' })).toEqual([coffee.id])
    const dollars = (least: string, most: string) =>
      found('listInvoices', { currency: 'USDC', amount_min: least, amount_max: most })
    expect(await dollars('12.5', '12.5')).toEqual([tea.id])
    expect(await dollars('12.5', '12.500001')).toEqual([cake.id, tea.id])
    expect(await dollars('12.50000000000000000001', '13')).toEqual([cake.id])
    expect(await dollars('0', '12.4999999999')).toEqual([])
    expect(await found('listInvoices', { currency: 'nope', amount_min: '0' })).toEqual([])
  })

  it('by price in fiat', async () => {
    expect(await found('listInvoices', { fiat_currency: 'eur' })).toEqual([priced.id])
    const euros = (least: string, most: string) =>
      found('listInvoices', { fiat_currency: 'EUR', amount_min: least, amount_max: most })
    expect(await euros('49.90', '49.9')).toEqual([priced.id])
    expect(await euros('49.901', '50')).toEqual([])
    expect(await euros('49', '49.899')).toEqual([])
    expect(await found('listInvoices', { fiat_currency: 'XXX', amount_min: '1' })).toEqual([])
    expect(
      await found('listInvoices', { fiat_currency: 'EUR', currency: 'BTC', amount_max: '0.001' }),
    ).toEqual(BigInt(priced.amount.replace('.', '')) <= 100_000n ? [priced.id] : [])
  })

  it('by text in description, external id and metadata, without regard to case or wildcards', async () => {
    expect(await found('listInvoices', { search: 'COFFEE' })).toEqual([coffee.id])
    expect(await found('listInvoices', { search: 'order-1' })).toEqual([tea.id, coffee.id])
    expect(await found('listInvoices', { search: '1001' })).toEqual([tea.id, coffee.id])
    expect(await found('listInvoices', { search: '% off_' })).toEqual([cake.id])
    expect(await found('listInvoices', { search: '%' })).toEqual([cake.id])
    expect(await found('listInvoices', { search: 'order-1', currency: 'BTC', status: 'pending' })).toEqual([
      coffee.id,
    ])
  })

  it('a new invoice neither shifts nor repeats the pages of a cursor', async () => {
    const first = await page('listInvoices', { limit: '2' })
    await shop.create()
    const second = await page('listInvoices', { limit: '2', cursor: first.next_cursor })
    expect(second.ids).toEqual([tea.id, coffee.id])
  })

  it('refuses what does not go together, and a cursor of another list or merchant', async () => {
    expect(await refused('listInvoices', { amount_min: '1' })).toEqual([
      '/currency: is required with amount_min and amount_max',
    ])
    expect(await refused('listInvoices', { metadata_value: '1' })).toEqual([
      '/metadata_key: is required with metadata_value',
    ])
    expect(await refused('listInvoices', { cursor: tea.id, offset: '1' })).toEqual([
      '/offset: must not be given together with cursor',
    ])
    expect(await refused('listInvoices', { currency: 'BTC', amount_min: '1e3' })).toHaveLength(1)
    const unknown = ['/cursor: must be the id of a row of this list']
    const stranger = await (await openShop(service)).create()
    expect(await refused('listInvoices', { cursor: stranger.id })).toEqual(unknown)
    expect(await refused('listPayouts', { cursor: tea.id })).toEqual(unknown)
  })
})

describe('money out and addresses', () => {
  it('payouts and refunds by currency, amount, time, metadata and text', async () => {
    const paid = await shop.fund('1')
    const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    const payout = async (amount: string, more: object) =>
      (await shop.expect(201, 'createPayout', { json: { currency: 'BTC', amount, destination, ...more } }))
        .body.data
    const wages = await payout('0.01', { description: 'Wages', metadata: { month: '2026-11' } })
    const rent = await payout('0.02', { description: 'Rent' })
    const json = {
      invoice_id: paid.id,
      currency: 'BTC',
      amount: '0.03',
      destination,
      description: 'Broken cup',
      metadata: { cup: true },
    }
    const refund = (await shop.expect(201, 'createRefund', { json })).body.data

    expect(await found('listPayouts', { search: 'wages' })).toEqual([wages.id])
    expect(await found('listPayouts', { search: destination.slice(5, 20) })).toEqual([
      refund.payout_id,
      rent.id,
      wages.id,
    ])
    expect(await found('listPayouts', { metadata_key: 'month', metadata_value: '2026-11' })).toEqual([
      wages.id,
    ])
    expect(await found('listPayouts', { currency: 'BTC', amount_min: '0.02', amount_max: '0.02' })).toEqual([
      rent.id,
    ])
    expect(await found('listPayouts', { currency: 'LTC' })).toEqual([])
    expect(
      await found('listPayouts', { created_after: rent.created_at, status: 'pending_approval' }),
    ).toEqual([refund.payout_id, rent.id])

    expect(await found('listRefunds', {})).toEqual([refund.id])
    expect(await found('listRefunds', { search: 'CUP', invoice_id: paid.id })).toEqual([refund.id])
    expect(await found('listRefunds', { metadata_key: 'cup', metadata_value: 'false' })).toEqual([])
    expect(await found('listRefunds', { currency: 'BTC', amount_min: '0.03' })).toEqual([refund.id])
    expect(await found('listRefunds', { currency: 'ETH' })).toEqual([])
    expect(await found('listRefunds', { created_before: refund.created_at })).toEqual([])
    expect(await found('listRefunds', { created_after: refund.created_at })).toEqual([refund.id])
  })

  it('static addresses by label, address and time, and their invoices by cursor', async () => {
    const first = await shop.createAddress({ currency: 'BTC', label: 'Anna' })
    const second = await shop.createAddress({ currency: 'LTC', label: 'Hannah' })
    expect(await found('listAddresses', { search: 'ann' })).toEqual([second.id, first.id])
    expect(await found('listAddresses', { search: 'ann', currency: 'btc' })).toEqual([first.id])
    expect(await found('listAddresses', { search: second.address })).toEqual([second.id])
    expect(await found('listAddresses', { created_before: second.created_at })).toEqual([first.id])

    const { address, currency, network } = first
    for (const amount of ['0.01', '0.02', '0.03']) await shop.deposit({ address, currency, network, amount })
    await shop.mine(6)
    // Another address's are in no list of this one.
    await shop.pay({ ...second, deposit_address: second.address, deposit_address_tag: null }, '1')
    await shop.mine(6, 'litecoin')
    const path = { addressID: first.id }
    const all = (await shop.expect(200, 'listAddressInvoices', { path })).body
    expect(all.data).toHaveLength(3)
    const asked = { limit: '1', cursor: all.data[0].id }
    const next = (await shop.expect(200, 'listAddressInvoices', { path, query: asked })).body
    expect(next.data.map(({ id }: Row) => id)).toEqual([all.data[1].id])
    expect(next.meta.pagination).toMatchObject({ total: 3, has_more: true, next_cursor: all.data[1].id })

    const days = ['2025-03-03', '2025-03-02', '2025-03-01']
    for (const [nth, day] of days.entries())
      await query(service.database.url, 'update invoices set created_at = $2 where id = $1', [
        all.data[nth].id,
        day,
      ])
    const within = async (filter: Filter) => {
      const read = (await shop.expect(200, 'listAddressInvoices', { path, query: filter })).body
      expect(read.meta.pagination.total).toBe(read.data.length)
      return read.data.map(({ id }: Row) => all.data.findIndex((each: Row) => each.id === id))
    }
    const [after, before] = ['2025-03-02T00:00:00Z', '2025-03-03T00:00:00Z']
    expect(await within({ created_after: after })).toEqual([0, 1])
    expect(await within({ created_before: before })).toEqual([1, 2])
    expect(await within({ created_after: after, created_before: before })).toEqual([1])
    expect(await within({ created_before: before, order: 'oldest_first' })).toEqual([2, 1])
    expect(await within({ order: 'oldest_first' })).toEqual([2, 1, 0])
  })
})

it('a look that ends before the list does says where to go on, and misses nothing', async () => {
  const other = await openShop(service)
  const made: string[] = []
  for (let n = 0; n < 10; n++) {
    const description = n === 0 || n === 7 ? 'wanted' : 'other'
    made.push((await other.create({ currency: 'BTC', amount: '0.01', description })).id)
  }
  const owner = { merchantId: other.merchantId, environment: 'test' } as const
  const look = (more: Partial<Narrowing>, offset = 0) => {
    const narrowing = { ...notNarrowed, ...more, mostLookedAt: 4 }
    return service.app.store.invoices.list(owner, {
      status: null,
      currency: null,
      limit: 1,
      offset,
      narrowing,
    })
  }
  const read = async (more: Partial<Narrowing>) => {
    const [ids, sizes, totals]: [string[], number[], number[]] = [[], [], []]
    let cursor: string | null = null
    do {
      const { rows, next, total } = await look({ ...more, cursor })
      ids.push(...rows.map(({ id }) => id))
      sizes.push(rows.length)
      totals.push(total)
      cursor = next
    } while (cursor !== null)
    return { ids, sizes, totals: new Set(totals) }
  }
  const found = await read({ search: 'wanted' })
  expect(found).toMatchObject({ ids: [made[7], made[0]], totals: new Set([1]) })
  expect(found.sizes).toContain(0)
  // Nor does counting a long time cost more than a look.
  const since = await read({ createdAfter: new Date('2025-01-01') })
  expect(since).toMatchObject({ ids: made.toReversed(), totals: new Set([4]) })
  // An offset that a look does not reach is refused: paging by it would miss the rest, or never end.
  const tooGreat = { details: ['/offset: is too great with these filters; page by cursor'] }
  await expect(look({ search: 'wanted' }, 1)).rejects.toMatchObject(tooGreat)
  await expect(look({ createdAfter: new Date('2025-01-01') }, 4)).rejects.toMatchObject(tooGreat)
  expect((await look({ createdAfter: new Date('2025-01-01') }, 3)).rows).toHaveLength(1)
})

describe('what is included', () => {
  it('payments and refunds come with invoices when asked for, and only then', async () => {
    const other = await openShop(service)
    const [unpaid, paid] = [await other.create(), await other.fund('0.5')]
    const refund = (
      await other.expect(201, 'createRefund', {
        json: {
          invoice_id: paid.id,
          currency: 'BTC',
          amount: '0.1',
          destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
        },
      })
    ).body.data
    const list = async (include: string) =>
      (await other.expect(200, 'listInvoices', { query: { include } })).body.data
    expect((await list('')).map((row: Row) => [row.id, 'payments' in row, 'refunds' in row])).toEqual([
      [paid.id, false, false],
      [unpaid.id, false, false],
    ])
    const [first, second] = await list('payments,refunds')
    const path = { invoiceID: paid.id }
    const alone = (await other.expect(200, 'getInvoice', { path, query: { include: 'refunds' } })).body.data
    expect(first).toEqual(alone)
    expect(first.refunds).toEqual([refund])
    expect(first.payments).toHaveLength(1)
    expect([second.payments, second.refunds]).toEqual([[], []])
    expect((await list('refunds'))[0]).not.toHaveProperty('payments')
    expect(await other.get(paid)).not.toHaveProperty('refunds')
  })

  it('what cannot be included is refused, and so are refunds without their permission', async () => {
    expect(await refused('listInvoices', { include: 'payments,nope' })).toEqual([
      '/include: must be one or more of payments, refunds',
    ])
    const { key } = await service.makeKey(shop.merchantId, { permissions: ['invoices:read'] })
    const query = { include: 'refunds' }
    expect((await shop.call('listInvoices', { key, query })).status).toBe(403)
    expect((await shop.call('listInvoices', { key, query: { include: 'payments' } })).status).toBe(200)
  })
})
