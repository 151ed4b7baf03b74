import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { createSluice, type Invoice, responseOf, type SluiceOptions } from '../src/client.ts'

type Call = { headers: Headers; body: Record<string, unknown> | null }

const instant = { sleep: async () => {}, random: () => 0, now: () => 0 }
const ok = (data: object, headers: Record<string, string> = {}) =>
  Response.json({ data, meta: { request_id: 'req_7' } }, { status: 201, headers })

function clientOf(
  calls: Call[],
  answer: () => Response | Promise<Response>,
  options: Partial<SluiceOptions> = {},
) {
  const apiKey = `sk_test_${'ab'.repeat(32)}`
  const fetch: SluiceOptions['fetch'] = async (_, init) => {
    const body = init.body == null ? null : JSON.parse(String(init.body))
    calls.push({ headers: new Headers(init.headers), body })
    return answer()
  }
  return createSluice({ baseUrl: 'http://127.0.0.1:1/api', apiKey, fetch, ...options }, instant)
}

const invoice = { currency: 'BTC', amount: '1' }

describe('options of one call', () => {
  const unavailable = () => Response.json({ error: { code: 'gate_offline', message: '' } }, { status: 503 })

  it('change how often it is sent again, for this call only', async () => {
    const calls: Call[] = []
    const sluice = clientOf(calls, unavailable, { maxRetries: 1 })
    const sent = async (maxRetries?: number) => {
      calls.length = 0
      await expect(sluice.currencies.list({}, { maxRetries })).rejects.toMatchObject({ status: 503 })
      return calls.length
    }
    expect([await sent(0), await sent(4), await sent()]).toEqual([1, 5, 2])
    const tooMany = sluice.currencies.list({}, { maxRetries: 11 })
    await expect(tooMany).rejects.toThrow('maxRetries must be an integer from 0 to 10')
  })

  it('change its time limit, for this call only', async () => {
    const fetch: SluiceOptions['fetch'] = (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))))
    const sluice = clientOf([], unavailable, { fetch, timeoutMs: 600_000, maxRetries: 0 })
    await expect(sluice.balances.list({ timeoutMs: 5 })).rejects.toMatchObject({
      timedOut: true,
      message: expect.stringContaining('within 5 ms'),
    })
    await expect(sluice.balances.list({ timeoutMs: 0 })).rejects.toThrow('timeoutMs must be an integer')
  })

  it('add headers, which replace neither the key nor the type of the body', async () => {
    const calls: Call[] = []
    const headers = {
      traceparent: '00-1',
      'X-API-Key': 'other',
      'Content-Type': 'text/plain',
      unset: undefined,
    }
    await clientOf(calls, () => ok({})).invoices.create(invoice, { headers })
    const sent = calls[0]?.headers
    expect(sent?.get('traceparent')).toBe('00-1')
    expect(sent?.get('x-api-key')).toMatch(/^sk_test_abab/)
    expect(sent?.get('content-type')).toBe('application/json')
    expect(sent?.has('unset')).toBe(false)
  })

  it('apply to every page of a list', async () => {
    const calls: Call[] = []
    const rows = clientOf(calls, unavailable).events.all({}, { maxRetries: 0, headers: { trace: 't' } })
    await expect(rows.next()).rejects.toMatchObject({ status: 503 })
    expect(calls.map(({ headers }) => headers.get('trace'))).toEqual(['t'])
  })
})

