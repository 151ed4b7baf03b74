import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  enrolTotp,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
let owner: DashboardClient
let ownerId: string
beforeAll(async () => {
  service = await startTestService()
  merchantId = await service.makeMerchant()
  const login = await makePerson(service, { merchantId, role: 'owner' })
  ownerId = login.userId
  owner = await signedIn(service, login)
})
afterAll(() => service.stop())

const here = (environment = 'test') => ({ merchantID: merchantId, environment })
const make = (body: object, environment = 'test') =>
  owner.call('createKey', { path: here(environment), body: { name: 'Shop', ...body } })
const status = async (key: string) => (await call(service.url, 'listEvents', { key })).status

it('a key made in the dashboard works at once, is listed without its secret, and ends when it is revoked', async () => {
  const made = await make({ permissions: ['events:read'] })
  const { key, details } = made.body.data
  expect([made.status, details.status, details.created_by]).toEqual([201, 'active', `user:${ownerId}`])
  expect(await status(key)).toBe(200)

  const listed = await owner.call('listKeys', { path: here() })
  expect(listed.text).not.toContain(key)
  expect(listed.body.data[0]).toMatchObject({
    id: details.id,
    permissions: ['events:read'],
    allowed_ips: null,
  })
  const other = await signedIn(service, await makePerson(service, { merchantId, role: 'admin' }))
  await enrolTotp(other)
  expect((await other.call('listKeys', { path: here('live') })).body.data).toEqual([])
  await expect
    .poll(async () => (await owner.call('listKeys', { path: here() })).body.data[0].last_used_at)
    .not.toBeNull()

  const gone = await owner.call('revokeKey', { path: { ...here(), keyID: details.id } })
  expect([gone.status, gone.body.data.status]).toEqual([200, 'revoked'])
  await expect.poll(() => status(key)).toBe(401)
})

it('a key is refused from the second in which it expires, even where it is held in memory', async () => {
  const expiresAt = new Date(Date.now() + 5_000)
  const { key, details } = (await make({ permissions: ['events:read'], expires_at: expiresAt.toISOString() }))
    .body.data
  expect(await status(key)).toBe(200)
  let answers = 0
  await expect
    .poll(
      async () => {
        const before = Date.now()
        const answer = await status(key)
        answers += 1
        // The service uses the database's clock, which is this machine's.
        if (before > expiresAt.getTime() + 250) expect(answer).toBe(401)
        return answer
      },
      { interval: 50 },
    )
    .toBe(401)
  expect(answers).toBeGreaterThan(1)
  const listed = (await owner.call('listKeys', { path: here() })).body.data
  expect(listed.find(({ id }: { id: string }) => id === details.id).status).toBe('expired')
})

it('a key from a disallowed IP address gets the same answer as an unknown one, and counts against that address', async () => {
  const { key } = (await make({ permissions: ['events:read'], allowed_ips: ['192.0.2.0/24', '2001:db8::1'] }))
    .body.data
  const wrong = await call(service.url, 'listEvents', { key })
  const unknown = await call(service.url, 'listEvents', { key: `sk_test_${'0'.repeat(64)}` })
  expect([wrong.status, wrong.body.error]).toEqual([401, unknown.body.error])
  const left = [wrong, unknown].map(({ headers }) => Number(headers.get('ratelimit-remaining')))
  expect(left[1]).toBe((left[0] ?? 0) - 1)

  const right = (await make({ permissions: ['events:read'], allowed_ips: ['127.0.0.0/8', '::1'] })).body.data
  expect(await status(right.key)).toBe(200)
})

it.each([
  [{ allowed_ips: ['shop.example.com'] }, '/allowed_ips/0'],
  [{ allowed_ips: ['10.0.0.1', '10.0.0.1/8'] }, '/allowed_ips/1'],
  [{ allowed_ips: [] }, '/allowed_ips'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  [{ permissions: ['everything'] }, '/permissions/0'],
  [{ permissions: [] }, '/permissions'],
])('a key with %j is refused, and the error names the field', async (wrong, field) => {
  const answer = await make({ permissions: ['events:read'], ...wrong })
  expect([answer.status, answer.body.error.details[0]]).toEqual([400, expect.stringContaining(field)])
})

it('a live key needs a fresh second factor, whether it may write or only read', async () => {
  for (const permissions of [['events:read', 'payouts:write'], ['events:read']]) {
    const refused = await make({ permissions }, 'live')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_required'])
  }
  await query(
    service.database.url,
    `update users set totp_secret = '\\x00', totp_confirmed_at = now() where id = $1`,
    [ownerId],
  )
  const stale = await make({ permissions: ['payouts:write'] }, 'live')
  expect([stale.status, stale.body.error.details]).toEqual([403, ['/: totp']])
  await query(
    service.database.url,
    `update sessions set proved_at = now(), proved_by = 'totp' where user_id = $1`,
    [ownerId],
  )
  expect((await make({ permissions: ['payouts:write'] }, 'live')).status).toBe(201)
})

describe('a key cannot exceed its creator’s role', () => {
  it('a developer’s key cannot pay out', async () => {
    const developer = await signedIn(service, await makePerson(service, { merchantId, role: 'developer' }))
    const wanted = { name: 'More', permissions: ['invoices:read', 'payouts:write'] }
    const answer = await developer.call('createKey', { path: here(), body: wanted })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    const less = { name: 'Less', permissions: ['invoices:read'] }
    expect((await developer.call('createKey', { path: here(), body: less })).status).toBe(201)
  })

  it('a key of another merchant, or of the other environment, cannot be revoked', async () => {
    const other = await service.makeKey(await service.makeMerchant())
    const live = await service.makeKey(merchantId, { environment: 'live' })
    for (const { keyId } of [other, live]) {
      const answer = await owner.call('revokeKey', { path: { ...here(), keyID: keyId } })
      expect(answer.status).toBe(404)
    }
    expect(await status(other.key)).toBe(200)
  })
})

it('the command line makes the same keys, and the audit log records who made each key', async () => {
  const env = { DATABASE_URL: service.database.serviceUrl }
  const args = [
    'key',
    'create',
    '--merchant',
    merchantId,
    '--environment',
    'test',
    '--permissions',
    'events:read',
  ]
  const more = ['--expires', '2099-01-01', '--allow-ip', '127.0.0.1', '::1', '--as', 'ann', '--json']
  const made = JSON.parse((await runCommand([...args, ...more], env)).stdout)
  expect(await status(made.key)).toBe(200)
  const listed = (await owner.call('listKeys', { path: here() })).body.data[0]
  expect(listed).toMatchObject({
    id: made.key_id,
    allowed_ips: ['127.0.0.1', '::1'],
    created_by: 'cli:ann',
    expires_at: '2099-01-01T00:00:00.000Z',
  })
  await runCommand(['key', 'revoke', made.key_id, '--as', 'bob'], env)
  const log = (await owner.call('listAuditLog', { path: { merchantID: merchantId }, query: { limit: '2' } }))
    .body.data
  expect(log).toMatchObject([
    { action: 'key.revoked', actor: 'cli:bob', subject: made.key_id },
    {
      action: 'key.created',
      actor: 'cli:ann',
      subject: made.key_id,
      details: { allowed_ips: ['127.0.0.1', '::1'] },
    },
  ])
  for (const wrong of [
    ['--expires', 'tomorrow'],
    ['--allow-ip', 'example.com'],
  ])
    expect((await runCommand([...args, ...wrong], env)).code).toBe(1)
})
