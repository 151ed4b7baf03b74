import { describe, expect, it, vi } from 'vitest'
import { createApi, type ProofMethod } from '../src/api/client.ts'
import { NotProvedError, RefusedError, UnreachableError } from '../src/api/errors.ts'
import { fillPath } from '../src/api/paths.ts'

type Said = { status?: number; body?: unknown; headers?: Record<string, string> }

/** A client whose service says these things one after the other. */
function clientOf(says: readonly (Said | Error)[], { proves = true }: { proves?: boolean } = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  const proofs: (readonly ProofMethod[])[] = []
  const onSignedOut = vi.fn()
  const rest = [...says]
  const api = createApi({
    send: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} })
      const next = rest.shift()
      if (next === undefined) throw new Error('Nobody expected another call.')
      if (next instanceof Error) throw next
      return new Response(next.body === undefined ? '' : JSON.stringify(next.body), {
        status: next.status ?? 200,
        headers: next.headers ?? {},
      })
    },
    onSignedOut,
    prove: async (methods) => {
      proofs.push(methods)
      return proves
    },
  })
  return { api, asked, proofs, onSignedOut }
}

const whose = { merchantID: 'm', environment: 'test' }
const refunds = fillPath('/merchants/{merchantID}/{environment}/refunds', whose)
const payouts = fillPath('/merchants/{merchantID}/{environment}/payouts', whose)
const approval = fillPath('/merchants/{merchantID}/{environment}/payouts/approval', whose)

const ok = (data: unknown): Said => ({ body: { data, meta: { request_id: 'req_1' } } })
const refused = (status: number, code: string, details?: string[]): Said => ({
  status,
  body: { error: { code, message: `It is ${code}.`, details }, meta: {} },
  headers: { 'x-request-id': 'req_2', 'retry-after': '7' },
})
const stepUp = refused(403, 'step_up_required', ['/: totp', '/: passkey'])

describe('asking', () => {
  it('sends the cookie and nothing else that could be stolen, below its own path, and keeps nothing', async () => {
    const { api, asked } = clientOf([ok({ id: 1 })])
    expect(await api.get('/session', { days: 7, none: null, empty: '' })).toEqual({ id: 1 })
    expect(asked[0]?.url).toBe('/dashboard-api/session?days=7')
    expect(asked[0]?.init).toMatchObject({
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    })
    expect(asked[0]?.init.headers).toEqual({})
  })

  it('a page of rows comes with its exact total', async () => {
    const pagination = { total: 1_000_000, limit: 25, offset: 50, has_more: true }
    const { api } = clientOf([{ body: { data: [{ id: 1 }], meta: { pagination } } }])
    expect(await api.list('/account/sessions')).toEqual({ rows: [{ id: 1 }], pagination })
    const short = clientOf([ok([1, 2])])
    const whole = { total: 2, limit: 2, offset: 0, has_more: false }
    expect(await short.api.list('/account/sessions')).toEqual({ rows: [1, 2], pagination: whole })
  })

  it('what must happen once carries its key', async () => {
    const { api, asked } = clientOf([ok({})])
    await api.post(refunds, { amount: '1' }, { idempotencyKey: 'k' })
    expect(asked[0]?.init.headers).toEqual({ 'content-type': 'application/json', 'idempotency-key': 'k' })
  })
})

describe('addresses', () => {
  it('come from the contract, by method: no other can be written down', () => {
    const { api } = clientOf([])
    const member = fillPath('/merchants/{merchantID}/team/members/{userID}', {
      merchantID: 'm',
      userID: 'a/b',
    })
    expect(member).toBe('/merchants/m/team/members/a%2Fb')
    // The type check fails here as soon as one of these is allowed.
    const refusedByTypes = () => [
      // @ts-expect-error There is no such path.
      fillPath('/merchants/{merchantID}/team/{userID}', { merchantID: 'm', userID: 'u' }),
      // @ts-expect-error A place is not filled.
      fillPath('/merchants/{merchantID}/team/members/{userID}', { merchantID: 'm' }),
      // @ts-expect-error Put together by hand.
      api.patch('/merchants/m/team/u', {}),
      // @ts-expect-error The path is there, but not for this method.
      api.put(member, {}),
    ]
    expect(refusedByTypes).toBeTypeOf('function')
  })
})

describe('refusals', () => {
  it('say code, message, details and request, and which field is wrong', async () => {
    const { api } = clientOf([refused(400, 'validation_error', ['/amount: must be a decimal'])])
    const error = await api.post(payouts, {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_error',
      requestId: 'req_2',
      retryAfterSeconds: 7,
    })
    expect((error as RefusedError).problemWith('amount')).toBe('must be a decimal')
    expect((error as RefusedError).problemWith('amount_fiat')).toBeNull()
  })

  it('an answer of something in between, and none at all, are told apart', async () => {
    const { api } = clientOf([{ status: 502 }, new TypeError('no network')])
    expect(await api.get('/session').catch((thrown: unknown) => thrown)).toMatchObject({
      status: 502,
      code: '',
    })
    expect(await api.get('/session').catch((thrown: unknown) => thrown)).toBeInstanceOf(UnreachableError)
  })

  it('a session that is over leads to the sign-in; a wrong password does not', async () => {
    const over = clientOf([refused(401, 'unauthorized')])
    await expect(over.api.get('/session')).rejects.toThrow()
    expect(over.onSignedOut).toHaveBeenCalledOnce()
    const wrong = clientOf([refused(401, 'unauthorized'), refused(401, 'unauthorized')])
    await expect(wrong.api.post('/sign-in', {})).rejects.toThrow()
    await expect(wrong.api.post('/step-up', {})).rejects.toThrow()
    expect(wrong.onSignedOut).not.toHaveBeenCalled()
  })
})

describe('step-up', () => {
  it('asks for a proof by the ways the service names, and repeats exactly the same call once', async () => {
    const { api, asked, proofs } = clientOf([stepUp, ok('done')])
    expect(await api.post(approval, { payouts: [1] }, { idempotencyKey: 'k' })).toBe('done')
    expect(proofs).toEqual([['totp', 'passkey']])
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatchObject({
      url: asked[0]?.url,
      init: { body: asked[0]?.init.body, method: 'POST', headers: asked[0]?.init.headers },
    })
  })

  it('who would rather not, does nothing: the call is not repeated', async () => {
    const { api, asked } = clientOf([stepUp], { proves: false })
    await expect(api.post('/sign-out')).rejects.toBeInstanceOf(NotProvedError)
    expect(asked).toHaveLength(1)
  })

  it('asks once, however often the service refuses', async () => {
    const { api, proofs } = clientOf([stepUp, stepUp])
    await expect(api.post('/sign-out')).rejects.toMatchObject({ code: 'step_up_required' })
    expect(proofs).toHaveLength(1)
  })
})
