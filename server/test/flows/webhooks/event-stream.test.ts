import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { uuidv7 } from '../../../src/domain/ids.ts'
import { feedLimits } from '../../../src/http/events/feeds.ts'
import { query } from '../../support/database/database.ts'
import { appendEvent, eventually } from '../../support/servers/hook-receiver.ts'
import { type EventReader, readEvents } from '../../support/shop/event-reader.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
const open: EventReader[] = []

beforeAll(async () => {
  service = await startTestService(quiet)
})
afterEach(() => {
  for (const reader of open.splice(0)) reader.close()
})
afterAll(() => service.stop())

async function follow(
  shop: { key: string },
  options: Parameters<typeof readEvents>[1] = {},
): Promise<EventReader> {
  const reader = await readEvents({ url: service.url, key: shop.key }, options)
  open.push(reader)
  return reader
}

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

/** Appends many events in one statement, each with so much data. */
async function appendMany(shop: Shop, count: number, bytes: number): Promise<void> {
  await query(
    service.database.url,
    `insert into events (id, merchant_id, environment, event, data)
     select gen_random_uuid(), $1, 'test', 'webhook.test', json_build_object('n', n, 'filler', repeat('x', $3))
     from generate_series(1, $2) as n`,
    [shop.merchantId, count, bytes],
  )
}

it('an event arrives as it happens, as it is in the list, and nothing of others or of before', async () => {
  const shop = await openShop(service)
  const stranger = await openShop(service)
  const before = await appendEvent(shop)
  // Other tests on the cluster may have older transactions open, and until they end it is not certain what came before it.
  const early = await follow(shop, { query: { after: '0' } })
  await eventually(() => expect(ids(early.events)).toEqual([before.id]))
  const reader = await follow(shop)
  await appendEvent(stranger)
  await appendEvent(shop, { environment: 'live' })
  const invoice = await shop.create()
  await shop.pay(invoice, '0.01')
  await shop.mine(2)
  await eventually(() =>
    expect(reader.events.map(({ event }) => event)).toEqual([
      'invoice.confirming',
      'invoice.payment_detected',
      'balance.credited',
      'invoice.paid',
    ]),
  )
  const listed = (await shop.expect(200, 'listEvents', { query: { resource_id: invoice.id } })).body.data
  expect(reader.events).toEqual(listed.reverse())
})

it('a reader that was cut continues after its last event, by header or by parameter, without gaps or repeats', async () => {
  const shop = await openShop(service)
  const first = await follow(shop)
  await eventually(() => expect(first.lastId()).toMatch(/^\d+$/))
  const beginning = first.lastId()
  const made = [await appendEvent(shop), await appendEvent(shop)]
  await eventually(() => expect(ids(first.events)).toEqual(ids(made)))
  first.close()
  await first.ended
  made.push(await appendEvent(shop), await appendEvent(shop))
  const [one = '', two = ''] = [beginning, first.events[0]?.position]
  const byHeader = await follow(shop, { lastEventId: first.lastId(), query: { after: '0' } })
  const byParameter = await follow(shop, { query: { after: two } })
  const fromBeginning = await follow(shop, { lastEventId: one })
  const whole = await follow(shop, { query: { after: '0' } })
  await eventually(() => {
    expect(ids(byHeader.events)).toEqual(ids(made.slice(2)))
    expect(ids(byParameter.events)).toEqual(ids(made.slice(1)))
    expect(ids(fromBeginning.events)).toEqual(ids(made))
    expect(ids(whole.events)).toEqual(ids(made))
  })
})

it('only the events that were asked for arrive, and an unknown name is refused', async () => {
  const shop = await openShop(service)
  const reader = await follow(shop, { query: { events: 'invoice.paid, payout.failed', after: '0' } })
  await appendEvent(shop, { event: 'invoice.expired' })
  const paid = await appendEvent(shop, { event: 'invoice.paid' })
  await appendEvent(shop, { event: 'invoice.expired' })
  const failed = await appendEvent(shop, { event: 'payout.failed' })
  await eventually(() => expect(ids(reader.events)).toEqual([paid.id, failed.id]))
  const refused = await shop.expect(400, 'streamEvents', { query: { events: 'invoice.paid,invoice.payed' } })
  expect(refused.body.error.details).toEqual(['/events: must be names of events, not invoice.payed'])
  await shop.expect(400, 'streamEvents', { headers: { 'Last-Event-ID': 'evt_1' } })
  await shop.expect(400, 'streamEvents', { query: { after: '9'.repeat(39) } })
})

