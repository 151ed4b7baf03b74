import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  dashboardOperations,
  type Login,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
let owner: Login
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  owner = await makePerson(service, { merchantId, role: 'owner' })
})
afterAll(() => service.stop())

const here = (environment = 'test') => ({ merchantID: merchantId, environment })

it('a user signs in, sees their account, can do what keys can do, and signs out for good', async () => {
  const client = await signedIn(service, owner)
  const session = (await client.call('getSession')).body.data
  expect(session).toMatchObject({ email: owner.email, is_operator: false, second_factors: [] })
  expect(session.memberships).toMatchObject([{ merchant_id: merchantId, role: 'owner' }])

  const body = { currency: 'BTC', amount: '0.01' }
  const made = await client.call('createInvoice', { path: here(), body })
  expect([made.status, made.body.data.environment]).toEqual([201, 'test'])
  const { key } = await service.makeKey(merchantId)
  const seen = await fetch(`${service.url}/api/v1/invoices/${made.body.data.id}`, {
    headers: { 'X-API-Key': key },
  })
  expect(seen.status).toBe(200)
  const viewer = await signedIn(service, await makePerson(service, { merchantId, role: 'viewer' }))
  expect((await viewer.call('listInvoices', { path: here('live') })).body.data).toEqual([])

  const stolen = client.cookie
  expect((await client.call('signOut')).status).toBe(200)
  expect(client.cookie).toBeNull()
  client.cookie = stolen
  expect((await client.call('getSession')).status).toBe(401)
})

it('the cookies cannot be read by scripts, sent by other sites, or found in the database', async () => {
  const answer = await new DashboardClient(service).call('signIn', {
    body: { email: owner.email.toUpperCase(), password: owner.password },
  })
  const [session = '', device = ''] = answer.headers.getSetCookie()
  expect(session).toMatch(/^sluice_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(device).toMatch(/^sluice_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=34560000$/)
  for (const [table, cookie] of [
    ['sessions', session],
    ['devices', device],
  ] as const) {
    const token = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'))
    const rows = await query<{ row: string }>(
      service.database.url,
      `select ${table}::text || encode(${table}.token_hash, 'escape') as row from ${table}`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(token)
  }
})

it('a wrong password and an unknown email address get the same answer and no cookie', async () => {
  const answers = await Promise.all(
    [
      { email: owner.email, password: 'wrong' },
      { email: 'nobody@example.com', password: 'wrong' },
    ].map((body) => new DashboardClient(service).call('signIn', { body })),
  )
  for (const { status, headers } of answers) expect([status, headers.get('set-cookie')]).toEqual([401, null])
  const [one, other] = answers.map(({ body }) => body.error)
  expect(one).toEqual(other)
})

describe('a request that another site makes a browser send', () => {
  let client: DashboardClient
  beforeAll(async () => {
    client = await signedIn(service, owner)
  })
  it.each(dashboardOperations.map(({ id, method }) => [id, method]))('is refused: %s', async (id, method) => {
    const path = { ...here(), invoiceID: merchantId }
    for (const site of ['cross-site', 'same-site']) {
      const answer = await client.call(id, { path, headers: { 'Sec-Fetch-Site': site } })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    }
    if (method === 'GET') return
    const foreign = { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }
    expect((await client.call(id, { path, headers: foreign })).status).toBe(403)
  })
})

it('another merchant gets the same answer as one that does not exist', async () => {
  const client = await signedIn(service, owner)
  const other = await service.makeMerchant()
  const unknown = '01890000-0000-7000-8000-000000000000'
  for (const merchantID of [other, unknown, 'x', '../session']) {
    const answer = await client.call('listInvoices', { path: { merchantID, environment: 'test' } })
    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      'There is no such merchant, or you are not a member.',
    ])
  }
  expect((await client.call('listInvoices', { path: here('prod') })).status).toBe(404)
})

it('the sandbox’s helpers do not exist in the live environment', async () => {
  const client = await signedIn(service, owner)
  const body = { network: 'bitcoin', count: 1 }
  expect((await client.call('mineTestBlocks', { path: here('live'), body })).status).toBe(404)
  expect((await client.call('mineTestBlocks', { path: here('test'), body })).status).toBe(200)
})

it('without a second factor, the test environment asks for the password again and the live one for enrolment', async () => {
  const client = await signedIn(service, owner)
  const body = { url: 'http://127.0.0.1:9/hook' }
  expect((await client.call('createWebhookEndpoint', { path: here(), body })).status).toBe(201)
  await query(service.database.url, `update sessions set proved_at = proved_at - interval '6 minutes'`)
  const stale = await client.call('createWebhookEndpoint', { path: here(), body })
  expect([stale.status, stale.body.error.code, stale.body.error.details]).toEqual([
    403,
    'step_up_required',
    ['/: password'],
  ])
  const live = await client.call('createWebhookEndpoint', { path: here('live'), body })
  expect([live.status, live.body.error.code]).toEqual([403, 'second_factor_required'])
})

it('the audit log cannot be changed, and each entry covers the one before it', async () => {
  await makePerson(service, { merchantId, role: 'viewer' })
  const rows = await query<{ seq: string; previous_hash: Buffer; hash: Buffer }>(
    service.database.url,
    'select seq, previous_hash, hash from audit_entries where chain = $1 order by seq',
    [merchantId],
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const [at, { previous_hash }] of rows.entries())
    expect(previous_hash.toString('hex')).toBe(rows[at - 1]?.hash.toString('hex') ?? '00'.repeat(32))
  for (const change of ['delete from audit_entries', `update audit_entries set subject = 'x'`])
    await expect(query(service.database.url, change)).rejects.toThrow()
})
