import { afterEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/caller.ts'
import type { Environment } from '../../src/domain/environment.ts'
import { maxFailedAuthentications } from '../../src/http/gatekeeper.ts'
import { created, ok, replayed } from '../../src/http/reply.ts'
import { type EchoServer, startEchoServer } from '../support/servers/echo-server.ts'

let server: EchoServer
afterEach(() => server?.close())

const callers = new Map<string, Caller>(
  (['test', 'live'] satisfies Environment[]).map((environment) => [
    environment,
    {
      actor: environment,
      person: null,
      merchantId: 'merchant',
      environment,
      permissions: new Set(['invoices:write'] as const),
      merchant: { baseCurrency: 'USD', feeBps: 0, payoutFeeBps: 0, refundFeeBps: 0, toleranceBps: 0 },
    },
  ]),
)

async function send(method: string, path: string, key: string) {
  const response = await fetch(`${server.url}/api${path}`, { method, headers: { 'X-API-Key': key } })
  const body = (await response.json()) as { meta: { request_id: string } }
  const text = JSON.stringify(body).replace(body.meta.request_id, '')
  return { status: response.status, headers: response.headers, text }
}

describe.each([
  ['kept in memory', (key: string) => callers.get(key) ?? null],
  ['looked up', async (key: string) => callers.get(key) ?? null],
])('an operation for test keys only, with keys %s', (_, findCaller) => {
  it('admits a test key', async () => {
    server = await startEchoServer({ findCaller })
    expect((await send('POST', '/v1/test/things', 'test')).status).toBe(201)
  })

  it('answers a live key exactly like an unknown key, and counts it as a failed authentication', async () => {
    server = await startEchoServer({ findCaller, now: () => 0 })
    const wrong = await send('POST', '/v1/test/things', 'live')
    const unknown = await send('POST', '/v1/test/things', 'nobody')
    expect(wrong.status).toBe(401)
    expect(wrong.text).toBe(unknown.text)
    expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()])
    expect(server.received).toEqual([])
    const [before = 0, after = 0] = [wrong, unknown].map(({ headers }) =>
      Number(headers.get('ratelimit-remaining')),
    )
    expect(before).toBeLessThan(maxFailedAuthentications)
    expect(after).toBe(before - 1)
  })

  it('does not count it against the live key’s own limit', async () => {
    server = await startEchoServer({ findCaller, keyLimit: 1, now: () => 0 })
    expect((await send('POST', '/v1/test/things', 'live')).status).toBe(401)
    expect((await send('GET', '/v1/things', 'live')).status).toBe(201)
    expect((await send('GET', '/v1/things', 'live')).status).toBe(429)
    expect((await send('POST', '/v1/test/things', 'live')).status).toBe(401)
  })
})

it('guesses from all addresses of one IPv6 network count together, and not against another network', async () => {
  server = await startEchoServer({ findCaller: () => null, now: () => 0, trustedProxies: ['127.0.0.1'] })
  const guess = async (ip: string) => {
    const headers = { 'X-API-Key': 'wrong', 'X-Forwarded-For': ip }
    return (await fetch(`${server.url}/api/v1/things`, { headers })).status
  }
  for (let n = 0; n <= maxFailedAuthentications; n++)
    expect(await guess(`2001:db8:0:7:${n.toString(16)}::1`)).toBe(401)
  expect(await guess('2001:0DB8::7:ffff:ffff:ffff:ffff')).toBe(429)
  expect(await guess('2001:db8:0:8::1')).toBe(401)
  expect(await guess('192.0.2.7')).toBe(401)
})

it('an operation that names no environment admits keys of both', async () => {
  server = await startEchoServer({ findCaller: (key) => callers.get(key) ?? null })
  for (const key of callers.keys()) expect((await send('GET', '/v1/things', key)).status).toBe(201)
})

it('a parameter documented as ignored may have any value, and reaches no handler', async () => {
  let query: unknown
  server = await startEchoServer({
    findCaller: (key) => callers.get(key) ?? null,
    handle: (request) => {
      query = (request as { query: unknown }).query
      return ok(null)
    },
  })
  for (const value of ['prod', '', '%00', 'a&environment=b', 'x'.repeat(5000)]) {
    expect((await send('GET', `/v1/things?limit=7&environment=${value}`, 'test')).status).toBe(200)
    expect(query).toEqual({ limit: 7 })
  }
})

it('a replay says so in a header, and a first answer does not', async () => {
  let again = false
  server = await startEchoServer({
    findCaller: (key) => callers.get(key) ?? null,
    handle: () => {
      const reply = created({ id: 1 })
      return again ? replayed(reply) : reply
    },
  })
  const first = await send('POST', '/v1/test/things', 'test')
  again = true
  const second = await send('POST', '/v1/test/things', 'test')
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(second.text).toBe(first.text)
})
