import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeCheckoutToken } from '../../../src/domain/checkout-token.ts'
import { type CheckoutHub, createCheckoutHub, streamLimits } from '../../../src/http/checkout/hub.ts'
import { answerFor } from '../../../src/http/errors.ts'
import type { CheckoutViewer } from '../../../src/http/resources/checkout/view.ts'
import type { Visit } from '../../../src/store/invoices/visits.ts'

const minuteMs = 60_000
const link = 'AAECAwQFBgcICQoLDA0ODw'
const ids = Array.from({ length: 200 }, (_, n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)

let server: FastifyInstance
let hub: CheckoutHub
let port: number
let sockets: Socket[]
/** What the hub reads, and when. */
let state: { description: string; now: Date; reads: number; failing: boolean; failures: number }

const visitOf = (id: string): Visit =>
  ({
    invoice: {
      id,
      link,
      status: 'pending',
      asset: null,
      updatedAt: new Date(0),
      description: state.description,
    },
    payments: [],
    tip: null,
    aheadMs: 0,
  }) as unknown as Visit
const view = ((visit: Visit) => ({
  description: visit.invoice.description,
  now: state.now.toISOString(),
})) as unknown as CheckoutViewer

beforeEach(async () => {
  state = { description: 'first', now: new Date(0), reads: 0, failing: false, failures: 0 }
  sockets = []
  hub = createCheckoutHub({
    async read(wanted) {
      state.reads++
      if (state.failing) throw new Error('the database is away')
      return wanted.map(visitOf)
    },
    view,
    now: () => state.now,
    onReadFailed: () => state.failures++,
    tickMs: 10,
  })
  server = fastify()
  server.setErrorHandler((error, _request, reply) => {
    const { status, message } = answerFor(error)
    reply.code(status).send({ message })
  })
  server.get('/:id', (request, reply) => {
    const { id } = request.params as { id: string }
    hub.follow(visitOf(id), String(request.headers['x-ip']), reply)
  })
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(async () => {
  hub.close()
  for (const socket of sockets) socket.destroy()
  await server.close()
})

/** A page over a raw socket; `text` is everything received. */
function open(id: string, ip = '10.0.0.1') {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const page = { socket, text: '', isClosed: false }
  socket.on('data', (chunk) => {
    page.text += chunk
  })
  socket.on('close', () => {
    page.isClosed = true
  })
  socket.on('error', () => {})
  socket.write(`GET /${id} HTTP/1.1\r\nHost: x\r\nX-IP: ${ip}\r\n\r\n`)
  return page
}

async function opened(id: string, ip?: string) {
  const page = open(id, ip)
  await expect.poll(() => page.text).toContain('event: checkout')
  return page
}

const [first = ''] = ids

it('a page gets a new token well before the current one ends', async () => {
  const page = await opened(first)
  state.now = new Date(9 * minuteMs)
  const reads = state.reads
  await expect.poll(() => state.reads).toBeGreaterThan(reads + 2)
  expect(page.text).not.toContain('event: token')
  state.now = new Date(10 * minuteMs)
  await expect.poll(() => page.text).toContain('event: token')
  const { token, expires_at } = JSON.parse(/event: token\ndata: (.*)/.exec(page.text)?.[1] ?? '')
  expect(expires_at).toBe(new Date(25 * minuteMs).toISOString())
  expect(token).toBe(makeCheckoutToken({ id: first, link }, new Date(25 * minuteMs)))
})

it('a page is refreshed without any notification, and receives nothing if only time has passed', async () => {
  const page = await opened(first)
  state.now = new Date(1_000)
  const reads = state.reads
  await expect.poll(() => state.reads).toBeGreaterThan(reads + 3)
  expect(page.text.split('event: checkout')).toHaveLength(2)
  state.description = 'second'
  await expect.poll(() => page.text).toContain('second')
  expect(page.text).toMatch(/\r\n:\n\n/)
})

it('a failed read is repeated, and no page is lost meanwhile', async () => {
  const page = await opened(first)
  state.failing = true
  state.description = 'second'
  hub.changed([first])
  await expect.poll(() => state.failures).toBeGreaterThan(0)
  state.failing = false
  await expect.poll(() => page.text).toContain('second')
})

it('simultaneous changes of many invoices are read in one statement', async () => {
  const pages = await Promise.all(ids.slice(0, 50).map((id) => opened(id)))
  state.description = 'second'
  for (const id of ids) hub.changed([id])
  const { reads } = state
  for (const page of pages) await expect.poll(() => page.text).toContain('second')
  // One for the changes; periodic refreshes may have come in between.
  expect(state.reads - reads).toBeLessThan(20)
})

it('no more pages are open than allowed per invoice and per IP address, and each can connect once another has closed', async () => {
  const ofInvoice = await Promise.all(
    Array.from({ length: streamLimits.invoice }, (_, n) => opened(first, `10.0.1.${n}`)),
  )
  const tooMany = open(first, '10.0.2.1')
  await expect.poll(() => tooMany.text).toContain('429 Too Many')
  expect(tooMany.text).toContain('open too many times')
  ofInvoice[0]?.socket.destroy()
  await expect.poll(() => hub.size).toBe(streamLimits.invoice - 1)
  await opened(first, '10.0.2.1')

  await Promise.all(ids.slice(1, streamLimits.ip + 1).map((id) => opened(id, '10.0.3.1')))
  const sameAddress = open(ids[150] as string, '10.0.3.1')
  await expect.poll(() => sameAddress.text).toContain('429 Too Many')
  await opened(ids[150] as string, '10.0.3.2')
})

it('a client that does not read is cut off, and affects no other client', async () => {
  const slow = await opened(first)
  const quick = await opened(first)
  slow.socket.pause()
  for (let n = 0; !slow.socket.destroyed && hub.size === 2 && n < 5_000; n++) {
    state.description = `${n} ${'x'.repeat(200_000)}`
    hub.changed([first])
    await expect.poll(() => quick.text.includes(`"${n} xx`) || hub.size === 1).toBe(true)
    quick.text = ''
  }
  expect(hub.size).toBe(1)
  expect(quick.isClosed).toBe(false)
})

it('closing ends every stream at once, and accepts no more', async () => {
  const page = await opened(first)
  hub.close()
  await expect.poll(() => page.text).toMatch(/0\r\n\r\n$/)
  const late = open(first)
  await expect.poll(() => late.text).toContain('503 Service Unavailable')
})
