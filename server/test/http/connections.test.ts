import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { type ErrorCode, OutageError, ServiceError } from '../../src/domain/errors.ts'
import { type Binding, bindContract } from '../../src/http/bind-contract.ts'
import { readOperations } from '../../src/http/contract.ts'
import { type EchoServer, echoContract, goodKey, startEchoServer } from '../support/servers/echo-server.ts'

let server: EchoServer
afterEach(() => server?.close())

/** Sends raw bytes and returns everything that comes back until the server closes. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}

const create = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/things`, {
    method: 'POST',
    headers: { 'X-API-Key': goodKey, 'Content-Type': 'application/json', ...headers },
    body: '{"currency":"BTC","amount":"1"}',
  })

describe('a malformed request still gets the error envelope:', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    [
      'too large a head',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header',
    ],
  ])('%s', async (_, bytes, status) => {
    server = await startEchoServer()
    const answer = await raw(server.port, bytes)
    expect(answer).toContain(`HTTP/1.1 ${status}`)
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    expect(body.error.code).toBe('validation_error')
    expect(body.meta.request_id).toMatch(/^req_[0-9a-z]{26}$/)
  })

  it('a request without a Host header is answered like any other', async () => {
    server = await startEchoServer()
    const answer = await raw(server.port, 'GET /api/v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toContain('HTTP/1.1 404')
    expect(answer).toContain('"code":"not_found"')
  })

  it('a client that never finishes its head is cut off', async () => {
    server = await startEchoServer()
    const answer = await raw(server.port, 'GET /api/v1/things HTTP/1.1\r\nHost: x\r\n')
    expect(answer).toContain('408 Request Timeout')
  })

  it.each(['/nothing', '/api/v1/nothing', '/api', '/api/v1/things/%zz/cancel', '/api/v1/things/%00'])(
    'a URL like %s',
    async (path) => {
      server = await startEchoServer()
      const response = await fetch(`${server.url}${path}`, { headers: { 'X-API-Key': goodKey } })
      const body = (await response.json()) as { error: { code: string }; meta: { request_id: string } }
      expect([400, 404]).toContain(response.status)
      expect(['not_found', 'validation_error']).toContain(body.error.code)
      expect(response.headers.get('x-request-id')).toBe(body.meta.request_id)
    },
  )

  it('a method that a path does not have', async () => {
    server = await startEchoServer()
    const response = await fetch(`${server.url}/api/v1/things`, { method: 'DELETE' })
    expect(response.status).toBe(404)
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe('not_found')
  })
})

it('a bug of ours is a bare 500, with the details only in the log, under the same request id', async () => {
  server = await startEchoServer({
    handle: () => {
      throw new Error('the till is stuck, password=hunter2')
    },
  })
  const response = await create(server.url)
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('the till is stuck')
  const { request_id } = JSON.parse(text).meta
  const line = server.logged.find((each) => each.includes('the till is stuck'))
  expect(line).toContain(request_id)
  // Nothing that looks like a secret is logged.
  expect(`${text}${server.logged.join('')}`).not.toContain('hunter2')
})

it('an outage is a 503 that asks for a retry', async () => {
  server = await startEchoServer({
    handle: () => {
      throw new OutageError('the database is away')
    },
  })
  const response = await create(server.url)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(((await response.json()) as { error: { code: string } }).error.code).toBe('service_unavailable')
})

it.each([
  ['gate_offline', 503, '5'],
  ['rate_unavailable', 503, '5'],
  ['conflict', 409, null],
  ['invalid_state', 400, null],
  ['idempotency_key_mismatch', 422, null],
  ['amount_too_small', 422, null],
] satisfies [ErrorCode, number, string | null][])(
  'the refusal %s is a %i, and says when to retry only if waiting helps: %s',
  async (code, status, retryAfter) => {
    server = await startEchoServer({
      handle: () => {
        throw new ServiceError(code, 'Not now.', ['/amount: is not right'])
      },
    })
    const response = await create(server.url)
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(((await response.json()) as { error: object }).error).toEqual({
      code,
      message: 'Not now.',
      details: ['/amount: is not right'],
    })
    expect(server.logged.join('')).not.toContain('request failed')
  },
)

it('never logs a key, a header or a body', async () => {
  server = await startEchoServer()
  await create(server.url, { Authorization: 'Bearer topsecret' })
  await fetch(`${server.url}/api/v1/things?token=topsecret`)
  await expect.poll(() => server.logged.length).toBe(2)
  const log = server.logged.join('')
  for (const secret of [goodKey, 'topsecret', 'BTC']) expect(log).not.toContain(secret)
  expect(log).toMatch(/"request_id":"req_/)
})

describe('the client’s IP address', () => {
  const logged = async (headers: Record<string, string>, trustedProxies: string[]) => {
    server = await startEchoServer({ trustedProxies })
    await create(server.url, headers)
    await expect.poll(() => server.logged.length).toBe(1)
    return JSON.parse(server.logged[0] ?? '').ip
  }
  it('is that of the socket, whatever X-Forwarded-For claims', async () => {
    expect(await logged({ 'X-Forwarded-For': '203.0.113.9' }, [])).toBe('127.0.0.1')
  })
  it('is the forwarded one if the operator trusts the proxy', async () => {
    expect(await logged({ 'X-Forwarded-For': '203.0.113.9' }, ['127.0.0.0/8'])).toBe('203.0.113.9')
  })
  it('is logged as valid JSON, whatever a trusted proxy passes on', async () => {
    expect(await logged({ 'X-Forwarded-For': 'no"ip\\' }, ['127.0.0.1'])).toBe('no"ip\\')
  })
  it('is the last one before the trusted proxies, not the first one claimed', async () => {
    const chain = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.9' }
    expect(await logged(chain, ['127.0.0.1'])).toBe('203.0.113.9')
  })
})

it('an IP address with over 600 failed authentications in a minute is refused until the minute is over, with a valid key too', async () => {
  let now = 0
  server = await startEchoServer({ now: () => now })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 603; attempt++) {
    const response = await create(server.url, { 'X-API-Key': 'guess' })
    statuses.push(response.status)
    await response.arrayBuffer()
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(601)
  expect(statuses.slice(601)).toEqual([429, 429])
  const shut = await create(server.url)
  expect(shut.status).toBe(429)
  expect(shut.headers.get('retry-after')).toBe('60')
  now = 60_000
  expect((await create(server.url)).status).toBe(201)
})

it('a connection that was opened in advance does not hold up the closing of the server', async () => {
  server = await startEchoServer()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = once(socket, 'close')
  await (await fetch(`${server.url}/api/v1/things`)).text()
  await Promise.all([server.close(), closed])
  // Not told that it was too slow, which would take ten seconds.
  expect(answer).toBe('')
})

it('requests in flight are completed when the server closes', async () => {
  let finish = () => {}
  let started = () => {}
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  server = await startEchoServer({
    handle: async () => {
      started()
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return { status: 201, data: {} }
    },
  })
  const answer = create(server.url)
  await running
  const closed = server.close()
  finish()
  expect((await answer).status).toBe(201)
  await closed
})

describe('the service refuses to start', () => {
  const make = (handlers: object) =>
    bindContract(
      {} as FastifyInstance,
      { operations: readOperations(echoContract), handlers } as unknown as Binding,
    )
  it('with an operation that has no handler', () => {
    const handlers = { createThing: () => {}, listThings: () => {}, createTestThing: () => {} }
    expect(() => make(handlers)).toThrow('operation cancelThing has no handler')
  })
  it('with a handler that has no operation', () => {
    expect(() => make({ stray: () => {} })).toThrow('handler stray has no operation')
  })
  it('with an operation for an environment that does not exist', () => {
    const operation = { operationId: 'x', security: [{ apiKey: ['test:write'] }], 'x-environment': 'prod' }
    const contract = { paths: { '/v1/x': { get: operation } } }
    expect(() => readOperations(contract)).toThrow('Operation x names the unknown environment prod.')
  })
})
