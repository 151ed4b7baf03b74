import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { SluiceOptions } from '../src/client.ts'
import {
  type Currency,
  createSluice,
  type Event,
  type EventWithDeliveries,
  type Pagination,
  SluiceConnectionError,
} from '../src/client.ts'
import { longestWaitMs, realTiming } from '../src/retry.ts'
import type { Route } from '../src/route.ts'
import { createTransport } from '../src/transport.ts'

const apiKey = `sk_test_${'5ec2e7'.repeat(10)}abcd`
type Step = (request: IncomingMessage, response: ServerResponse) => void
type Recorded = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

// A real server that answers each request with the next step and repeats the last one. Each test has its own server, so that
// a request abandoned in one test cannot arrive in the next.
let steps: Step[] = []
const received: Recorded[] = []
let server: Server
let baseUrl = ''
beforeEach(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const step = steps.length > 1 ? steps.shift() : steps[0]
      step?.(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})
afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  received.length = 0
  waits.length = 0
})

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
const meta = { request_id: 'req_1' }
const empty = answer(200, { data: [], meta })
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer(status, { error: { code, message: `This is ${code}.` }, meta }, headers)
const silence: Step = () => {}
const hangUp: Step = (request) => request.socket.destroy()

// No test waits for a clock: `sleep` records the wait and returns at once.
const waits: number[] = []
const timing = {
  sleep: async (ms: number) => {
    waits.push(ms)
  },
  random: () => 0.5,
  now: () => Date.parse('2026-01-01T00:00:00Z'),
}
const client = (options: Partial<SluiceOptions> = {}) => createSluice({ baseUrl, apiKey, ...options }, timing)
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  )

const event = (id: string): Event => ({
  id,
  position: '1',
  event: 'invoice.paid',
  environment: 'test',
  created_at: '2026-01-01T00:00:00.000Z',
  data: {},
})

describe('answers', () => {
  it('a list carries its request id, and a page also its pagination', async () => {
    const pagination = { total: 1, limit: 20, offset: 0, has_more: false }
    steps = [
      answer(200, { data: [{ code: 'BTC' }], meta }),
      answer(200, { data: [event('evt_1')], meta: { ...meta, pagination } }),
    ]
    expect(await client().currencies.list()).toEqual({ data: [{ code: 'BTC' }], requestId: 'req_1' })
    expect(await client().events.list()).toEqual({ data: [event('evt_1')], requestId: 'req_1', pagination })
  })

  it('a single resource is returned as it is, and through request with its request id', async () => {
    steps = [answer(200, { data: event('evt_1'), meta })]
    expect(await client().events.get('evt_1')).toEqual(event('evt_1'))
    expect(await client().request('getEvent', { path: { eventID: 'evt_1' } })).toEqual({
      data: event('evt_1'),
      requestId: 'req_1',
    })
  })

  it('types follow the contract', async () => {
    const { request, events } = client()
    steps = [answer(200, { data: [], meta: { ...meta, pagination: {} } })]
    const page = await request('listEvents', { query: { limit: 5 } })
    expectTypeOf(page.data).toEqualTypeOf<Event[]>()
    expectTypeOf(page.pagination).toEqualTypeOf<Pagination>()
    expectTypeOf(events.get).returns.resolves.toEqualTypeOf<EventWithDeliveries>()
    const currencies = await request('listCurrencies')
    expectTypeOf(currencies.data).toEqualTypeOf<Currency[]>()
    // @ts-expect-error currencies are not paged
    currencies.pagination
    // @ts-expect-error the path is required
    await expect(request('getEvent')).rejects.toThrow(TypeError)
    // @ts-expect-error no such environment
    await request('listCurrencies', { query: { environment: 'prod' } })
    // @ts-expect-error no such operation
    await expect(request('constructor')).rejects.toThrow('no such operation')
  })
})

describe('addresses', () => {
  it('a trailing slash in the base address changes nothing', async () => {
    steps = [empty]
    await client({ baseUrl: `${baseUrl}/` }).currencies.list()
    await client().currencies.list()
    expect(received.map(({ url }) => url)).toEqual(['/api/v1/currencies', '/api/v1/currencies'])
  })

  it('a value never escapes its place in the path or the query', async () => {
    steps = [empty]
    await client().events.get('a/../b?c#d é%')
    await client().events.list({ event: 'a&limit=1 +é' })
    await client().rates.list({ currency: ['BTC', 'ETH'], fiat_currency: 'USD' })
    expect(received.map(({ url }) => url)).toEqual([
      '/api/v1/events/a%2F..%2Fb%3Fc%23d%20%C3%A9%25',
      '/api/v1/events?event=a%26limit%3D1%20%2B%C3%A9',
      '/api/v1/rates?currency=BTC%2CETH&fiat_currency=USD',
    ])
  })

  it.each(['', '.', '..'])('the id "%s", which would address another resource, is never sent', async (id) => {
    await expect(client().events.get(id)).rejects.toThrow('eventID must not be empty or consist of dots')
    expect(received).toEqual([])
  })
})

