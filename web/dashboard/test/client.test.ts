import {
  changeMember,
  createPayout,
  createRefund,
  exportInvoices,
  getOverview,
  getSession,
  getTeam,
  listBalances,
  listCurrencies,
  listSessions,
  signIn,
  signOut,
  stepUp,
  updateMerchantFees,
} from '@sluice/web/operations'
import { describe, expect, it, vi } from 'vitest'
import { callTo } from '../src/api/calls.ts'
import { createApi, type ProofMethod } from '../src/api/client.ts'
import { NotProvedError, RefusedError, UnreachableError } from '../src/api/errors.ts'

type Said = { status?: number; body?: unknown; headers?: Record<string, string> }

/** A client whose service gives these answers one after the other. */
function clientOf(
  says: readonly (Said | Error)[],
  { proves = true, signsIn = false }: { proves?: boolean; signsIn?: boolean } = {},
) {
  const asked: { url: string; init: RequestInit }[] = []
  const proofs: (readonly ProofMethod[])[] = []
  const onSignedOut = vi.fn(async () => signsIn)
  const onUnprotected = vi.fn()
  const onDate = vi.fn()
  const rest = [...says]
  const api = createApi({
    send: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} })
      const next = rest.shift()
      if (next === undefined) throw new Error('Another call was not expected.')
      if (next instanceof Error) throw next
      return new Response(next.body === undefined ? '' : JSON.stringify(next.body), {
        status: next.status ?? 200,
        headers: next.headers ?? {},
      })
    },
    onDate,
    whose: () => ({ merchantID: 'm', environment: 'test' }),
    onSignedOut,
    onRefused: { second_factor_required: onUnprotected },
    prove: async (methods) => {
      proofs.push(methods)
      return proves
    },
  })
  return { api, asked, proofs, onSignedOut, onUnprotected, onDate }
}

const payout = { currency: 'BTC', amount: '1', destination: 'somewhere' }
const refund = { ...payout, invoice_id: 'i', network: 'bitcoin' }

const ok = (data: unknown): Said => ({ body: { data, meta: { request_id: 'req_1' } } })
const refused = (status: number, code: string, details?: string[]): Said => ({
  status,
  body: { error: { code, message: `It is ${code}.`, details }, meta: {} },
  headers: { 'x-request-id': 'req_2', 'retry-after': '7' },
})
const needsProof = refused(403, 'step_up_required', ['/: totp', '/: passkey'])

describe('calls', () => {
  it('send the cookie and nothing else that could be stolen, only below their own path, and are not cached', async () => {
    const { api, asked } = clientOf([ok({ id: 1 })])
    expect(await api.call(getSession)).toEqual({ id: 1 })
    expect(asked[0]?.url).toBe('/dashboard-api/session')
    expect(asked[0]?.init).toMatchObject({
      credentials: 'same-origin',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    })
    expect(asked[0]?.init.headers).toEqual({})
  })

  it('return a page of rows with its exact total', async () => {
    const pagination = { total: 1_000_000, limit: 25, offset: 50, has_more: true }
    const { api } = clientOf([{ body: { data: [{ id: 1 }], meta: { pagination } } }])
    expect(await api.list(callTo(listSessions))).toEqual({ rows: [{ id: 1 }], pagination })
    const short = clientOf([ok([1, 2])])
    const whole = { total: 2, limit: 2, offset: 0, has_more: false }
    expect(await short.api.list(callTo(listBalances))).toEqual({ rows: [1, 2], pagination: whole })
  })

  it('carry an idempotency key if they must take effect once', async () => {
    const { api, asked } = clientOf([ok({})])
    await api.call(createRefund, { body: refund, idempotencyKey: 'k' })
    expect(asked[0]?.init.headers).toEqual({ 'content-type': 'application/json', 'idempotency-key': 'k' })
  })
})

describe('URLs', () => {
  it('are those of the contract, for this merchant and environment, with every value in its place', async () => {
    const { api, asked } = clientOf([ok({}), ok({}), ok([])])
    await api.call(changeMember, { path: { userID: 'a/../b?' }, body: { role: 'admin' } })
    expect(asked[0]).toMatchObject({
      url: '/dashboard-api/merchants/m/team/members/a%2F..%2Fb%3F',
      init: { method: 'PATCH', body: '{"role":"admin"}' },
    })
    // Another merchant than the one whose page is open.
    await api.call(updateMerchantFees, { path: { merchantID: 'other' }, body: { fee_bps: 1 } })
    expect(asked[1]?.url).toBe('/dashboard-api/operator/merchants/other')
    await api.call(listCurrencies)
    expect(asked[2]?.url).toBe('/api/v1/currencies')
  })

  it('contain only the filters that are set, in calls as in links', async () => {
    const { api, asked } = clientOf([ok({})])
    await api.call(getOverview, { query: { days: 7 } })
    expect(asked[0]?.url).toBe('/dashboard-api/merchants/m/test/overview?days=7')
    const file = callTo(exportInvoices, { query: { status: 'paid', currency: null, created_after: '' } })
    expect(api.address(file)).toBe('/dashboard-api/merchants/m/test/invoices/export?status=paid')
    expect(api.address(callTo(getTeam))).toBe('/dashboard-api/merchants/m/team')
  })
})

