import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Ask,
  type ClientOptions,
  type Language,
  languages,
  type Outcome,
  startLanguage,
} from './language.ts'
import {
  cut,
  drip,
  json,
  one,
  page,
  refusal,
  rows,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.ts'

const key = `sk_test_${'ab'.repeat(32)}`
const order = { currency: 'BTC', amount: '0.01' }

let server: ScriptedServer
beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())

describe.each(languages)('the client in $name', (settings) => {
  let language: Language
  beforeAll(() => {
    language = startLanguage(settings)
  })
  afterAll(() => language.end())
  beforeEach(() => server.script(one()))

  const ask = (asked: Ask, client: Partial<ClientOptions> = {}): Promise<Outcome> =>
    language.ask({ client: { base_url: server.url, api_key: key, ...client }, ...asked })
  const call = (method: string, more: object = {}, client: Partial<ClientOptions> = {}) =>
    ask({ do: 'call', method, ...more }, client)
  const create = (more: object = {}) => call('invoices.create', { fields: order, ...more })

  it('repeats a create after a 503 with the same bytes, under a key of its own', async () => {
    server.script(refusal(503, 'service_unavailable'), one({ id: 'a' }))
    const { data, waits } = await create()
    expect(data).toEqual({ id: 'a' })
    expect(server.seen).toHaveLength(2)
    expect(server.seen[1]?.body).toBe(server.seen[0]?.body)
    expect(JSON.parse(server.seen[0]?.body ?? '').idempotency_key).toMatch(/^[0-9a-f-]{36}$/)
    expect(waits).toEqual([0.25])
  })

  it('uses another key for another create, and keeps the one that the caller gives', async () => {
    await create()
    await create()
    await create({ fields: { ...order, idempotency_key: 'order-1' } })
    const keys = server.seen.map(({ body }) => JSON.parse(body).idempotency_key)
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('order-1')
  })

  it('sends the key of a refund as a header, the same on every attempt', async () => {
    server.script(refusal(500, 'internal_error'), one())
    const fields = { ...order, invoice_id: 'a', destination: 'b' }
    await call('refunds.create', { fields })
    await call('refunds.create', { fields, options: { idempotency_key: 'refund-1' } })
    const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0], 'refund-1'])
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(fields)
  })

  it('waits as long as Retry-After asks, in seconds or until a date', async () => {
    const date = new Date(1_800_000_000_000 + 12_000).toUTCString()
    server.script(
      refusal(429, 'rate_limited', { headers: { 'retry-after': '7' } }),
      refusal(429, 'rate_limited', { headers: { 'retry-after': date } }),
      one(),
    )
    expect(await create()).toMatchObject({ data: { id: 'a' }, waits: [7, 12] })
  })

  it('gives up at once if the service asks for more than a minute of waiting', async () => {
    server.script(refusal(429, 'rate_limited', { headers: { 'retry-after': '61' } }))
    const { error, waits } = await create()
    expect(error).toMatchObject({ class: 'RateLimitError', status: 429, retry_after: 61 })
    expect(waits).toEqual([])
    server.script(refusal(429, 'rate_limited', { headers: { 'retry-after': '40' } }))
    expect((await create()).waits).toEqual([40])
  })

  it('backs off further each time, and ends after as many retries as allowed', async () => {
    server.script(refusal(503, 'gate_offline'))
    const { error, waits } = await create({ options: { max_retries: 6 } })
    expect(error).toMatchObject({ class: 'ServerError', code: 'gate_offline' })
    expect(waits).toEqual([0.25, 0.5, 1, 2, 4, 4])
    server.script(refusal(503, 'gate_offline'))
    expect((await call('invoices.get', { subject: 'a' })).waits).toHaveLength(2)
    expect((await call('invoices.get', { subject: 'a' }, { max_retries: 0 })).waits).toEqual([])
  })

  it.each([
    ['addresses.create', { fields: { currency: 'BTC' } }],
    ['invoices.cancel', { subject: 'a' }],
    ['webhook_endpoints.rotate_secret', { subject: 'a' }],
    ['webhook_endpoints.delete', { subject: 'a' }],
    ['test.mine_blocks', { fields: { network: 'bitcoin', count: 1 } }],
  ])('never repeats %s, which could take effect twice', async (method, more) => {
    server.script(refusal(503, 'service_unavailable'), one())
    expect((await call(method, more)).error).toMatchObject({ class: 'ServerError' })
    expect(server.seen).toHaveLength(1)
  })

  it('never follows a redirect, and does not take it for an outage', async () => {
    const elsewhere = `${server.url}/stolen`
    server.script((response) => response.writeHead(302, { location: elsewhere }).end())
    const { error } = await create()
    expect(error).toMatchObject({ class: 'UnexpectedAnswerError', code: 'unexpected_answer', status: 302 })
    expect(error?.message).toContain('redirect')
    expect(server.seen).toHaveLength(1)
  })

  it.each([
    ['a page in HTML', 200, 'text/html', '<html><body>Welcome</body></html>'],
    ['a page instead of an error', 403, 'text/html', '<h1>Blocked</h1>'],
    ['JSON from elsewhere', 200, 'application/json', '{"ok":true}'],
    ['half of some JSON', 200, 'application/json', '{"data":{"id":"a"},"meta":{"request_id":'],
    ['data of another shape', 200, 'application/json', '{"data":"a","meta":{"request_id":"req_1"}}'],
    ['bytes that are no text', 200, 'application/json', Buffer.from([0xff, 0xfe])],
    ['nothing', 200, 'application/json', ''],
  ])('says that the answer is not from Sluice: %s', async (_, status, type, body) => {
    server.script((response) => response.writeHead(status, { 'content-type': type }).end(body))
    const { error } = await create()
    expect(error).toMatchObject({ class: 'UnexpectedAnswerError', code: 'unexpected_answer', status })
    expect(error?.message).not.toContain('Welcome')
    expect(server.seen).toHaveLength(1)
  })

  it('repeats what a proxy answers with a page and 502', async () => {
    server.script((response) => response.writeHead(502).end('<h1>Bad gateway</h1>'), one())
    expect(await create()).toMatchObject({ data: { id: 'a' }, waits: [0.25] })
  })

  it.each([
    ['in a body of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"data":{"id":"a"'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n{"data":{"id":"a"'],
    ['between two chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"data":\r\n'],
    ['in the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['before the answer', ''],
  ])('takes an answer that is cut off %s for no answer', async (_, bytes) => {
    server.script(cut(bytes), one())
    expect(await create()).toMatchObject({ data: { id: 'a' }, waits: [0.25] })
    server.script(cut(bytes))
    const { error } = await create({ options: { max_retries: 0 } })
    expect(error).toMatchObject({ class: 'ConnectionFailedError', timed_out: false })
  })

  it.each([
    ['never comes', () => {}],
    ['drips', drip],
  ])('ends an attempt in time when the answer %s', async (_, reply) => {
    server.script(reply, one())
    const { data, waits } = await create({ options: { timeout: 0.3 } })
    expect([data, waits]).toEqual([{ id: 'a' }, [0.25]])
    server.script(reply)
    const { error } = await create({ options: { timeout: 0.2, max_retries: 0 } })
    expect(error).toMatchObject({ class: 'ConnectionFailedError', timed_out: true })
  })

  it('names an address where nothing listens', async () => {
    const { error } = await call('invoices.get', { subject: 'a' }, { base_url: 'http://127.0.0.1:1/api' })
    expect(error).toMatchObject({ class: 'ConnectionFailedError', timed_out: false })
    expect(error?.message).toContain('http://127.0.0.1:1/api')
  })

  it('reads chunked answers and interim ones', async () => {
    const text = JSON.stringify({ data: { id: 'ü' }, meta: { request_id: 'req_1' } })
    server.script((response) => {
      response.writeContinue()
      response.write(text.slice(0, 12))
      setImmediate(() => response.end(text.slice(12)))
    })
    expect(await call('invoices.get', { subject: 'a' })).toMatchObject({ data: { id: 'ü' } })
  })

  it.each([
    [400, 'validation_error', 'ValidationError'],
    [422, 'insufficient_balance', 'ValidationError'],
    [400, 'invalid_state', 'ConflictError'],
    [401, 'unauthorized', 'AuthenticationError'],
    [403, 'forbidden', 'PermissionDeniedError'],
    [404, 'not_found', 'NotFoundError'],
    [409, 'conflict', 'ConflictError'],
    [422, 'idempotency_key_mismatch', 'ConflictError'],
    [429, 'rate_limited', 'RateLimitError'],
    [500, 'internal_error', 'ServerError'],
    [418, 'new_code', 'ValidationError'],
  ])('%i %s is a %s with everything the service said', async (status, code, kind) => {
    const details = ['/amount: must be a string', '/currency: is unknown']
    server.script(refusal(status, code, { message: 'Not so.', details }))
    const { error } = await create({ options: { max_retries: 0 } })
    expect(error).toMatchObject({
      class: kind,
      status,
      code,
      details,
      request_id: 'req_00000000000000000000000001',
    })
    for (const part of ['Not so.', ...details, code, 'req_00000000000000000000000001'])
      expect(error?.message).toContain(part)
  })

  it('shows the key nowhere, even if the service repeats it', async () => {
    server.script(refusal(400, 'validation_error', { message: `Bad ${key}`, details: [`/a: ${key}`] }))
    const outcomes = [
      await create(),
      await ask({ do: 'shown' }),
      await call('invoices.get', { subject: 'a' }, { base_url: `http://127.0.0.1:1/${key}` }),
      await call('invoices.get', { subject: 'a' }, { api_key: `${key}\n` }),
      await call('invoices.get', { subject: 'a' }, { base_url: `http://user:${key}@127.0.0.1/api` }),
    ]
    expect(outcomes[0]?.error?.message).toContain('Bad [API key]')
    expect(outcomes[1]?.data.length).toBeGreaterThan(4)
    expect(outcomes.filter(({ error }) => error !== undefined)).toHaveLength(4)
    expect(outcomes.map((outcome) => JSON.stringify(outcome).includes(key))).toEqual(Array(5).fill(false))
  })

  it('sends the key only where it is needed, and nothing without one', async () => {
    server.script(rows([]))
    await call('currencies.list')
    await call('balances.list')
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, key])
    const { error } = await language.ask({
      do: 'call',
      method: 'balances.list',
      client: { base_url: server.url },
    })
    expect(error?.message).toContain('API key')
    expect(server.seen).toHaveLength(2)
  })

  it('takes no float for an amount', async () => {
    const { error } = await create({ fields: { currency: 'BTC', amount: 0.5 } })
    expect(error?.message).toMatch(/^amount must be a string/)
    const payouts = [{ ...order, destination: 'a', amount: 0.5 }]
    const several = await call('payouts.create_many', { fields: { payouts } })
    expect(several.error?.message).toMatch(/^amount must be a string/)
    expect(server.seen).toEqual([])
  })

  it('sends metadata as it is, and keeps amounts as they come', async () => {
    const metadata = { order: 'Grüße 🚰', weight: 0.1, count: 3, gift: true, none: null }
    const amount = '0.100000000000000000000000000000000001'
    server.script(one({ id: 'a', amount, metadata }))
    const { data } = await create({ fields: { ...order, metadata } })
    expect(JSON.parse(server.seen[0]?.body ?? '').metadata).toEqual(metadata)
    expect(data.amount).toBe(amount)
    await create({ fields: { ...order, metadata: {} } })
    expect(JSON.parse(server.seen[1]?.body ?? '').metadata).toEqual({})
    await call('payouts.create_many', { fields: { payouts: [{ ...order, metadata: {} }] } })
    expect(JSON.parse(server.seen[2]?.body ?? '').payouts[0].metadata).toEqual({})
  })

  it('leaves out what is not set', async () => {
    await create({ fields: { ...order, network: null } })
    expect(Object.keys(JSON.parse(server.seen[0]?.body ?? ''))).toEqual([
      'currency',
      'amount',
      'idempotency_key',
    ])
    await call('events.redeliver', { subject: 'evt_1' })
    expect(server.seen[1]?.body).toBe('{}')
  })

  it('lets no value escape its place in the URL', async () => {
    server.script(page([], false))
    await call('invoices.list', { query: { status: 'paid&limit=1#', limit: 5 } })
    await call('balances.list_ledger', { subject: '../a?b/ü' })
    await call('rates.list', { query: { currency: ['BTC', 'ETH'], fiat_currency: 'EUR' } })
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/invoices?status=paid%26limit%3D1%23&limit=5',
      '/api/v1/balances/..%2Fa%3Fb%2F%C3%BC/ledger',
      '/api/v1/rates?currency=BTC%2CETH&fiat_currency=EUR',
    ])
    for (const subject of ['', '.', '..'])
      expect((await call('invoices.get', { subject })).error).toBeDefined()
    expect(server.seen).toHaveLength(3)
  })

  it('reads every page, each row once though new ones push them down', async () => {
    server.script(page([{ id: 'c' }, { id: 'b' }], true), page([{ id: 'b' }, { id: 'a' }], false))
    const { data } = await call('invoices.all', { query: { status: 'paid' } })
    expect(data).toEqual([{ id: 'c' }, { id: 'b' }, { id: 'a' }])
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/invoices?status=paid&limit=100&offset=0',
      '/api/v1/invoices?status=paid&limit=100&offset=2',
    ])
    server.script(page([], true))
    expect((await call('addresses.invoices', { subject: 'x' })).data).toEqual([])
    expect(server.seen.map(({ url }) => url)).toEqual(['/api/v1/addresses/x/invoices?limit=100&offset=0'])
  })

  it('pages by cursor where the list has one, also past a page without rows', async () => {
    const cursorPage = (ids: readonly number[], next: string | null) =>
      json(200, {
        data: ids.map((id) => ({ id })),
        meta: {
          request_id: 'req_1',
          pagination: { total: 3, limit: 2, offset: 0, has_more: next !== null, next_cursor: next },
        },
      })
    server.script(cursorPage([3, 2], 'b'), cursorPage([], 'c'), cursorPage([1], null))
    const { data } = await call('payouts.all', { query: { limit: 2, status: 'approved' } })
    expect((data as { id: number }[]).map(({ id }) => id)).toEqual([3, 2, 1])
    const queries = server.seen.map(({ url }) => Object.fromEntries(new URL(url, server.url).searchParams))
    expect(queries).toEqual([
      { limit: '2', status: 'approved', offset: '0' },
      { limit: '2', status: 'approved', cursor: 'b' },
      { limit: '2', status: 'approved', cursor: 'c' },
    ])
  })

  it('gives each of several payouts a key, and sends them again with the same ones', async () => {
    server.script(refusal(503, 'service_unavailable'), rows([]))
    const payout = { ...order, destination: 'a' }
    const payouts = [payout, { ...payout, idempotency_key: 'mine' }]
    await call('payouts.create_many', { fields: { payouts } })
    expect(server.seen).toHaveLength(2)
    expect(server.seen[1]?.body).toBe(server.seen[0]?.body)
    const sent = JSON.parse(server.seen[0]?.body ?? '').payouts
    expect(sent).toEqual([
      { ...payout, idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { ...payout, idempotency_key: 'mine' },
    ])
  })

  it('reads events upwards from a position, and ends where a page makes no progress', async () => {
    server.script(page([{ position: '4' }, { position: '9' }], true), page([{ position: '12' }], false))
    const { data } = await call('events.all', { query: { event: 'invoice.paid', after: '3' } })
    expect(data).toEqual([{ position: '4' }, { position: '9' }, { position: '12' }])
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/events?event=invoice.paid&after=3&limit=100',
      '/api/v1/events?event=invoice.paid&after=9&limit=100',
    ])
    server.script(page([{ position: '4' }], true))
    expect((await call('events.all', { query: { after: '0' } })).data).toHaveLength(2)
  })

  it('gives fields by name, also those it does not know, and cannot be changed', async () => {
    server.script(
      one({ id: 'a', status: 'paid', payments: [{ tx_hash: 'h' }], new_field: 7, secret: 'hush' }),
    )
    const { data } = await ask({ do: 'fields', subject: 'a' })
    expect(data).toMatchObject({ status: 'paid', hashes: ['h'], new_field: 7 })
    expect(data).toMatchObject({ has_unknown: false, changed: false, same_again: true })
    expect(data.shown).not.toContain('hush')
  })

  it('refuses options that make no sense', async () => {
    const bad = [{ timeout: 0 }, { timeout: 601 }, { max_retries: 11 }, { max_retries: -1 }, { api_key: '' }]
    const urls = ['', 'ftp://a/api', 'http:///api', 'http://a/api?b', 'http://a/api#b', 'http://a b/api']
    for (const client of [...bad, ...urls.map((base_url) => ({ base_url }))])
      expect((await call('balances.list', {}, client)).error, JSON.stringify(client)).toBeDefined()
    expect(server.seen).toEqual([])
  })

  it('takes a base URL that ends in a slash', async () => {
    server.script(json(200, { data: [], meta: { request_id: 'req_1' } }))
    await call('balances.list', {}, { base_url: `${server.url}/` })
    expect(server.seen[0]?.url).toBe('/api/v1/balances')
  })
})