describe('an idempotency key', () => {
  it('is sent where the operation takes it', async () => {
    const calls: Call[] = []
    const sluice = clientOf(calls, () => ok({}))
    const idempotencyKey = 'order-1'
    await sluice.invoices.create(invoice, { idempotencyKey })
    await sluice.payouts.create({ ...invoice, destination: 'd' }, { idempotencyKey })
    await sluice.refunds.create({ ...invoice, invoice_id: 'i', destination: 'd' }, { idempotencyKey })
    await sluice.request('createInvoice', { body: invoice, idempotencyKey })
    expect(calls.map(({ headers, body }) => [headers.get('idempotency-key'), body?.idempotency_key])).toEqual(
      [
        [null, 'order-1'],
        [null, 'order-1'],
        ['order-1', undefined],
        [null, 'order-1'],
      ],
    )
  })

  it('given as a header is the one that is sent, and another beside it is refused', async () => {
    const calls: Call[] = []
    const sluice = clientOf(calls, () => ok({ id: 'r' }))
    const refund = { invoice_id: 'i', currency: 'BTC', amount: '1', destination: 'a' }
    const headers = { 'idempotency-key': 'mine' }
    await sluice.refunds.create(refund, { headers })
    await sluice.refunds.create(refund, { headers, idempotencyKey: 'mine' })
    expect(calls.map((call) => call.headers.get('Idempotency-Key'))).toEqual(['mine', 'mine'])
    const other = sluice.refunds.create(refund, { headers, idempotencyKey: 'other' })
    await expect(other).rejects.toThrow('name different keys')
  })

  it('that is null counts as left out, as the API has it', async () => {
    const calls: Call[] = []
    await clientOf(calls, () => ok({ id: 'i' })).invoices.create({
      ...invoice,
      idempotency_key: null as never,
    })
    expect(calls[0]?.body?.idempotency_key).toMatch(/^[\da-f-]{36}$/)
  })

  it('does not change the object that was passed', async () => {
    const mine = { ...invoice }
    await clientOf([], () => ok({})).invoices.create(mine)
    expect(mine).toEqual(invoice)
  })

  it('is refused before anything is sent where it would protect from nothing', async () => {
    const calls: Call[] = []
    const { request, invoices } = clientOf(calls, () => ok({}))
    const twoKeys = invoices.create({ ...invoice, idempotency_key: 'a' }, { idempotencyKey: 'b' })
    await expect(twoKeys).rejects.toThrow('name different keys')
    // @ts-expect-error addresses take no key
    const noKey = request('createAddress', { body: { currency: 'BTC' }, idempotencyKey: 'a' })
    await expect(noKey).rejects.toThrow('POST /v1/addresses takes no idempotency key')
    expect(calls).toEqual([])
  })
})

describe('the response of a resource', () => {
  it('has its status, its request id, and whether it is a replay', async () => {
    const first = await clientOf([], () => ok({ id: 'a' })).invoices.create(invoice)
    expect(responseOf(first)).toEqual({ status: 201, requestId: 'req_7', replayed: false })
    const again = await clientOf([], () =>
      ok({ id: 'a' }, { 'Idempotent-Replayed': 'true' }),
    ).invoices.create(invoice)
    expect(responseOf(again)).toMatchObject({ replayed: true })
    expectTypeOf(again).toEqualTypeOf<Invoice>()
  })

  it('is known for lists and whole answers too', async () => {
    const page = await clientOf([], () => ok([{ code: 'BTC' }])).currencies.list()
    for (const value of [page, page.data]) expect(responseOf(value)).toMatchObject({ requestId: 'req_7' })
  })

  it('leaves no trace in the resource', async () => {
    const made = await clientOf([], () => ok({ id: 'a' })).invoices.create(invoice)
    expect(Reflect.ownKeys(made)).toEqual(['id'])
    expect(JSON.stringify(made)).toBe('{"id":"a"}')
    expect(responseOf({ ...made })).toBeUndefined()
  })
})

it('a browser sends no cookies, and a runtime that has none is not asked about them', async () => {
  const seen: unknown[] = []
  const fetch: SluiceOptions['fetch'] = async (_, init) => {
    seen.push('credentials' in init ? init.credentials : 'nothing')
    return ok([])
  }
  const sluice = createSluice({ baseUrl: 'http://127.0.0.1:1/api', fetch })
  await sluice.currencies.list()
  for (const request of [class {}, undefined]) {
    vi.stubGlobal('Request', request)
    try {
      await sluice.currencies.list()
    } finally {
      vi.unstubAllGlobals()
    }
  }
  expect(seen).toEqual(['omit', 'nothing', 'nothing'])
})
