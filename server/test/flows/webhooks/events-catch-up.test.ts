import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { query } from '../../support/database/database.ts'
import { appendEvent, eventually } from '../../support/servers/hook-receiver.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
const clients: pg.Client[] = []

beforeAll(async () => {
  service = await startTestService(quiet)
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await service.stop()
})

type Told = { id: string; position: string; event: string; created_at: string; data: { n?: number } }

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: service.database.url })
  clients.push(client)
  await client.connect()
  return client
}

/** Appends an event on the test's own connection; it exists once the connection commits. */
async function insert(client: pg.Client, shop: Shop, n: number): Promise<string> {
  const id = uuidv7(service.app.now())
  await client.query(
    `insert into events (id, merchant_id, environment, event, data) values ($1, $2, 'test', 'invoice.paid', $3)`,
    [id, shop.merchantId, { n }],
  )
  return `evt_${id}`
}

async function pageAfter(shop: Shop, after: string, filter: Record<string, string> = {}) {
  const { body } = await shop.expect(200, 'listEvents', { query: { after, ...filter } })
  return body as { data: Told[]; meta: { pagination: { has_more: boolean; total: number } } }
}

/** Reads from a position until there is nothing more, as a receiver that catches up would. */
async function readOn(shop: Shop, from = '0', filter: Record<string, string> = {}): Promise<Told[]> {
  const read: Told[] = []
  for (let after = from; ; ) {
    const { data, meta } = await pageAfter(shop, after, filter)
    read.push(...data)
    after = data.at(-1)?.position ?? after
    if (!meta.pagination.has_more) return read
  }
}

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

function expectAscending(events: readonly Told[]): void {
  const positions = events.map(({ position }) => BigInt(position))
  for (const [n, position] of positions.entries()) {
    if (n > 0) expect(position).toBeGreaterThan(positions[n - 1] as bigint)
  }
}

it('reading from 0 returns everything oldest first, page by page, with a constant total', async () => {
  const shop = await openShop(service)
  const made: string[] = []
  for (let n = 0; n < 25; n++) made.push((await appendEvent(shop, { data: { n } })).id)
  await eventually(async () => expect(ids(await readOn(shop, '0', { limit: '7' }))).toEqual(made))
  expectAscending(await readOn(shop, '0', { limit: '7' }))
  const page = await pageAfter(shop, '0', { limit: '7' })
  expect(page.meta.pagination).toEqual({ total: 25, limit: 7, offset: 0, has_more: true })
  const exact = await pageAfter(shop, '0', { limit: '25' })
  expect(exact.meta.pagination.has_more).toBe(false)
  const end = exact.data.at(-1)?.position as string
  expect((await pageAfter(shop, end)).data).toEqual([])
})

it('events behind an uncommitted one are not shown until it commits, and then all come in order', async () => {
  const shop = await openShop(service)
  const early = await appendEvent(shop)
  const slow = await connect()
  await slow.query('begin')
  const held = await insert(slow, shop, 1)
  const late = [await appendEvent(shop), await appendEvent(shop)]
  const newest = (await shop.expect(200, 'listEvents')).body.data
  expect(ids(newest)).toEqual([late[1]?.id, late[0]?.id, early.id])
  await eventually(async () => expect(ids(await readOn(shop))).toEqual([early.id]))
  const [first] = await readOn(shop)
  await slow.query('commit')
  await eventually(async () => expect(ids(await readOn(shop, first?.position))).toEqual([held, ...ids(late)]))
})

it('a rolled-back event no longer blocks the others', async () => {
  const shop = await openShop(service)
  const slow = await connect()
  await slow.query('begin')
  const gone = await insert(slow, shop, 1)
  const kept = await appendEvent(shop)
  expect(await readOn(shop)).toEqual([])
  await slow.query('rollback')
  await eventually(async () => expect(ids(await readOn(shop))).toEqual([kept.id]))
  await shop.expect(404, 'getEvent', { path: { eventID: gone } })
})

it('catching up misses and repeats nothing while transactions commit in another order than they began', async () => {
  const shop = await openShop(service)
  const writers = await Promise.all(Array.from({ length: 6 }, connect))
  const written: string[] = []
  const read: Told[] = []
  let writing = true
  const reader = (async () => {
    for (let last = false; !last; ) {
      last = !writing
      read.push(...(await readOn(shop, read.at(-1)?.position ?? '0', { limit: '3' })))
    }
  })()
  for (let round = 0; round < 15; round++) {
    for (const [n, writer] of writers.entries()) {
      await writer.query('begin')
      written.push(await insert(writer, shop, round * 10 + n))
    }
    // In each round another writer commits first, and each adds a second event just before it commits.
    for (let n = 0; n < writers.length; n++) {
      const writer = writers[(n * 5 + round) % writers.length] as pg.Client
      written.push(await insert(writer, shop, -1))
      await writer.query('commit')
    }
  }
  writing = false
  await reader
  await eventually(async () => {
    read.push(...(await readOn(shop, read.at(-1)?.position ?? '0')))
    expect(read).toHaveLength(written.length)
  })
  expect(new Set(ids(read))).toEqual(new Set(written))
  expectAscending(read)
})

