/**
 * Durable invoices per second over HTTP with everything on, compared with connections that only insert the same two
 * rows into the same tables and commit; and what batching costs a single caller.
 */
import { randomBytes } from 'node:crypto'
import { interleave, type Ratio } from '../measure.ts'
import { openRawInserters } from '../raw-inserts.ts'
import { answersPerSecond, openConnections, requestText } from '../requests.ts'
import { fillWithMadeUpAddresses, startBenchService } from '../service.ts'
import { compareMerging } from './merging.ts'

const concurrency = 64
const rounds = 7
const secondsEach = 4
const addresses = 400_000

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService()
  try {
    await fillWithMadeUpAddresses(service.databaseUrl, 'bitcoin-test', addresses)
    const connections = await openConnections(service.url, concurrency)
    const create = () => answersPerSecond(connections, nextRequest(service), 201, secondsEach)
    await create()
    const raw = await openRawInserters({
      databaseUrl: service.databaseUrl,
      table: 'invoices',
      likeMerchantId: service.merchantId,
      connections: concurrency,
      unique: uniqueInvoice(),
    })
    await raw.perSecond(secondsEach)
    console.log(`POST /v1/invoices, ${concurrency} at once`)
    const many = await interleave(rounds, () => raw.perSecond(secondsEach), create)
    await raw.close()
    for (const connection of connections) connection.close()
    console.log('one invoice at a time, merged against not merged')
    const alone = await compareMerging(service.databaseUrl, service.merchantId)
    return {
      'create-invoice: 64 at once over HTTP against raw inserts (at least 0.80)': many,
      'create-invoice: one at a time, merged against not merged (at most 1.10)': alone,
    }
  } finally {
    await service.stop()
  }
}

export function nextRequest({ url, key }: { url: string; key: string }): () => string {
  const run = randomBytes(8).toString('hex')
  let count = 0
  return () => {
    count++
    const body = JSON.stringify({
      currency: 'BTC',
      amount: '0.0015',
      description: `Order ${count}`,
      external_id: `order-${count}`,
      metadata: { customer: 'c-1234', basket: 3 },
      redirect_url: 'https://shop.example.com/thanks',
      idempotency_key: `${run}-${count}`,
    })
    return requestText('POST', `${url}/api/v1/invoices`, { key, body })
  }
}

/** Makes links, keys and deposit positions that no other invoice has. */
function uniqueInvoice(): () => Record<string, unknown> {
  let position = 0
  return () => {
    const link = randomBytes(16).toString('base64url')
    return { link, idempotency_key: `${link}-key`, keychain: 'raw', deposit_position: ++position }
  }
}