describe('errors', () => {
  it.each([
    ['a page of HTML', 404, '<h1>Not here</h1>'],
    ['nothing', 404, ''],
    ['JSON of another shape', 404, '{"error":"nope"}'],
    ['a success without data', 200, '{"ok":true}'],
    ['a success that is not JSON', 200, 'fine'],
  ])('%s is an unexpected answer', async (_, status, body) => {
    steps = [answer(status, body, { 'x-request-id': 'req_header' })]
    const thrown = await failure(client().currencies.list())
    expect(thrown).toMatchObject({ name: 'SluiceError', status, code: 'unexpected_answer', details: [] })
    expect(thrown).toMatchObject({ requestId: 'req_header' })
  })

  it('a lost connection and a missing answer are connection errors', async () => {
    steps = [hangUp]
    const lost = await failure(client({ maxRetries: 0 }).currencies.list())
    expect(lost).toBeInstanceOf(SluiceConnectionError)
    expect(lost).toMatchObject({ timedOut: false, message: expect.stringContaining(baseUrl) })
    steps = [silence]
    const late = await failure(client({ maxRetries: 0, timeoutMs: 20 }).currencies.list())
    expect(late).toMatchObject({ name: 'SluiceConnectionError', timedOut: true })
  })

  it('an answer that breaks off or never ends is a connection error', async () => {
    const start: Step = (request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"data":', () => request.socket.destroy())
    }
    const stall: Step = (_, response) => void response.write('{"data":')
    steps = [start]
    expect(await failure(client({ maxRetries: 0 }).currencies.list())).toMatchObject({ timedOut: false })
    steps = [stall]
    expect(await failure(client({ maxRetries: 0, timeoutMs: 20 }).currencies.list())).toMatchObject({
      timedOut: true,
    })
  })
})

