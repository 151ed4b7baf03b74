import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvePayout } from '../../../src/app/payouts/approve-payout.ts'
import { readStatement } from '../../../src/domain/passkey-statements.ts'
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
import { expectCleanBooks, gateOf, until } from '../../support/shop/money-out.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'
import { openShop, quiet, type Shop } from '../../support/shop/shop.ts'

let service: TestService
beforeAll(async () => {
  // The signer has to know the dashboard's address before the service listens.
  const PORT = String(await freePort())
  service = await startTestService({ ...quiet, env: { ...quiet.env, PORT } })
})
afterAll(() => service.stop())

const body = { currency: 'BTC', amount: '0.01', destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }

type Approver = { client: DashboardClient; userId: string; passkey: SoftwarePasskey }

async function approver(shop: Shop): Promise<Approver> {
  const person = await makePerson(service, { merchantId: shop.merchantId, role: 'owner' })
  const client = await signedIn(service, person)
  return { client, userId: person.userId, passkey: await enrolPasskey(service, client) }
}

const here = (shop: Shop, environment = 'test') => ({ merchantID: shop.merchantId, environment })

async function passkeys(shop: Shop, { client }: Approver, environment = 'test') {
  return (await client.call('listMerchantPasskeys', { path: here(shop, environment) })).body.data
}

/** A merchant whose payouts are approved with passkeys, and a member whose passkey the signer trusts. */
async function underPasskeys(approvalsRequired = 1) {
  const shop = await openShop(service)
  await shop.fund('0.1')
  await service.app.store.payoutPolicies.set(
    { merchantId: shop.merchantId, environment: 'test' },
    { ...noPolicy, approvalsRequired, approval: 'passkey' },
  )
  const ann = await approver(shop)
  await expect.poll(async () => (await passkeys(shop, ann))[0].trusted_at).not.toBeNull()
  return { shop, ann }
}

async function seen(shop: Shop, { client }: Approver, payout: { id: string }) {
  const path = { ...here(shop), payoutID: payout.id }
  const { hash, total } = (await client.call('getPayoutApproval', { path })).body.data
  return { id: payout.id, hash, total }
}

type Seen = { id: string; hash: string; total: string }

async function ask(shop: Shop, { client }: Approver, payouts: Seen[]) {
  const asked = await client.call('getApprovalChallenge', { path: here(shop), body: { payouts } })
  expect(asked.status, asked.text).toBe(200)
  return asked.body.data.options
}

async function sign(shop: Shop, approver: Approver, shown: Seen[]) {
  return approver.passkey.get(await ask(shop, approver, shown))
}

function send(shop: Shop, { client }: Approver, payouts: object[], assertion?: object) {
  const given = { payouts, ...(assertion !== undefined && { assertion }) }
  return client.call('approvePayouts', { path: here(shop), body: given })
}

it('a passkey is not asked to sign at a cost that was not shown', async () => {
  const { shop, ann } = await underPasskeys()
  const shown = await seen(shop, ann, await shop.payOut(body))
  const gate = gateOf(service, 'bitcoin')
  const { feeRate } = gate
  const rate = await gate.feeRate()
  try {
    Object.assign(gate, { feeRate: async () => rate * 5n })
    await expect.poll(async () => (await seen(shop, ann, shown)).total).not.toBe(shown.total)
    const refused = await ann.client.call('getApprovalChallenge', {
      path: here(shop),
      body: { payouts: [shown] },
    })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect(refused.body.error.message).toContain(`not ${shown.total} BTC`)
    const again = await seen(shop, ann, shown)
    expect((await send(shop, ann, [again], await sign(shop, ann, [again]))).body.data[0].outcome).toBe(
      'approved',
    )
  } finally {
    Object.assign(gate, { feeRate })
  }
})

