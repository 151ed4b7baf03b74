import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAlerts } from '../../../src/app/operator/list-alerts.ts'
import { setPolicy } from '../../../src/app/payouts/set-policy.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  enrolPasskey,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import type { SoftwarePasskey } from '../../support/people/software-passkey.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  // The signer has to know the dashboard's address before the service listens.
  const PORT = String(await freePort())
  service = await startTestService({ ...quiet, env: { ...quiet.env, PORT } })
})
afterAll(() => service.stop())

type Approver = { client: DashboardClient; userId: string; passkey: SoftwarePasskey }
const body = { currency: 'BTC', amount: '0.01', destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
const here = (shop: Shop, environment = 'test') => ({ merchantID: shop.merchantId, environment })

async function approver(shop: Shop): Promise<Approver> {
  const person = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  const client = await signedIn(service, person)
  return { client, userId: person.userId, passkey: await enrolPasskey(service, client) }
}

/** As the signer reports it. */
const trust = (shop: Shop, { passkey }: Approver, environment: string) =>
  query(
    service.database.url,
    `insert into passkey_pins (environment, merchant_id, credential_id, pinned_at) values ($1, $2, $3, now())
     on conflict do nothing`,
    [environment, shop.merchantId, passkey.credentialId],
  )

const warnings = async (shop: Shop, { client }: Approver, payout: { id: string }) => {
  const path = { ...here(shop), payoutID: payout.id }
  const { status, body, text } = await client.call('getPayoutApproval', { path })
  expect(status, text).toBe(200)
  return body.data.warnings.filter(({ code }: { code: string }) => code === 'approvers_missing')
}

it('a payout that too few people could approve says so on its review and as its reason, with the next step', async () => {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const owner = { merchantId: shop.merchantId, environment: 'test' as const }
  const ann = await approver(shop)
  const trusted = () => service.app.store.passkeyEnrolments.approvers(owner)
  await expect.poll(trusted).toEqual([ann.userId])
  await service.app.store.payoutPolicies.set(owner, {
    ...noPolicy,
    approvalsRequired: 2,
    approval: 'passkey',
  })

  const payout = await shop.payOut(body)
  expect(await warnings(shop, ann, payout)).toEqual([
    {
      code: 'approvers_missing',
      values: { needed: '2', able: '1' },
      message: expect.stringMatching(/cannot be approved: 2 people .* and 1 can\. Have another approver add/),
    },
  ])
  const path = { ...here(shop), payoutID: payout.id }
  const { hash, total } = (await ann.client.call('getPayoutApproval', { path })).body.data
  const payouts = [{ id: payout.id, hash, total }]
  const asked = await ann.client.call('getApprovalChallenge', { path: here(shop), body: { payouts } })
  const assertion = ann.passkey.get(asked.body.data.options)
  const sent = await ann.client.call('approvePayouts', {
    path: here(shop),
    body: { payouts, assertion },
  })
  expect(sent.body.data[0].payout.waiting_reason).toContain('cannot be approved')

  const bob = await approver(shop)
  await service.app.store.payoutPolicies.set(owner, { ...noPolicy, approval: 'passkey' })
  expect(await warnings(shop, ann, payout)).toEqual([])
  await service.app.store.payoutPolicies.set(owner, {
    ...noPolicy,
    approvalsRequired: 2,
    approval: 'passkey',
  })
  const pins = service.app.store.passkeyEnrolments
  const listed = async () => (await pins.list(shop.merchantId, 'test')).map(({ userId }) => userId)
  expect(await listed()).toEqual([ann.userId, bob.userId])
  // A person who has left, or lost the role, approves nothing.
  await query(
    service.database.url,
    `update memberships set role = 'viewer' where merchant_id = $1 and user_id = $2`,
    [shop.merchantId, ann.userId],
  )
  expect(await trusted()).toEqual([])
})

it('a person cannot ask for two approvals before two people have trusted passkeys', async () => {
  const shop = await openShop(service)
  const [ann, bob] = [await approver(shop), await approver(shop)]
  const path = here(shop, 'live')
  const wanted = {
    only_known_destinations: false,
    approvals_required: 2,
    cooling_off_seconds: 0,
    approval: 'passkey',
  }
  const set = async () => {
    const asked = (await ann.client.call('getPolicyChallenge', { path, body: wanted })).body.data
    const signed = { ...wanted, assertion: ann.passkey.get(asked.options), signed_at: asked.at }
    return ann.client.call('setPolicy', { path, body: signed })
  }
  await trust(shop, ann, 'live')
  const refused = await set()
  expect([refused.status, refused.body.error]).toEqual([
    409,
    expect.objectContaining({
      code: 'conflict',
      message: expect.stringMatching(/needs 2 people .* there is 1: .* First have another approver add/),
    }),
  ])
  await trust(shop, bob, 'live')
  expect((await set()).status).toBe(200)
})

it('the operator may, and is alerted until enough people are trusted', async () => {
  const shop = await openShop(service)
  const [ann, bob] = [await approver(shop), await approver(shop)]
  const owner = { merchantId: shop.merchantId, environment: 'live' as const }
  const alerts = async () =>
    (await listAlerts(service.app)).filter(
      ({ kind, merchantId }) => kind === 'approvers_missing' && merchantId === shop.merchantId,
    )
  await trust(shop, ann, 'live')
  expect(await alerts()).toEqual([])
  const by = { actor: 'cli:me', name: 'me', ip: null, userAgent: null }
  await setPolicy(service.app, by, owner, (before) => ({
    ...before,
    approvalsRequired: 2,
    approval: 'passkey',
  }))
  expect(await alerts()).toMatchObject([
    { details: expect.stringMatching(/2 people must, .* and 1 can\. 1\. .* 2\. .* 3\. .*passkey trust/) },
  ])
  await trust(shop, bob, 'live')
  expect(await alerts()).toEqual([])
  await query(service.database.url, 'delete from passkeys where user_id = $1', [bob.userId])
  expect(await alerts()).toHaveLength(1)
})