describe('retries', () => {
  const post: Route = { method: 'POST', path: '/v1/x', needsKey: true, idempotency: null }
  const send = (route: Route, input: Parameters<ReturnType<typeof createTransport>>[1]) =>
    createTransport({ baseUrl, apiKey }, timing)(route, input)

  it.each([
    ['429', refusal(429, 'rate_limited')],
    ['500', refusal(500, 'internal_error')],
    ["a proxy's 502", answer(502, '<h1>Bad gateway</h1>')],
    ['a lost connection', hangUp],
  ])('a GET survives %s', async (_, step) => {
    steps = [step, step, empty]
    expect((await client().currencies.list()).data).toEqual([])
    expect(received).toHaveLength(3)
    expect(waits).toEqual([375, 750])
  })

  it('a timeout is retried', async () => {
    let attempts = 0
    const counting: typeof fetch = (url, init) => {
      attempts += 1
      return fetch(url, init)
    }
    steps = [silence]
    const late = await failure(client({ fetch: counting, timeoutMs: 20 }).currencies.list())
    expect(late).toMatchObject({ timedOut: true })
    expect(attempts).toBe(3)
  })

  it('after the last retry the last error is thrown', async () => {
    steps = [refusal(503, 'service_unavailable')]
    expect(await failure(client().currencies.list())).toMatchObject({ status: 503 })
    expect(await failure(client({ maxRetries: 0 }).currencies.list())).toMatchObject({ status: 503 })
    expect(received).toHaveLength(3 + 1)
  })

  it.each([400, 401, 403, 404, 409, 422])('%d is final', async (status) => {
    steps = [refusal(status, 'whatever')]
    expect(await failure(client().currencies.list())).toMatchObject({ status })
    expect(received).toHaveLength(1)
  })

  it('the client waits for Retry-After, and the error reports it', async () => {
    steps = [refusal(429, 'rate_limited', { 'retry-after': '7' })]
    expect(await failure(client().currencies.list())).toMatchObject({ retryAfter: 7 })
    expect(waits).toEqual([7000, 7000])
  })

  it('all waits together stay within the maximum, and a wait that would exceed it is not started', async () => {
    steps = [refusal(429, 'rate_limited', { 'retry-after': '25' })]
    await failure(client({ maxRetries: 10 }).currencies.list())
    expect(waits).toEqual([25_000, 25_000])
    steps = [refusal(503, 'service_unavailable', { 'retry-after': '3600' })]
    await failure(client().currencies.list())
    expect(waits).toHaveLength(2)
    steps = [refusal(500, 'internal_error')]
    await failure(client({ maxRetries: 10 }).currencies.list())
    expect(waits.slice(2).reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(longestWaitMs)
  })

  it('a request that could take effect twice is sent once, unless an idempotency key protects it', async () => {
    const headers = { 'Idempotency-Key': 'k' }
    const attempts = async (route: Route, input: Parameters<typeof send>[1]) => {
      received.length = 0
      steps = [refusal(503, 'service_unavailable')]
      await failure(send(route, input))
      expect(new Set(received.map(({ body }) => body)).size).toBe(1)
      return received.length
    }
    const inBody: Route = { ...post, idempotency: 'body' }
    const inHeader: Route = { ...post, idempotency: 'header' }
    expect(await attempts(inBody, { body: { amount: '1' } })).toBe(1)
    expect(await attempts(inBody, { body: { amount: '1', idempotency_key: '' } })).toBe(1)
    expect(await attempts(inBody, { body: { amount: '1', idempotency_key: 'k' } })).toBe(3)
    expect(await attempts(inHeader, { headers })).toBe(3)
    for (const route of [inBody, post]) expect(await attempts(route, { headers })).toBe(1)
    for (const route of [inHeader, post])
      expect(await attempts(route, { body: { amount: '1', idempotency_key: 'k' } })).toBe(1)
    expect(await attempts({ ...post, method: 'DELETE' }, {})).toBe(1)
  })

  it('an aborted signal ends the call before, during and between attempts with its reason', async () => {
    const reason = new Error('enough')
    await expect(client().currencies.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(received).toEqual([])

    const during = new AbortController()
    steps = [() => during.abort(reason)]
    await expect(client().currencies.list({}, { signal: during.signal })).rejects.toBe(reason)

    const between = new AbortController()
    const { sleep } = realTiming
    const abortsThenSleeps: typeof sleep = (_, signal) => {
      queueMicrotask(() => between.abort(reason))
      return sleep(600_000, signal)
    }
    steps = [refusal(503, 'service_unavailable')]
    const patient = createSluice({ baseUrl }, { ...timing, sleep: abortsThenSleeps })
    await expect(patient.currencies.list({}, { signal: between.signal })).rejects.toBe(reason)
    expect(received).toHaveLength(2)
  })
})

describe('paging', () => {
  const serve =
    (rows: Event[], after: () => void = () => {}): Step =>
    (request, response) => {
      const query = new URL(request.url ?? '', baseUrl).searchParams
      const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
      const has_more = offset + limit < rows.length
      const pagination = { total: rows.length, limit, offset, has_more }
      answer(200, { data: rows.slice(offset, offset + limit), meta: { ...meta, pagination } })(
        request,
        response,
      )
      after()
    }
  const ids = async (rows: AsyncIterable<Event>) => {
    const found: string[] = []
    for await (const { id } of rows) found.push(id)
    return found
  }
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => event(`evt_${index}`))

  it('all events arrive in order until there are no more', async () => {
    const rows = numbered(7)
    steps = [serve(rows)]
    expect(await ids(client().events.all({ event: 'invoice.paid', limit: 3 }))).toEqual(
      rows.map(({ id }) => id),
    )
    expect(received.map(({ url }) => url)).toEqual(
      [0, 3, 6].map((offset) => `/api/v1/events?event=invoice.paid&limit=3&offset=${offset}`),
    )
    expect(await ids(client().events.all({ offset: 5 }))).toEqual(['evt_5', 'evt_6'])
  })

  it('a page is fetched only when the reader needs it', async () => {
    steps = [serve(numbered(7))]
    for await (const { id } of client().events.all({ limit: 3 })) if (id === 'evt_1') break
    expect(received).toHaveLength(1)
  })

  it('no event is returned twice when new ones arrive meanwhile', async () => {
    const rows = numbered(7)
    const expected = rows.map(({ id }) => id)
    steps = [serve(rows, () => rows.unshift(event(`evt_new_${rows.length}`)))]
    expect(await ids(client().events.all({ limit: 3 }))).toEqual(expected)
  })

  it('an empty page that promises more ends the iteration', async () => {
    const pagination = { total: 9, limit: 3, offset: 0, has_more: true }
    steps = [answer(200, { data: [], meta: { ...meta, pagination } })]
    expect(await ids(client().events.all())).toEqual([])
  })
})

describe('the API key', () => {
  const shown = (value: unknown) =>
    `${inspect(value, { depth: null, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`

  it('is sent with operations that need it and with no others', async () => {
    steps = [empty]
    await client().events.list()
    await client().currencies.list()
    expect(received.map(({ headers }) => headers['x-api-key'])).toEqual([apiKey, undefined])
  })

  it('is demanded before anything is sent', async () => {
    await expect(createSluice({ baseUrl }).events.list()).rejects.toThrow('needs an API key')
    expect(received).toEqual([])
  })

  it('is not shown by the client', () => {
    expect(shown(client())).not.toContain(apiKey)
  })

  it('is not shown by an error, even if the service repeats it', async () => {
    const error = { code: apiKey, message: `Bad ${apiKey}.`, details: [apiKey] }
    steps = [answer(400, { error, meta: { request_id: apiKey } })]
    const refused = await failure(client().events.get(apiKey))
    expect(refused).toMatchObject({ message: 'Bad [API key]: [API key] (request [API key])' })
    const talkative = async () => {
      throw Object.assign(new Error(`sent ${apiKey}`, { cause: new Error(apiKey) }), { headers: { apiKey } })
    }
    const unsent = await failure(client({ fetch: talkative }).events.list())
    expect(unsent).toBeInstanceOf(SluiceConnectionError)
    expect(shown([refused, unsent])).not.toContain(apiKey)
  })

  it('is not sent to the target of a redirect', async () => {
    steps = [answer(307, '', { location: `${baseUrl}/elsewhere` }), empty]
    const thrown = await failure(client().events.list())
    expect(thrown).toMatchObject({ status: 307, code: 'unexpected_answer' })
    expect(received).toHaveLength(1)
  })
})