it('a payout approved with a trusted passkey is signed and completed', async () => {
  const { shop, ann } = await underPasskeys()
  const payouts = [await shop.payOut(body), await shop.payOut({ ...body, amount: '0.02' })]
  const shown = await Promise.all(payouts.map((payout) => seen(shop, ann, payout)))
  // The passkey itself is the second factor: no other proof is fresh.
  await query(
    service.database.url,
    `update sessions set proved_at = proved_at - interval '1 hour' where user_id = $1`,
    [ann.userId],
  )
  expect((await send(shop, ann, shown)).body.error.code).toBe('step_up_required')
  const answer = await send(shop, ann, shown, await sign(shop, ann, shown))
  expect(answer.body.data).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }])
  for (const payout of payouts) await until(shop, payout, 'completed')
  await expectCleanBooks(service)
})

it('without a passkey a payout cannot be approved: in the dashboard, by command or with the test helper', async () => {
  const { shop, ann } = await underPasskeys()
  const payout = await shop.payOut(body)
  const shown = await seen(shop, ann, payout)
  const waits = expect.stringContaining('Approve this one in the dashboard.')
  expect((await send(shop, ann, [shown])).body.data).toMatchObject([
    { outcome: 'refused', error: { code: 'conflict', message: waits } },
  ])
  await expect(approvePayout(service.app, null, payout.id, { approver: 'cli:me' })).rejects.toMatchObject({
    code: 'conflict',
    message: waits,
  })
  expect((await shop.approve(payout)).body.error).toMatchObject({ code: 'conflict', message: waits })
  expect((await shop.payout(payout)).status).toBe('pending_approval')
})

it('an assertion for other payouts, from another page or of another user’s passkey approves nothing', async () => {
  const { shop, ann } = await underPasskeys()
  const [one, two] = [await shop.payOut(body), await shop.payOut({ ...body, amount: '0.02' })]
  const [first, second] = [await seen(shop, ann, one), await seen(shop, ann, two)]
  const forFirst = await sign(shop, ann, [first])
  const options = await ask(shop, ann, [second])
  const bob = await approver(shop)
  for (const wrong of [
    forFirst,
    ann.passkey.get(options, { origin: 'https://evil.example' }),
    ann.passkey.get(options, { userVerified: false }),
    bob.passkey.get(options),
  ]) {
    const answer = await send(shop, ann, [second], wrong)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
  }
  expect(await service.app.store.payoutApprovals.list(two.id)).toEqual([])
})

it('a second passkey counts once a trusted one has vouched for it, and no longer once it is withdrawn', async () => {
  const { shop, ann } = await underPasskeys(2)
  const bob = await approver(shop)
  const payout = await shop.payOut(body)
  const shown = [await seen(shop, ann, payout)]
  expect((await send(shop, ann, shown, await sign(shop, ann, shown))).body.data).toMatchObject([
    { outcome: 'waiting' },
  ])
  const early = await send(shop, bob, shown, await sign(shop, bob, shown))
  expect([early.status, early.body.error.message]).toEqual([409, expect.stringContaining('to vouch for it')])

  const [, offered] = await passkeys(shop, ann)
  expect(offered).toMatchObject({ user_id: bob.userId, trusted_at: null, vouched_by: [] })
  const path = { ...here(shop), passkeyID: offered.id }
  const own = (await bob.client.call('getVouchingChallenge', { path })).body.data
  const self = await bob.client.call('vouchForPasskey', {
    path,
    body: { assertion: bob.passkey.get(own.options) },
  })
  expect(self.status).toBe(409)
  const { options } = (await ann.client.call('getVouchingChallenge', { path })).body.data
  const vouched = await ann.client.call('vouchForPasskey', {
    path,
    body: { assertion: ann.passkey.get(options) },
  })
  expect(vouched.body.data).toMatchObject({ vouched_by: [ann.userId], vouchers_required: 1 })
  const twice = { assertion: ann.passkey.get(options) }
  expect((await ann.client.call('vouchForPasskey', { path, body: twice })).status).toBe(409)
  await expect.poll(async () => (await passkeys(shop, ann))[1].trusted_at).not.toBeNull()
  expect((await send(shop, bob, shown, await sign(shop, bob, shown))).body.data).toMatchObject([
    { outcome: 'approved' },
  ])
  await until(shop, payout, 'completed')

  const asked = (await ann.client.call('getWithdrawalChallenge', { path })).body.data
  const assertion = ann.passkey.get(asked.options)
  expect((await ann.client.call('withdrawPasskey', { path, body: { assertion } })).status).toBe(200)
  await expect.poll(async () => (await passkeys(shop, ann))[1].trusted_at).toBeNull()
  const noted = await query<{ action: string }>(
    service.database.url,
    `select action from audit_entries where chain = $1 and action like 'passkey.%' order by seq`,
    [shop.merchantId],
  )
  expect(noted.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['passkey.vouched_for', 'passkey.withdrawn']),
  )
})

