/** An invoice with its payments through the whole service, compared with its row alone through a bare Fastify route. */
import { join } from 'node:path'
import { startServer } from '../load.ts'
import { interleave, type Ratio } from '../measure.ts'
import { answersPerSecond, openConnections, requestText } from '../requests.ts'
import { type BenchService, startBenchService } from '../service.ts'

const concurrency = 64
const rounds = 7
const secondsEach = 4

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService({ env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' } })
  const bare = await startServer<{ url: string }>([join(import.meta.dirname, 'bare-server.ts')], {
    BENCH_DATABASE_URL: service.databaseUrl,
  })
  try {
    const unpaid = await create(service)
    const paid = await create(service)
    await post(service, 'test/deposits', { address: paid.deposit_address, amount: '0.0015', currency: 'BTC' })
    await post(service, 'test/blocks', { network: 'bitcoin', count: 3 })
    const compare = (id: string) => against(service, bare.ready.url, id)
    console.log(`GET /v1/invoices/{id}, ${concurrency} at once, without payments`)
    const without = await compare(unpaid.id)
    console.log(`GET /v1/invoices/{id}, ${concurrency} at once, with one payment`)
    const withOne = await compare(paid.id)
    return {
      'get-invoice: without payments (at least 1.00)': without,
      'get-invoice: with one payment (at least 1.00)': withOne,
    }
  } finally {
    await bare.stop()
    await service.stop()
  }
}

async function against(service: BenchService, bareUrl: string, id: string): Promise<Ratio> {
  const ours = requestText('GET', `${service.url}/api/v1/invoices/${id}`, { key: service.key })
  const theirs = requestText('GET', `${bareUrl}/invoices/${id}`)
  const toUs = await openConnections(service.url, concurrency)
  const toThem = await openConnections(bareUrl, concurrency)
  const measure = (connections: typeof toUs, request: string) => () =>
    answersPerSecond(connections, () => request, 200, secondsEach)
  await measure(toThem, theirs)()
  await measure(toUs, ours)()
  const ratio = await interleave(rounds, measure(toThem, theirs), measure(toUs, ours))
  for (const connection of [...toUs, ...toThem]) connection.close()
  return ratio
}

function create(service: BenchService): Promise<{ id: string; deposit_address: string }> {
  const metadata = { customer: 'c-1234', basket: 3 }
  return post(service, 'invoices', { currency: 'BTC', amount: '0.0015', description: 'Order', metadata })
}

export async function post<T>({ url, key }: BenchService, path: string, body: object): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}