it('an event behind an open transaction arrives when that ends, after the one it was waiting for', async () => {
  const shop = await openShop(service)
  const slow = new pg.Client({ connectionString: service.database.url })
  await slow.connect()
  try {
    const reader = await follow(shop)
    await slow.query('begin')
    const held = `evt_${uuidv7(service.app.now())}`
    await slow.query(
      `insert into events (id, merchant_id, environment, event, data) values ($1, $2, 'test', 'invoice.expired', '{}')`,
      [held.slice('evt_'.length), shop.merchantId],
    )
    const late = await appendEvent(shop)
    const other = await openShop(service)
    const unaffected = await follow(other, { query: { after: '0' } })
    await eventually(() => expect(unaffected.lastId()).not.toBe(''))
    expect(reader.events).toEqual([])
    await slow.query('commit')
    await eventually(() => expect(ids(reader.events)).toEqual([held, late.id]))
  } finally {
    await slow.end()
  }
})

it('a stream ends within 5 seconds when its key is revoked, and other streams go on', async () => {
  const shop = await openShop(service)
  const { key, keyId } = await service.makeKey(shop.merchantId)
  const reader = await follow({ key })
  const other = await follow(shop)
  await service.app.store.apiKeys.revoke(keyId)
  const revokedAt = performance.now()
  await reader.ended
  expect(performance.now() - revokedAt).toBeLessThan(5_000)
  const event = await appendEvent(shop)
  await eventually(() => expect(ids(other.events)).toEqual([event.id]))
  expect(reader.events).toEqual([])
  await expect(follow({ key })).rejects.toThrow('401')
})

it('a key may have ten streams; one more is refused with the reason until one is closed', async () => {
  const shop = await openShop(service)
  const readers = await Promise.all(Array.from({ length: feedLimits.key }, () => follow(shop)))
  const refused = await shop.expect(429, 'streamEvents')
  expect(refused.body.error.message).toContain('10 open event streams')
  expect(refused.headers.get('retry-after')).toBe('5')
  readers[0]?.close()
  await eventually(() => follow(shop))
})

it('a slow reader gets every event in order, while the service holds only a little for it', async () => {
  const shop = await openShop(service)
  // 40 MB in six pages, far more than the buffers of two sockets.
  const count = 300
  await appendMany(shop, count, 128 * 1024)
  let isPaused = true
  const counting = countReads(shop)
  try {
    const reader = await follow(shop, {
      query: { after: '0' },
      pace: async () => {
        while (isPaused) await sleep(20)
      },
    })
    // Others get their events meanwhile.
    const other = await openShop(service)
    const quick = await follow(other)
    for (let n = 1; n <= 20; n++) {
      await appendEvent(other)
      await eventually(() => expect(quick.events).toHaveLength(n))
    }
    // Reads that find nothing, because a transaction elsewhere is still open, hold nothing either.
    expect(counting.found).toBeLessThanOrEqual(count / 2)
    isPaused = false
    await eventually(() => expect(reader.events).toHaveLength(count))
    const order = Array.from({ length: count }, (_, n) => n + 1)
    expect(reader.events.map(({ data }) => data.n)).toEqual(order)
  } finally {
    counting.stop()
  }
})

it('streams read only when they are woken: an event is read once by each stream of its merchant, and by no other', async () => {
  const [shop, other] = [await openShop(service), await openShop(service)]
  for (let n = 0; n < 4; n++) await follow(shop)
  for (let n = 0; n < 4; n++) await follow(other)
  await eventually(() => expect(open.every((reader) => reader.lastId() !== '')).toBe(true))
  const [mine, others] = [countReads(shop), countReads(other)]
  const told = (from: number) => open.slice(from, from + 4).map((reader) => ids(reader.events))
  try {
    const event = await appendEvent(shop)
    await eventually(() => expect(told(0)).toEqual(Array(4).fill([event.id])))
    // They read again while a transaction is still open, which other tests decide, but find it once.
    expect(mine.found).toBe(4)
    // Each may just have had its turn.
    expect(others.reads).toBeLessThanOrEqual(4)

    const before = mine.reads
    const next = await appendEvent(other)
    await eventually(() => expect(told(4)).toEqual(Array(4).fill([next.id])))
    expect(others.found).toBe(4)
    expect(mine.reads - before).toBeLessThanOrEqual(4)
  } finally {
    others.stop()
    mine.stop()
  }
})

/** Counts how often the streams of a shop read from here on, and how many events they find. */
function countReads(shop: Shop): { readonly reads: number; readonly found: number; stop(): void } {
  const { eventFeed } = service.app.store
  const { read } = eventFeed
  const counting = {
    reads: 0,
    found: 0,
    stop() {
      eventFeed.read = read
    },
  }
  eventFeed.read = async (caller, wanted) => {
    const page = await read(caller, wanted)
    if (caller.merchantId === shop.merchantId) {
      counting.reads++
      counting.found += page.events.length
    }
    return page
  }
  return counting
}
