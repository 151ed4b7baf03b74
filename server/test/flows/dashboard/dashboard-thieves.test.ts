import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsPerStranger } from '../../../src/http/dashboard/door.ts'
import { query } from '../../support/database/database.ts'
import { DashboardClient, enrolTotp, makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { hashesDuring } from '../../support/people/hashes-during.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
beforeAll(async () => {
  service = await startTestService({ env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  merchantId = await service.makeMerchant()
})
afterAll(() => service.stop())

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length

it('a stolen cookie changes no one’s access, no trust and nothing that money depends on', async () => {
  const owner = await makePerson(service, { merchantId, role: 'owner' })
  const other = await makePerson(service, { merchantId, role: 'owner' })
  const client = await signedIn(service, owner)
  const guarded = await signedIn(service, other)
  await enrolTotp(guarded)
  await signedIn(service, owner)
  const [session] = await query(
    service.database.url,
    'select id from sessions where user_id = $1 order by created_at desc limit 1',
    [owner.userId],
  )
  await query(service.database.url, `update sessions set proved_at = proved_at - interval '1 hour'`)
  const merchant = { merchantID: merchantId }
  const test = { ...merchant, environment: 'test' }
  const destination = {
    network: 'bitcoin',
    address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    label: 'Mine',
  }
  const tries: [operation: string, call: Parameters<DashboardClient['call']>[1]][] = [
    ['updateSettings', { path: merchant, body: { tolerance_bps: 500 } }],
    ['removeMember', { path: { ...merchant, userID: other.userId } }],
    ['changeMember', { path: { ...merchant, userID: other.userId }, body: { role: 'viewer' } }],
    ['inviteMember', { path: merchant, body: { email: 'thief@example.com', role: 'owner' } }],
    ['renewInvitation', { path: { ...merchant, invitationID: other.userId } }],
    ['withdrawInvitation', { path: { ...merchant, invitationID: other.userId } }],
    ['setPolicy', { path: test, body: {} }],
    ['endOtherSessions', {}],
    ['endSession', { path: { sessionID: session?.id } }],
    ['changePassword', { body: { password: 'correct horse battery staple' } }],
    ['beginTotp', {}],
    ['beginPasskeyEnrolment', {}],
    ['makeRecoveryCodes', {}],
    ['addDestination', { path: test, body: destination }],
    ['createWebhookEndpoint', { path: test, body: { url: 'https://thief.example.com/hook' } }],
  ]
  for (const [operation, call] of tries) {
    const { status, body } = await client.call(operation, call)
    expect([operation, status, body.error?.code]).toEqual([operation, 403, 'step_up_required'])
  }
  const live = { ...merchant, environment: 'live' }
  const wanted = { path: live, body: { name: 'x', permissions: ['invoices:read'] } }
  expect((await guarded.call('createKey', wanted)).body.error?.code).toBe('step_up_required')
})

describe('a crowd of strangers', () => {
  /** An address of one customer's IPv6 network: there are 2^64 of them. */
  const neighbour = (network: string, n: number) => `2001:db8:${network}:1::${n.toString(16)}`
  const password = 'correct horse battery staple'

  it.each([
    ['completePasswordReset', { token: 'x'.repeat(43), password }],
    ['acceptInvitation', { token: 'x'.repeat(43), name: 'Thief', password }],
  ])('has no password hashed by %s with invented links', async (operation, body) => {
    const call = () =>
      new DashboardClient(service).call(operation, { body, headers: { 'X-Forwarded-For': '192.0.2.1' } })
    expect(
      await hashesDuring(async () => {
        expect((await call()).body.error.code).toBe('invalid_state')
      }),
    ).toBe(0)
  })

  it('with invented cookies is refused by its network before the database is asked', async () => {
    const { sessions } = service.app.store
    const { find } = sessions
    let asked = 0
    Object.assign(sessions, {
      find: (...args: Parameters<typeof find>) => {
        asked++
        return find(...args)
      },
    })
    const call = async (ip: string) => {
      const cookie = `sluice_session=${randomBytes(32).toString('base64url')}`
      const headers = { 'X-Forwarded-For': ip, cookie }
      return (await new DashboardClient(service).call('listSessions', { headers })).status
    }
    const statuses: number[] = []
    for (let n = 1; n <= callsPerStranger + 30; n++) statuses.push(await call(neighbour('a', n)))
    expect(count(statuses, 401)).toBe(callsPerStranger)
    expect(count(statuses, 429)).toBe(30)
    expect(asked).toBeLessThanOrEqual(callsPerStranger + 1)
    expect(await call(neighbour('b', 1))).toBe(401)
    Object.assign(sessions, { find })
  })
})