describe('refusals', () => {
  it('contain code, message, details and request id, and which field is wrong', async () => {
    const { api } = clientOf([refused(400, 'validation_error', ['/amount: must be a decimal'])])
    const error = await api.call(createPayout, { body: payout }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_error',
      requestId: 'req_2',
      retryAfterSeconds: 7,
    })
    expect((error as RefusedError).problemWith('amount')).toMatchObject({ said: 'must be a decimal' })
    expect((error as RefusedError).problemWith('amount_fiat')).toBeNull()
  })

  it('are distinguished from the answer of an intermediary and from no answer', async () => {
    const { api } = clientOf([{ status: 502 }, new TypeError('no network')])
    expect(await api.call(getSession).catch((thrown: unknown) => thrown)).toMatchObject({
      status: 502,
      code: '',
    })
    expect(await api.call(getSession).catch((thrown: unknown) => thrown)).toBeInstanceOf(UnreachableError)
  })

  it('for a session that is over lead to the sign-in page, but not for a wrong password', async () => {
    const over = clientOf([refused(401, 'unauthorized')])
    await expect(over.api.call(getSession)).rejects.toThrow()
    expect(over.onSignedOut).toHaveBeenCalledOnce()
    const wrong = clientOf([refused(401, 'unauthorized'), refused(401, 'unauthorized')])
    await expect(
      wrong.api.call(signIn, { body: { email: 'a@example.com', password: 'x' } }),
    ).rejects.toThrow()
    await expect(wrong.api.call(stepUp, { body: { password: 'x' } })).rejects.toThrow()
    expect(wrong.onSignedOut).not.toHaveBeenCalled()
  })

  it('for a session that is over are forgotten once the user has signed in again: the same call is repeated once', async () => {
    const again = clientOf([refused(401, 'unauthorized'), ok('done')], { signsIn: true })
    expect(await again.api.call(createPayout, { body: payout })).toBe('done')
    expect(again.asked).toHaveLength(2)
    expect(again.asked[1]?.init.body).toBe(again.asked[0]?.init.body)
    const never = clientOf([refused(401, 'unauthorized'), refused(401, 'unauthorized')], { signsIn: true })
    await expect(never.api.call(createPayout, { body: payout })).rejects.toThrow(RefusedError)
  })
})

describe('step-up', () => {
  it('asks for a proof in the ways that the service names, and repeats exactly the same call once', async () => {
    const { api, asked, proofs } = clientOf([needsProof, ok('done')])
    expect(await api.call(createRefund, { body: refund, idempotencyKey: 'k' })).toBe('done')
    expect(proofs).toEqual([['totp', 'passkey']])
    expect(asked).toHaveLength(2)
    expect(asked[1]).toMatchObject({
      url: asked[0]?.url,
      init: { body: asked[0]?.init.body, method: 'POST', headers: asked[0]?.init.headers },
    })
  })

  it('does not repeat the call if the user declines', async () => {
    const { api, asked } = clientOf([needsProof], { proves: false })
    await expect(api.call(signOut)).rejects.toBeInstanceOf(NotProvedError)
    expect(asked).toHaveLength(1)
  })

  it('leads to the second factor, and repeats nothing, where the service requires one first', async () => {
    const { api, asked, onUnprotected } = clientOf([refused(403, 'second_factor_required')])
    await expect(api.call(signOut)).rejects.toMatchObject({ code: 'second_factor_required' })
    expect([asked.length, onUnprotected.mock.calls.length]).toEqual([1, 1])
  })

  it('asks once, however often the service refuses', async () => {
    const { api, proofs } = clientOf([needsProof, needsProof])
    await expect(api.call(signOut)).rejects.toMatchObject({ code: 'step_up_required' })
    expect(proofs).toHaveLength(1)
  })
})

it('what an answer says about the time is passed on, also with a refusal', async () => {
  const headers = { date: 'Wed, 18 Nov 2026 12:00:00 GMT' }
  const { api, onDate } = clientOf([
    { ...ok([]), headers },
    { ...refused(404, 'not_found'), headers },
    ok([]),
  ])
  await api.call(listBalances)
  await expect(api.call(listBalances)).rejects.toThrow(RefusedError)
  await api.call(listBalances)
  expect(onDate.mock.calls).toEqual([1, 2].map(() => [Date.parse(headers.date) + 500]))
})
