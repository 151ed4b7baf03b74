import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signature, webhookBody } from '../../../server/src/domain/webhooks.ts'
import type { ErrorCode, Invoice } from '../../src/client.ts'
import { invoice, secret } from './stand-in-data.ts'

type Reply = {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that answers as Sluice does, as far as the consumers ask. */
export type StandIn = { readonly origin: string; close(): Promise<void> }

export async function startStandIn(): Promise<StandIn> {
  const rows = new Map<string, Invoice>()
  const addresses = new Set<string>()

  function answer(method: string, url: URL, body: Record<string, string>): Reply {
    const call = `${method} ${url.pathname.replace('/api/v1', '')}`
    if (call === 'POST /invoices') return created(rows, body)
    if (call === 'GET /invoices') return page([...rows.values()].reverse(), url)
    if (call.startsWith('GET /invoices/')) {
      const found = rows.get(call.slice('GET /invoices/'.length))
      return found === undefined ? refused(404, 'not_found') : one({ ...found, payments: [] })
    }
    if (call === 'GET /events') return page([], url)
    if (call === 'GET /rates') return one([])
    if (call === 'POST /payouts') return refused(422, 'insufficient_balance')
    if (call === 'POST /test/deposits') {
      addresses.add(body.address ?? '')
      return one({ tx_hash: 'ab'.repeat(32) }, 201)
    }
    if (call === 'POST /test/blocks') {
      for (const [id, row] of rows)
        if (addresses.has(row.deposit_address ?? '')) rows.set(id, { ...row, status: 'paid' })
      return one({ network: 'bitcoin', height: 1, hash: 'ab' })
    }
    return refused(404, 'not_found')
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://stand-in')
    const { status, body, headers } =
      url.pathname === '/a-webhook'
        ? signedWebhook()
        : request.headers['x-api-key'] === undefined && url.pathname !== '/api/v1/rates'
          ? refused(401, 'unauthorized')
          : answer(request.method ?? '', url, await bodyOf(request))
    // Closed at once, so that no consumer stays for a connection that it may use again.
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? {} : JSON.parse(text)
}

const meta = { request_id: 'req_stand_in' }

function one(data: object, status = 200): Reply {
  return { status, body: { data, meta } }
}

function page(rows: readonly Invoice[], { searchParams }: URL): Reply {
  const limit = Number(searchParams.get('limit'))
  const start = rows.findIndex(({ id }) => id === searchParams.get('cursor')) + 1
  const data = rows.slice(start, start + limit)
  const has_more = start + data.length < rows.length
  const next_cursor = has_more ? data.at(-1)?.id : null
  const pagination = { total: rows.length, limit, offset: 0, has_more, next_cursor }
  return { status: 200, body: { data, meta: { ...meta, pagination } } }
}

function refused(status: number, code: ErrorCode, details?: readonly string[]): Reply {
  return { status, body: { error: { code, message: `This is ${code}.`, details }, meta } }
}

function created(rows: Map<string, Invoice>, body: Record<string, string>): Reply {
  if (typeof (body.amount ?? body.amount_fiat) !== 'string')
    return refused(400, 'validation_error', ['/amount: must be a decimal string'])
  const known = [...rows.values()].find((row) => row.idempotency_key === body.idempotency_key)
  if (known !== undefined)
    return { status: 201, body: { data: known, meta }, headers: { 'Idempotent-Replayed': 'true' } }
  const made = {
    ...invoice,
    id: `invoice-${rows.size + 1}`,
    amount: body.amount ?? '0.001',
    external_id: body.external_id ?? null,
    idempotency_key: body.idempotency_key ?? null,
  }
  rows.set(made.id, made)
  return one(made, 201)
}

/** Body and headers exactly as the service makes them. */
function signedWebhook(): Reply {
  const at = Math.floor(Date.now() / 1000)
  const body = webhookBody({
    eventId: '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e',
    event: 'invoice.paid',
    eventCreatedAt: new Date(0),
    environment: 'test',
    data: JSON.stringify({ ...invoice, description: 'é ✓' }),
  })
  const id = 'evt_019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signature(secret, id, at, body),
  }
  return { status: 200, body: { body, headers, secret } }
}