it('approvals forged in the database are not signed', async () => {
  const { shop, ann } = await underPasskeys()
  const payout = await shop.payOut(body)
  const { hash } = await seen(shop, ann, payout)
  const { url } = service.database
  await query(url, 'insert into payout_approvals (payout_id, approver, approval_hash) values ($1, $2, $3)', [
    payout.id,
    `user:${ann.userId}`,
    hash,
  ])
  await query(
    url,
    `update payouts set status = 'approved', approved_at = clock_timestamp(), executable_at = clock_timestamp()
     where id = $1`,
    [payout.id],
  )
  await expect
    .poll(async () => (await shop.payout(payout)).waiting_reason)
    .toContain('0 of 1 approvals with a passkey that this signer trusts')
  await shop.mine(3)
  expect(await shop.payout(payout)).toMatchObject({ status: 'processing', tx_hash: null })
})

describe('the live policy of a merchant with passkeys', () => {
  const change = {
    only_known_destinations: false,
    approvals_required: 1,
    cooling_off_seconds: 0,
    approval: 'any',
  }

  it('is `passkey` by default, and can be changed only with a passkey that the signer trusts', async () => {
    const { shop, ann } = await underPasskeys()
    const path = here(shop, 'live')
    const policy = async () => (await ann.client.call('getPolicy', { path })).body.data
    expect(await policy()).toMatchObject({ approval: 'passkey' })
    const bare = await ann.client.call('setPolicy', { path, body: change })
    expect([bare.status, bare.body.error.code]).toEqual([409, 'conflict'])

    const asked = (await ann.client.call('getPolicyChallenge', { path, body: change })).body.data
    const signed = { ...change, assertion: ann.passkey.get(asked.options), signed_at: asked.at }
    // No live signer has recorded that it trusts this passkey.
    expect((await ann.client.call('setPolicy', { path, body: signed })).status).toBe(409)
    await query(
      service.database.url,
      `insert into passkey_pins (environment, merchant_id, credential_id, pinned_at) values ('live', $1, $2, now())`,
      [shop.merchantId, ann.passkey.credentialId],
    )
    const other = { ...signed, approvals_required: 2 }
    expect((await ann.client.call('setPolicy', { path, body: other })).status).toBe(403)
    const untimed = { ...change, assertion: signed.assertion }
    expect((await ann.client.call('setPolicy', { path, body: untimed })).status).toBe(400)
    expect((await ann.client.call('setPolicy', { path, body: signed })).status).toBe(200)
    const [told] = await query<{ said: string }>(
      service.database.url,
      'select said from passkey_statements where merchant_id = $1',
      [shop.merchantId],
    )
    expect(readStatement(told?.said ?? '')).toMatchObject({
      kind: 'policy',
      environment: 'live',
      policy: { approval: 'any' },
    })
  })
})

it('a trusted passkey of a former member is shown as no longer in use, and cannot be vouched for', async () => {
  const { shop, ann } = await underPasskeys()
  const bob = await approver(shop)
  const [, offered] = await passkeys(shop, ann)
  expect(offered).toMatchObject({ user_id: bob.userId, is_in_use: true })
  const path = { ...here(shop), passkeyID: offered.id }
  const { options } = (await ann.client.call('getVouchingChallenge', { path })).body.data
  const member = { merchantID: shop.merchantId, userID: bob.userId }
  expect((await ann.client.call('removeMember', { path: member })).status).toBe(200)
  expect((await passkeys(shop, ann))[1]).toMatchObject({ user_id: bob.userId, is_in_use: false })
  const body = { assertion: ann.passkey.get(options) }
  const vouched = await ann.client.call('vouchForPasskey', { path, body })
  expect([vouched.status, vouched.body.error.code]).toEqual([409, 'conflict'])
})
