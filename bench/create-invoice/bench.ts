/** What batching costs a single caller. How many invoices a second there are: `bench/sustained/`. */
import { randomBytes } from 'node:crypto'
import type { Ratio } from '../measure.ts'
import { openConnections, requestText } from '../requests.ts'
import { startBenchService } from '../service.ts'
import { compareMerging } from './merging.ts'

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService()
  try {
    const [connection] = await openConnections(service.url, 1)
    await connection?.send(nextRequest(service)(), 201)
    connection?.close()
    console.log('one invoice at a time, merged against not merged')
    const alone = await compareMerging(service.databaseUrl, service.merchantId)
    return { 'create-invoice: one at a time, merged against not merged (at most 1.10)': alone }
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
export function uniqueInvoice(): () => Record<string, unknown> {
  let position = 0
  return () => {
    const link = randomBytes(16).toString('base64url')
    return { link, idempotency_key: `${link}-key`, keychain: 'raw', deposit_position: ++position }
  }
}
