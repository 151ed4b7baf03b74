import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  callCheckout,
  followPage,
  type OpenStream,
  tinyPage,
  tokenOf,
} from '../../support/shop/checkout-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
let shop: Shop
let streams: OpenStream[]

beforeAll(async () => {
  service = await startTestService({ ...quiet, page: tinyPage })
  shop = await openShop(service)
})
beforeEach(() => {
  streams = []
  return () => {
    for (const stream of streams) stream.close()
  }
})
afterAll(() => service.stop())

async function follow(invoice: { checkout_url: string }, at = service): Promise<OpenStream> {
  const stream = await followPage(at.url, await tokenOf(invoice))
  streams.push(stream)
  await expect.poll(() => stream.latest()).not.toBeNull()
  return stream
}

// As many invoices as the hub's round has turns: without a notification, one of these pages would learn of a change only
// after 15 seconds. If all of them show it sooner, they were notified.
const turns = 15
const told = { timeout: 12_000 }

const createAll = (json?: object) => Promise.all(Array.from({ length: turns }, () => shop.create(json)))

const followAll = (invoices: readonly { checkout_url: string }[], at = service) =>
  Promise.all(invoices.map((invoice) => follow(invoice, at)))

/** Fails unless all pages show this value soon. */
const expectAll = <T>(pages: readonly OpenStream[], read: (page: OpenStream) => T, value: T) =>
  expect.poll(() => pages.map(read), told).toEqual(pages.map(() => value))

const phases = ({ events }: OpenStream) =>
  events.map(({ data }) => (data as { phase?: string } | null)?.phase)

it('a page gets its invoice’s state at once, then every change, and nothing twice', async () => {
  const invoice = await shop.create()
  const stream = await follow(invoice)
  expect(stream.latest()).toMatchObject({ phase: 'pay', invoice_id: invoice.id })
  await shop.pay(invoice, '0.01')
  await expect.poll(() => stream.latest()?.phase).toBe('detected')
  await shop.mine(1)
  await expect.poll(() => stream.latest()?.phase).toBe('confirming')
  await shop.mine(1)
  await expect.poll(() => stream.latest()?.phase).toBe('paid')
  const seen = stream.events.map(({ data }) => JSON.stringify({ ...(data as object), now: null }))
  expect(new Set(seen).size).toBe(seen.length)
})

it('confirmations are counted as blocks come, although the invoice itself does not change', async () => {
  const invoices = await createAll({ currency: 'LTC', amount: '0.1' })
  const pages = await followAll(invoices)
  for (const invoice of invoices) await shop.pay(invoice, '0.1')
  for (let block = 1; block <= 5; block++) {
    await shop.mine(1, 'litecoin')
    await expectAll(pages, (page) => page.latest()?.payments[0]?.confirmations, block)
  }
  expect(pages.map((page) => page.latest()?.phase)).toEqual(pages.map(() => 'confirming'))
})

it('a choice made in one tab is shown in the other', async () => {
  const invoice = await shop.create({ amount_fiat: '50.00', fiat_currency: 'USD', deferred: true })
  const other = await follow(invoice)
  const json = { currency: 'BTC', network: 'bitcoin' }
  await callCheckout(service.url, 'chooseCheckoutAsset', { token: await tokenOf(invoice), json })
  await expect.poll(() => other.latest()?.asset?.currency).toBe('BTC')
})

it('a page receives nothing about any other invoice', async () => {
  const [mine, another] = [await shop.create(), await shop.create()]
  const [stream, theirs] = [await follow(mine), await follow(another)]
  await shop.pay(another, '0.01')
  await expect.poll(() => theirs.latest()?.phase).toBe('detected')
  await shop.pay(mine, '0.005')
  await expect.poll(() => stream.latest()?.asset?.amount_pending).toBe('0.005')
  expect(phases(stream)).toEqual(['pay', 'detected'])
})

it('a change at one API process is shown by the pages of another', async () => {
  const second = await startTestService({ ...quiet, page: tinyPage, database: service.database })
  try {
    const invoices = await createAll()
    const [here, there] = [await followAll(invoices), await followAll(invoices, second)]
    for (const invoice of invoices) await shop.cancel(invoice)
    await expectAll([...here, ...there], (page) => page.latest()?.phase, 'cancelled')
    // A stopping process closes its pages' streams at once; they reconnect to another.
    await second.stop()
    await Promise.all(there.map(({ ended }) => ended))
  } finally {
    await second.stop().catch(() => {})
  }
})

it('changes made while the listener’s connection was cut are shown on every page when it is back', async () => {
  const invoices = await createAll()
  await followAll(invoices)
  await query(
    service.database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'sluice listen' and datname = current_database()`,
  )
  await query(service.database.url, `update invoices set status = 'cancelled' where id = any($1)`, [
    invoices.map(({ id }) => id),
  ])
  await expectAll(streams, (page) => page.latest()?.phase, 'cancelled')
})

it('one statement announces many invoices in few notifications, and a new invoice announces nothing', async () => {
  const { default: pg } = await import('pg')
  const listener = new pg.Client({ connectionString: service.database.url })
  await listener.connect()
  try {
    const heard: string[] = []
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    const made = await Promise.all(Array.from({ length: 450 }, () => shop.create()))
    const address = await shop.createAddress()
    await listener.query('listen checkout_changed')
    await shop.create()
    await listener.query('update invoices set description = $1 where merchant_id = $2', [
      'x',
      shop.merchantId,
    ])
    const all = await query<{ id: string }>(
      service.database.url,
      'select id from invoices where merchant_id = $1 and link is not null',
      [shop.merchantId],
    )
    await expect.poll(() => heard.flatMap((payload) => payload.split(',')).length).toBe(all.length)
    expect(heard).toHaveLength(Math.ceil(all.length / 200))
    expect(new Set(heard.flatMap((payload) => payload.split(',')))).toEqual(new Set(all.map(({ id }) => id)))
    expect(made.every(({ id }) => heard.some((payload) => payload.includes(id)))).toBe(true)
    for (const payload of heard) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
    expect(address.id).toBeDefined()
  } finally {
    await listener.end()
  }
})

it('a stream has one log line, at its start, without its token', async () => {
  const invoice = await shop.create()
  const token = await tokenOf(invoice)
  const stream = await followPage(service.url, token)
  stream.close()
  const lines = () =>
    service.logged.filter(
      ({ operation, invoice_id }) => operation === 'followCheckout' && invoice_id === invoice.id,
    )
  await expect.poll(lines).toHaveLength(1)
  expect(lines()[0]).toMatchObject({ status: 200 })
  expect(JSON.stringify(service.logged)).not.toContain(token)
})

it('a link that ends while its page is open ends the stream with an event', async () => {
  const invoice = await shop.create()
  await shop.cancel(invoice)
  const stream = await follow(invoice)
  await query(
    service.database.url,
    `update invoices set updated_at = clock_timestamp() - interval '31 days' where id = $1`,
    [invoice.id],
  )
  await stream.ended
  expect(stream.events.at(-1)).toEqual({ event: 'ended', data: {} })
})
