/**
 * Payouts created per second over HTTP with everything on, all reserving from the same balance, compared with
 * connections that only insert a payout and an event and commit. And, for information, the time from a payout's
 * approval until its signed transaction is sent to the network.
 */
import { randomBytes } from 'node:crypto'
import { interleave, type Ratio } from '../measure.ts'
import { openRawInserters } from '../raw-inserts.ts'
import { answersPerSecond, openConnections, requestText } from '../requests.ts'
import { type BenchService, startBenchService } from '../service.ts'
import { measureBroadcasts } from './delays.ts'

const concurrency = 64
const rounds = 7
const secondsEach = 4
// Enough for every payout of every round.
const fundedBtc = '1000000'
const fundedXrp = '100000'

export async function run(): Promise<Record<string, Ratio>> {
  const service = await startBenchService({ env: { SLUICE_SANDBOX_BLOCK_SECONDS: '0' } })
  try {
    const post = poster(service)
    await fund(post, 'BTC', 'bitcoin', fundedBtc)
    await fund(post, 'XRP', 'xrp', fundedXrp)
    const connections = await openConnections(service.url, concurrency)
    const create = () => answersPerSecond(connections, nextRequest(service), 201, secondsEach)
    await create()
    const raw = await openRawInserters({
      databaseUrl: service.databaseUrl,
      table: 'payouts',
      likeMerchantId: service.merchantId,
      connections: concurrency,
      unique: () => ({ idempotency_key: randomBytes(16).toString('base64url') }),
    })
    await raw.perSecond(secondsEach)
    console.log(`POST /v1/payouts, ${concurrency} at once`)
    const many = await interleave(rounds, () => raw.perSecond(secondsEach), create)
    await raw.close()
    for (const connection of connections) connection.close()
    console.log('payouts, from the approval to the network')
    await measureBroadcasts(service, post)
    return { 'payouts: 64 created at once over HTTP against raw inserts (at least 0.60)': many }
  } finally {
    await service.stop()
  }
}

function poster({ url, key }: BenchService) {
  return async (path: string, body: object = {}): Promise<Record<string, string>> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
}

async function fund(post: ReturnType<typeof poster>, currency: string, network: string, amount: string) {
  const invoice = await post('invoices', { currency, amount })
  const tag = invoice.deposit_address_tag ? { address_tag: invoice.deposit_address_tag } : {}
  await post('test/deposits', { address: invoice.deposit_address, ...tag, currency, amount })
  await post('test/blocks', { network, count: invoice.required_confirmations })
}

function nextRequest({ url, key }: BenchService): () => string {
  const run = randomBytes(8).toString('hex')
  let count = 0
  return () => {
    count++
    const body = JSON.stringify({
      currency: 'BTC',
      amount: '0.0015',
      destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      description: `Payroll ${count}`,
      metadata: { employee: 'e-1234' },
      idempotency_key: `${run}-${count}`,
    })
    return requestText('POST', `${url}/api/v1/payouts`, { key, body })
  }
}
