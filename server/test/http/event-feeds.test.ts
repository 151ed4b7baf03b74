import { once } from 'node:events'
import { connect } from 'node:net'
import { type FastifyReply, fastify } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { createKeyring } from '../../src/app/keys/keyring.ts'
import type { Caller } from '../../src/domain/caller.ts'
import type { EventPosition } from '../../src/domain/event-position.ts'
import { createEventFeeds, type FeedRequest } from '../../src/http/events/feeds.ts'
import { eventView } from '../../src/http/resources/events/view.ts'
import type { FeedPage } from '../../src/store/webhooks/event-feed.ts'
import type { Event } from '../../src/store/webhooks/events.ts'
import { readEvents } from '../support/shop/event-reader.ts'

/** What streams do by the clock, with a quick one. */

const position = { era: 1, xid: 7n, place: 0n }
const nothing: FeedPage = { events: [], position, hasMore: false, isHeldBack: false }
const caller = { actor: 'key:1', merchantId: 'm', environment: 'test' } as Caller
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(
  read: (wanted: { after: EventPosition }) => Promise<FeedPage>,
  feed: Partial<FeedRequest> = {},
  tickMs = 5,
) {
  const failures: unknown[] = []
  const onReadFailed = (error: unknown) => failures.push(error)
  const feeds = createEventFeeds({
    read: (_caller, wanted) => read(wanted),
    view: eventView,
    onReadFailed,
    tickMs,
  })
  const server = fastify({ forceCloseConnections: true })
  const open = (reply: FastifyReply) =>
    feeds.open({ caller, after: position, events: null, isAllowed: () => true, ...feed }, reply)
  server.get('/api/v1/events/stream', (_request, reply) => open(reply))
  // Opens its stream only once the reader has left.
  const late = new Promise<{ opened: Promise<void> }>((resolve) => {
    server.get('/late', (request, reply) => {
      resolve({ opened: once(request.raw.socket, 'close').then(() => open(reply)) })
    })
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  closers.push(() => server.close(), feeds.close)
  const reader = await readEvents({ url, key: 'x' })
  closers.push(reader.close)
  return { feeds, reader, failures, url, late }
}

it('a quiet stream beats, and each beat says from where to continue', async () => {
  let reads = 0
  const { reader } = await serve(async () => {
    reads++
    return { ...nothing, position: { ...position, xid: position.xid + BigInt(reads) } }
  })
  const first = reader.lastId()
  await expect.poll(() => reader.beats()).toBeGreaterThan(3)
  // It reads once a round too, in case a notification was lost.
  expect(reads).toBeGreaterThan(2)
  expect(BigInt(reader.lastId())).toBeGreaterThan(BigInt(first))
})

it('a key that is no longer accepted ends its stream without any notification', async () => {
  let isAllowed = true
  const { reader, feeds } = await serve(async () => nothing, { isAllowed: () => isAllowed })
  await expect.poll(() => reader.beats()).toBeGreaterThan(1)
  isAllowed = false
  await reader.ended
  await expect.poll(() => feeds.size).toBe(0)
})

it('a stream ends within 5 seconds of the revocation of its key, even if the notification is lost', async () => {
  // Each check is a second after the one before. The keyring's second is a little shorter, so that it is never ahead of them.
  let checks = 0
  const stored = {
    id: 'id',
    permissions: [],
    expiresAt: null,
    allowedIps: null,
    revokedAt: null as Date | null,
  }
  const keyring = createKeyring({
    async findByHash() {
      const found = { ...stored }
      // Revoked at once after it was read first.
      stored.revokedAt ??= new Date()
      return found as unknown as Awaited<ReturnType<Parameters<typeof createKeyring>[0]['findByHash']>>
    },
    now: () => checks * 950,
    time: () => 0,
    onUse() {},
  })
  const isAllowed = async () => {
    checks++
    return (await keyring.find(`sk_test_${'0'.repeat(64)}`, '127.0.0.1')) !== null
  }
  const { reader } = await serve(async () => nothing, { isAllowed })
  await reader.ended
  // The first of them read the key.
  expect(checks - 1).toBeLessThan(5)
})

it('a stream outlasts an outage of the database', async () => {
  let isDown = true
  const event: Event = {
    id: '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e',
    environment: 'test',
    event: 'invoice.paid',
    data: {},
    createdAt: new Date('2026-11-18T12:00:00.000Z'),
    position: { ...position, place: 1n },
  }
  const { reader, failures } = await serve(async ({ after }) => {
    if (isDown) throw new Error('no connection')
    return after.place === 1n ? nothing : { ...nothing, events: [event], position: event.position }
  })
  await expect.poll(() => failures.length).toBeGreaterThan(0)
  isDown = false
  await expect.poll(() => reader.events.map(({ id }) => id)).toEqual([`evt_${event.id}`])
})

it('an outage is reported once, and the next one again', async () => {
  let isDown = true
  let refused = 0
  let read = 0
  const requireDatabase = () => {
    if (!isDown) return
    refused++
    throw new Error('no connection')
  }
  const { feeds, failures } = await serve(
    async () => {
      requireDatabase()
      read++
      return nothing
    },
    {
      isAllowed() {
        requireDatabase()
        return true
      },
    },
  )
  for (const outage of [1, 2]) {
    isDown = true
    const before = refused
    await expect.poll(() => refused).toBeGreaterThan(before + 10)
    expect(failures).toHaveLength(outage)
    isDown = false
    const sofar = read
    feeds.wakeAll()
    await expect.poll(() => read).toBeGreaterThan(sofar)
  }
})

it('a reader that left before its stream began holds no place', async () => {
  const { feeds, url, late } = await serve(async () => nothing)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n')
  const { opened } = await late
  socket.destroy()
  await opened
  await expect.poll(() => feeds.size).toBe(1)
})

it('closing ends every stream, and refuses new ones', async () => {
  const { reader, feeds, url } = await serve(async () => nothing)
  feeds.close()
  await reader.ended
  expect((await fetch(`${url}/api/v1/events/stream`)).status).toBe(500)
})
