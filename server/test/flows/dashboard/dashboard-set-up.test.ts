import { afterAll, beforeAll, expect, it } from 'vitest'
import { listSetUp } from '../../../src/app/overview/list-set-up.ts'
import { query } from '../../support/database/database.ts'
import { makePerson, signedIn } from '../../support/people/dashboard-client.ts'
import { type HookReceiver, startHookReceiver } from '../../support/servers/hook-receiver.ts'
import { newAddress, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Row } from '../../support/shop/shop.ts'

/** The steps to live payments: each is checked, and none is ticked off. */

let service: TestService
let receiver: HookReceiver
beforeAll(async () => {
  service = await startTestService(quiet)
  receiver = await startHookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})

const run = (text: string, ...values: unknown[]) => query(service.database.url, text, values)

it('every step is done once what it asks for is there, and open again when that is gone', async () => {
  const shop = await openShop(service)
  const login = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  const client = await signedIn(service, login)
  const path = { merchantID: shop.merchantId, environment: 'test' }
  const steps = async (): Promise<Row[]> => (await client.call('getOverview', { path })).body.data.set_up
  const done = async () => (await steps()).filter(({ is_done }) => is_done).map(({ kind }) => kind)
  expect(await done()).toEqual([])
  expect(await steps()).toHaveLength(12)

  // A call with the key is a use of it; what is not paid yet is no payment.
  const invoice = await shop.create()
  await expect.poll(done).toEqual(['test_key'])
  await shop.pay(invoice, '0.01')
  expect(await done()).toEqual(['test_key'])
  await shop.mine(2)
  expect(await done()).toEqual(['test_invoice', 'test_key'])

  const endpoint = (await client.call('createWebhookEndpoint', { path, body: { url: receiver.url } })).body
    .data
  expect(await done()).not.toContain('test_webhook')
  await client.call('testWebhookEndpoint', { path: { ...path, endpointID: endpoint.id } })
  await expect.poll(done).toContain('test_webhook')

  const destination = await newAddress('bitcoin')
  const payout = await shop.payOut({ currency: 'BTC', network: 'bitcoin', amount: '0.004', destination })
  expect(await done()).not.toContain('test_payout')
  await shop.approve(payout)
  expect(await done()).toContain('test_payout')
  await until(shop, payout, 'completed')
  expect(await done()).toContain('test_payout')
  await service.app.store.counts.fold()
  expect(await done()).toEqual(['test_invoice', 'test_key', 'test_webhook', 'test_payout'])

  await run(`insert into merchant_brands (merchant_id, colour) values ($1, '#0044aa')`, shop.merchantId)
  expect(await done()).toContain('brand')

  // One owner with a factor alone is locked out when it is lost.
  const factor = `update users set totp_secret = '\\x00', totp_confirmed_at = now() where id = $1`
  await run(factor, login.userId)
  expect(await done()).not.toContain('owners')
  await run(`insert into recovery_codes (user_id, code_hash) values ($1, sha256('a'))`, login.userId)
  expect(await done()).toContain('owners')
  await run('update recovery_codes set used_at = now() where user_id = $1', login.userId)
  expect(await done()).not.toContain('owners')
  const second = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  expect(await done()).not.toContain('owners')
  await run(factor, second.userId)
  expect(await done()).toContain('owners')

  await run(`insert into payout_policies (merchant_id, environment) values ($1, 'live')`, shop.merchantId)
  expect((await done()).at(-1)).toBe('live_policy')
  await run(
    `with passkey as (
       insert into passkeys (id, user_id, credential_id, public_key, is_backed_up, name)
       values (gen_random_uuid(), $2, '\\x01', '\\x02', false, 'Key') returning *
     ), enrolled as (
       insert into passkey_enrolments (merchant_id, credential_id, passkey_id, user_id, public_key, name)
       select $1, credential_id, id, user_id, public_key, name from passkey
     )
     insert into passkey_pins (environment, merchant_id, credential_id, pinned_at)
     select 'live', $1, credential_id, now() from passkey`,
    shop.merchantId,
    login.userId,
  )
  expect((await done()).at(-1)).toBe('live_approvers')
  await run(
    `update payout_policies set approvals_required = 2 where merchant_id = $1 and environment = 'live'`,
    shop.merchantId,
  )
  expect(await done()).not.toContain('live_approvers')
  await run(
    `update payout_policies set approvals_required = 1 where merchant_id = $1 and environment = 'live'`,
    shop.merchantId,
  )
  // The signer keeps to what it was told, even against the policy.
  await run(
    `insert into passkey_demands (environment, merchant_id, is_required, approvals_required)
     values ('live', $1, true, 2)`,
    shop.merchantId,
  )
  expect(await done()).not.toContain('live_approvers')
  await run('delete from passkey_demands where merchant_id = $1', shop.merchantId)

  await run(
    `update webhook_endpoints set environment = 'live' where id = $1 and merchant_id = $2`,
    endpoint.id,
    shop.merchantId,
  )
  expect(await done()).not.toContain('test_webhook')
  expect((await done()).at(-1)).toBe('live_webhook')
  await run(`update webhook_endpoints set environment = 'test' where id = $1`, endpoint.id)

  const { keyId } = await service.makeKey(shop.merchantId, { environment: 'live' })
  expect((await done()).at(-1)).toBe('live_key')
  await run('update api_keys set revoked_at = now() where id = $1', keyId)
  expect(await done()).not.toContain('live_key')
})

it('networks and wallet are the operator’s; everyone sees whose each step is, and when all are done there are none', async () => {
  const shop = await openShop(service)
  const owner = { merchantId: shop.merchantId }
  const online = { list: () => [{ id: 'bitcoin-live', environment: 'live' }], isOnline: () => true }
  const done = {
    testInvoicePaid: true,
    testKeyUsed: true,
    testWebhookDelivered: true,
    testPayoutApproved: true,
    hasBrand: true,
    ownersSafe: true,
    hasLivePolicy: true,
    hasLiveWebhook: true,
    hasLiveKey: true,
  }
  const store = {
    ...service.app.store,
    setUp: { read: async () => done },
    walletKeys: { read: async () => ({}) },
    passkeyEnrolments: { approverDemand: async () => ({ required: 1, people: 1 }) },
  }
  const list = (changed: object) =>
    listSetUp({ store, gates: online, ...changed } as never as Parameters<typeof listSetUp>[0], owner)
  expect(await list({})).toEqual([])
  const open = (await list({ gates: { ...online, isOnline: () => false } })).filter(({ isDone }) => !isDone)
  expect(open).toEqual([
    { kind: 'live_networks', isDone: false, environment: 'live', target: null, roles: [] },
  ])
  const all = await listSetUp(service.app, owner)
  expect(all.filter(({ target }) => target === null).map(({ kind }) => kind)).toEqual([
    'live_networks',
    'live_wallet',
  ])
  const who = Object.fromEntries(all.map(({ kind, roles }) => [kind, roles]))
  expect(who).toMatchObject({
    test_payout: ['owner', 'admin', 'finance'],
    live_policy: ['owner', 'admin'],
    live_key: ['owner', 'admin', 'developer'],
  })
})