it('filters by name, time and resource also work while catching up', async () => {
  const shop = await openShop(service)
  const invoice = await shop.create()
  await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  const all = await eventually(async () => {
    const events = await readOn(shop)
    expect(events).toHaveLength(5)
    return events
  })
  const paid = all.filter(({ event }) => event === 'invoice.paid')
  expect(await readOn(shop, '0', { event: 'invoice.paid' })).toEqual(paid)
  const names = (await readOn(shop, '0', { resource_id: invoice.id })).map(({ event }) => event)
  expect(names).toEqual([
    'invoice.confirming',
    'invoice.payment_detected',
    'balance.credited',
    'invoice.paid',
  ])
  const newest = (await shop.expect(200, 'listEvents', { query: { resource_id: invoice.id } })).body
  expect(newest.data.map(({ event }: Told) => event)).toEqual(names.reverse())
  expect(newest.meta.pagination.total).toBe(4)
  const since = (all[2] as Told).created_at
  const later = all.filter(({ created_at }) => created_at >= since)
  expect(await readOn(shop, '0', { created_after: since })).toEqual(later)
  const unknown = { resource_id: uuidv7(new Date()) }
  expect(await readOn(shop, '0', unknown)).toEqual([])
  const stranger = await openShop(service)
  expect(await readOn(stranger, '0', { resource_id: invoice.id })).toEqual([])
})

it('reading continues in order after a restore into another cluster, where transaction ids start again', async () => {
  const shop = await openShop(service)
  const usual = await appendEvent(shop)
  // The old cluster had got further: its transaction ids are ones this cluster has yet to reach.
  const id = uuidv7(service.app.now())
  await query(
    service.database.url,
    `insert into events (id, merchant_id, environment, event, data, xid)
     values ($1, $2, 'test', 'invoice.paid', '{}', '900000000000'::xid8)`,
    [id, shop.merchantId],
  )
  await eventually(async () => expect(ids(await readOn(shop))).toEqual([usual.id]))
  const before = await readOn(shop)
  const eras = () => query(service.database.url, 'select era from event_eras')
  const known = (await eras()).length
  await service.app.store.events.beginEraIfMoved()
  expect(await readOn(shop), 'the database has not moved yet').toEqual(before)
  await query(service.database.url, 'update event_eras set system_identifier = system_identifier - 1')
  await Promise.all(Array.from({ length: 5 }, () => service.app.store.events.beginEraIfMoved()))
  expect(await eras(), 'one of several processes begins the era').toHaveLength(known + 1)
  const next = [await appendEvent(shop), await appendEvent(shop)]
  await eventually(async () =>
    expect(ids(await readOn(shop, before[0]?.position))).toEqual([`evt_${id}`, ...ids(next)]),
  )
  expectAscending(await readOn(shop))
})

it('transactions are sorted numerically, not as text: 100 comes after 99', async () => {
  const shop = await openShop(service)
  const made: string[] = []
  for (const xid of [9, 10, 99, 100, 101]) {
    const id = uuidv7(service.app.now())
    made.push(`evt_${id}`)
    await query(
      service.database.url,
      `insert into events (id, merchant_id, environment, event, data, xid)
       values ($1, $2, 'test', 'invoice.paid', '{}', $3::text::xid8)`,
      [id, shop.merchantId, String(xid)],
    )
  }
  expect(ids(await readOn(shop, '0', { limit: '1' }))).toEqual(made)
  expect(ids(await readOn(shop))).toEqual(made)
})

it.each(['abc', '-1', '1.5', '01', '', ' 1', '0x1', '1e3', '1'.repeat(40), '9'.repeat(39), '9'.repeat(19)])(
  'an invalid position gets 400: "%s"',
  async (after) => {
    await (await openShop(service)).expect(400, 'listEvents', { query: { after } })
  },
)

it.each(['1', String(2n ** 63n - 1n), `1${'0'.repeat(35)}`, `9999${'0'.repeat(35)}`])(
  'any other number is a valid position, even one that no event has: %s',
  async (after) => {
    const shop = await openShop(service)
    await shop.expect(200, 'listEvents', { query: { after } })
  },
)

it('after and offset exclude each other', async () => {
  const shop = await openShop(service)
  const { body } = await shop.expect(400, 'listEvents', { query: { after: '0', offset: '1' } })
  expect(body.error.details).toEqual(['/offset: must not be given together with after'])
})
