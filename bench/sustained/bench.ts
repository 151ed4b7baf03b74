/**
 * What a merchant gets for an hour: the whole service as it ships, with API, worker, signer and webhooks to a receiver, with real
 * addresses of every family that are derived while it runs. Rates and waits are shown beside connections that only insert the two
 * rows of an invoice and commit, measured before and after each line.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { uniqueInvoice } from '../create-invoice/bench.ts'
import { post } from '../get-invoice/bench.ts'
import { startServer } from '../load.ts'
import type { Ratio } from '../measure.ts'
import { openRawInserters, type RawInserters } from '../raw-inserts.ts'
import { openConnections, requestText } from '../requests.ts'
import { type BenchService, startBenchService } from '../service.ts'
import { type Driven, driveHard, driveSteadily } from './drive.ts'
import { eventLoopDelay } from './event-loop.ts'
import { type Line, tableOf, writePage } from './page.ts'

const concurrency = 64
const full = { warmUp: 20, each: 60, raw: 10 }
const quick = { warmUp: 2, each: 4, raw: 2 }
const known = 1_000

/** One order on each family's networks, in turn. */
const orders = [
  { currency: 'BTC', amount: '0.0015' },
  { currency: 'LTC', amount: '0.5' },
  { currency: 'ETH', network: 'ethereum', amount: '0.05' },
  { currency: 'SOL', amount: '0.5' },
  { currency: 'XRP', amount: '25' },
]

export async function run({
  quick: isQuick = false,
  write = false,
}: {
  readonly quick?: boolean
  readonly write?: boolean
} = {}): Promise<Record<string, Ratio>> {
  const seconds = isQuick ? quick : full
  const metricsPort = await freePort()
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const env = { SLUICE_WEBHOOK_ALLOW: '127.0.0.1', SLUICE_METRICS_PORT: String(metricsPort) }
  const receiver = await startServer<{ url: string }>(
    [join(import.meta.dirname, '../webhooks/receiver.ts')],
    {},
  )
  const service = await startBenchService({ env })
  const connections = await openConnections(service.url, concurrency)
  try {
    await post(service, 'webhook_endpoints', { url: `${receiver.ready.url}/hook` })
    const create = createRequests(service)
    await driveHard(connections, create, 201, seconds.warmUp)
    const raw = await openRawInserters({
      databaseUrl: service.databaseUrl,
      table: 'invoices',
      likeMerchantId: service.merchantId,
      connections: concurrency,
      unique: uniqueInvoice(),
    })
    await raw.perSecond(seconds.warmUp)
    const lines: Line[] = []
    const measure = async (name: string, goal: number | null, drive: () => Promise<Driven>) => {
      lines.push(await measured({ name, goal, drive, raw, rawSeconds: seconds.raw, metricsUrl }))
    }
    await measure('create an invoice', 1.0, () => driveHard(connections, create, 201, seconds.each))
    const half = (lines[0]?.driven.perSecond ?? 2) / 2
    await measure('create, at half of that rate', null, () =>
      driveSteadily(connections, create, 201, { perSecond: half, seconds: seconds.each }),
    )
    const get = await getRequests(service)
    await measure('get an invoice', 1.5, () => driveHard(connections, get, 200, seconds.each))
    const list = () => requestText('GET', `${service.url}/api/v1/invoices?limit=20`, { key: service.key })
    await measure('a page of 20 invoices', 0.4, () => driveHard(connections, list, 200, seconds.each))
    await raw.close()
    const table = tableOf(lines, { seconds: seconds.each, isQuick, now: new Date() })
    console.log(table)
    if (write) await writePage(table)
    return Object.fromEntries(lines.map(resultOf))
  } finally {
    for (const connection of connections) connection.close()
    await service.stop()
    await receiver.stop()
  }
}

function resultOf({ name, goal, driven, rawPerSecond }: Line): [string, Ratio] {
  const ratio = { ours: driven.perSecond, baseline: rawPerSecond, ratio: driven.perSecond / rawPerSecond }
  return [`sustained: ${name}${goal === null ? '' : ` (at least ${goal.toFixed(2)})`}`, ratio]
}

/** The baseline is measured before and after: these machines change while something is measured. */
async function measured(options: {
  readonly name: string
  readonly goal: number | null
  readonly drive: () => Promise<Driven>
  readonly raw: RawInserters
  readonly rawSeconds: number
  readonly metricsUrl: string
}): Promise<Line> {
  const { name, goal, drive, raw, rawSeconds, metricsUrl } = options
  console.log(name)
  const before = await raw.perSecond(rawSeconds)
  await eventLoopDelay(metricsUrl)
  const driven = await drive()
  const loop = await eventLoopDelay(metricsUrl)
  const after = await raw.perSecond(rawSeconds)
  return { name, goal, driven, loop, rawPerSecond: (before + after) / 2 }
}

function createRequests({ url, key }: BenchService): () => string {
  const run = randomBytes(8).toString('hex')
  let count = 0
  return () => {
    count++
    const body = JSON.stringify({
      ...orders[count % orders.length],
      description: `Order ${count}`,
      external_id: `order-${count}`,
      metadata: { customer: 'c-1234', basket: 3 },
      redirect_url: 'https://shop.example.com/thanks',
      idempotency_key: `${run}-${count}`,
    })
    return requestText('POST', `${url}/api/v1/invoices`, { key, body })
  }
}

/** Asks for the newest invoices in turn. */
async function getRequests({ url, key }: BenchService): Promise<() => string> {
  const ids: string[] = []
  for (let offset = 0; offset < known; offset += 100) {
    const response = await fetch(`${url}/api/v1/invoices?limit=100&offset=${offset}`, {
      headers: { 'X-API-Key': key },
    })
    const { data } = (await response.json()) as { data: { id: string }[] }
    ids.push(...data.map(({ id }) => id))
  }
  const requests = ids.map((id) => requestText('GET', `${url}/api/v1/invoices/${id}`, { key }))
  let count = 0
  return () => requests[count++ % requests.length] ?? ''
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
