/**
 * Lists of a merchant with a million rows compared with those of a merchant with a thousand: the first pages and deep
 * pages, with and without filters, each with its exact total.
 */
import { median, type Ratio } from '../measure.ts'
import { type Connection, openConnections, requestText } from '../requests.ts'
import { startBenchService } from '../service.ts'
import { makeShop, type Shop, settle } from './fill.ts'

const many = 1_000_000
const few = 1_000
const warmUps = 10
const samples = 60
const deep = 100_000

const lists = [
  { path: 'invoices', query: '' },
  { path: 'invoices', query: 'status=paid' },
  { path: 'invoices', query: 'currency=BTC' },
  { path: 'invoices', query: 'currency=LTC' },
  { path: 'invoices', query: 'status=paid&currency=BTC' },
  // One in a thousand has both; here none has.
  { path: 'invoices', query: 'status=paid&currency=LTC' },
  { path: 'invoices', query: 'status=cancelled&currency=LTC' },
  { path: 'events', query: '' },
  { path: 'events', query: 'event=invoice.paid' },
  { path: 'balances/BTC/ledger', query: '' },
  { path: 'balances/BTC/ledger', query: 'entry_type=fee' },
]

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService()
  try {
    const eventData = await exampleEventData(service)
    const small = await makeShop(service.databaseUrl, few, eventData)
    const startedAt = performance.now()
    const large = await makeShop(service.databaseUrl, many, eventData)
    await settle(service.databaseUrl)
    console.log(
      `${many} rows of each list filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    )
    const [connection] = await openConnections(service.url, 1)
    if (connection === undefined) throw new Error('no connection')
    const results: Record<string, Ratio> = {}
    for (const { path, query } of lists) {
      const page = (shop: Shop, offset: number) =>
        requestText(
          'GET',
          `${service.url}/api/v1/${path}?${query}&limit=20&offset=${offset}`.replace('?&', '?'),
          {
            key: shop.key,
          },
        )
      const name = `lists: ${path}${query === '' ? '' : ` ${query}`}`
      const [first, firstOfMany, second, secondOfMany, deepest] = await medians(connection, [
        page(small, 0),
        page(large, 0),
        page(small, 20),
        page(large, 20),
        page(large, deep),
      ])
      results[`${name}, first page (at most 2.00)`] = ratio(firstOfMany, first)
      results[`${name}, second page (at most 2.00)`] = ratio(secondOfMany, second)
      results[`${name}, offset ${deep} (at most 20 ms more)`] = ratio(deepest, first)
    }
    connection.close()
    return results
  } finally {
    await service.stop()
  }
}

function ratio(ours = Number.NaN, baseline = Number.NaN): Ratio {
  return { ours, baseline, ratio: ours / baseline, unit: 'ms' }
}

/** The median time of each request, sent in turn on one connection. */
async function medians(connection: Connection, requests: readonly string[]): Promise<number[]> {
  const times = requests.map((): number[] => [])
  for (let sample = -warmUps; sample < samples; sample++) {
    for (const [at, request] of requests.entries()) {
      const startedAt = performance.now()
      await connection.send(request, 200)
      if (sample >= 0) times[at]?.push(performance.now() - startedAt)
    }
  }
  return times.map(median)
}

/** The data of a real event, so that the rows have a realistic size. */
async function exampleEventData({ url, key }: { url: string; key: string }): Promise<object> {
  const response = await fetch(`${url}/api/v1/invoices`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ currency: 'BTC', amount: '0.0015', metadata: { customer: 'c-1234' } }),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return ((await response.json()) as { data: object }).data
}
