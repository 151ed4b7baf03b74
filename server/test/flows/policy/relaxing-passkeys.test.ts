import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { readStatement } from '../../../src/domain/passkey-statements.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  enrolPasskey,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import {
  type LiveTeam,
  lendLiveGates,
  noRules,
  openLiveTeam,
  strictPolicy,
  strictRules,
  thief,
} from '../../support/people/live-team.ts'
import type { SoftwarePasskey } from '../../support/people/software-passkey.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Where live payouts are approved with passkeys, so are changes of their rules, and the signer is told each signature. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { PORT: String(await freePort()) } })
  lendLiveGates(service)
})
afterAll(() => service.stop())

type Holder = { readonly client: DashboardClient; readonly passkey: SoftwarePasskey }
// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract
type Data = any

async function holder(team: LiveTeam, role: Role, isTrusted = true): Promise<Holder> {
  const client = await signedIn(service, await makePerson(service, { merchantId: team.merchantId, role }))
  const passkey = await enrolPasskey(service, client)
  // There is no live signer in this test; this is what one would report.
  if (isTrusted)
    await query(
      service.database.url,
      `insert into passkey_pins (environment, merchant_id, credential_id, pinned_at) values ('live', $1, $2, now())`,
      [team.merchantId, passkey.credentialId],
    )
  return { client, passkey }
}

async function openHolders() {
  const team = await openLiveTeam(service, { ...strictPolicy, approval: 'passkey' })
  return { team, ann: await holder(team, 'owner'), bob: await holder(team, 'finance') }
}

async function signed({ client, passkey }: Holder, operation: string, path: object, body?: object) {
  const asked = await client.call(operation, { path: path as Record<string, string>, body })
  expect(asked.status, asked.text).toBe(200)
  const { options, at } = asked.body.data
  return { assertion: passkey.get(options), ...(at !== undefined && { signed_at: at }) }
}

const rules = { ...noRules, approval: 'passkey' }
async function propose({ path }: LiveTeam, ann: Holder): Promise<Data> {
  const body = { ...rules, ...(await signed(ann, 'getPolicyChallenge', path, rules)) }
  const answer = await ann.client.call('setPolicy', { path, body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.pending_changes[0]
}

async function said({ merchantId }: LiveTeam) {
  const rows = await query<{ said: string }>(
    service.database.url,
    'select said from passkey_statements where merchant_id = $1 order by position',
    [merchantId],
  )
  return rows.map((row) => row.said)
}

it('everyone who agrees signs the same text with a trusted passkey, and the signer gets each signature', async () => {
  const { team, ann, bob } = await openHolders()
  const change = await propose(team, ann)
  expect(change).toMatchObject({ needs_passkey: true, approvals: [{ is_passkey: true }] })
  const path = { ...team.path, changeID: change.id }
  const bare = await bob.client.call('approvePolicyChange', { path, body: {} })
  expect([bare.status, bare.body.error.message]).toEqual([409, expect.stringContaining('passkey')])

  const cay = await holder(team, 'finance', false)
  const untrusted = await signed(cay, 'getChangeChallenge', path)
  const foreign = await bob.client.call('approvePolicyChange', { path, body: untrusted })
  expect(foreign.status).toBe(403)

  const body = await signed(bob, 'getChangeChallenge', path)
  const answer = await bob.client.call('approvePolicyChange', { path, body })
  expect(answer.body.data).toMatchObject({ status: 'waiting', approvals: [{}, { is_passkey: true }] })
  const [first, second, ...more] = await said(team)
  expect([second, more]).toEqual([first, []])
  expect(readStatement(first ?? '')).toMatchObject({ kind: 'policy', policy: { approvalsRequired: 1 } })
  const late = { ...service.app, now: () => new Date(service.app.now().getTime() + 25 * 3_600_000) }
  expect(await applyPolicyChanges(late)).toBe(1)
})

it('a passkey that the signer does not trust approves no change', async () => {
  const { team, ann } = await openHolders()
  const cay = await holder(team, 'finance', false)
  const change = await propose(team, ann)
  const path = { ...team.path, changeID: change.id }
  const body = await signed(cay, 'getChangeChallenge', path)
  const answer = await cay.client.call('approvePolicyChange', { path, body })
  expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('does not trust')])
})

it('withdrawing states the policy in force again, newer than the change', async () => {
  const { team, ann, bob } = await openHolders()
  const change = await propose(team, ann)
  const path = { ...team.path, changeID: change.id }
  expect((await bob.client.call('withdrawPolicyChange', { path, body: {} })).status).toBe(409)
  const body = await signed(bob, 'getChangeWithdrawalChallenge', path)
  const answer = await bob.client.call('withdrawPolicyChange', { path, body })
  expect([answer.status, answer.body.data?.status]).toEqual([200, 'withdrawn'])
  const [proposed, withdrawn] = (await said(team)).map((text) => readStatement(text) as Data)
  expect(withdrawn.policy).toEqual({ ...strictPolicy, approval: 'passkey' })
  expect(withdrawn.at > proposed.at).toBe(true)
})

it('a destination is proposed, approved and removed with passkeys too', async () => {
  const { team, ann, bob } = await openHolders()
  const { path } = team
  const add = (body: object) => ann.client.call('addDestination', { path, body: { ...thief, ...body } })
  expect((await add({})).status).toBe(409)
  const allow = { ...thief, is_allowed: true }
  const proposed = await add(await signed(ann, 'getDestinationChallenge', path, allow))
  const { id } = proposed.body.data.pending_change
  const change = { ...path, changeID: id }
  const approval = await signed(bob, 'getChangeChallenge', change)
  const approved = await bob.client.call('approvePolicyChange', { path: change, body: approval })
  expect(approved.body.data.status).toBe('waiting')
  const remove = (body: object) => ann.client.call('removeDestination', { path, body: { ...thief, ...body } })
  expect((await remove({})).status).toBe(409)
  const forbid = { ...thief, is_allowed: false }
  expect((await remove(await signed(ann, 'getDestinationChallenge', path, forbid))).status).toBe(200)
  const statements = (await said(team)).map((text) => readStatement(text) as Data)
  expect(statements.map(({ kind, isAllowed }) => [kind, isAllowed])).toEqual([
    ['destination', true],
    ['destination', true],
    ['destination', false],
  ])
})

it('a signature that is older than what the signer was told last changes nothing', async () => {
  const { team, ann } = await openHolders()
  const stricter = { ...strictRules, approval: 'passkey', max_payout: '10.00' }
  const old = await signed(ann, 'getPolicyChallenge', team.path, stricter)
  await propose(team, ann)
  const answer = await ann.client.call('setPolicy', { path: team.path, body: { ...stricter, ...old } })
  expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('try again')])
  expect(await team.pending(ann)).toHaveLength(1)
})

it('a change proposed before passkeys were in force is not approved without one', async () => {
  const team = await openLiveTeam(service)
  const [first, second] = [await team.member('owner'), await team.member('finance')]
  const proposed = await first.client.call('setPolicy', { path: team.path, body: noRules })
  const { id } = proposed.body.data.pending_changes[0]
  await holder(team, 'admin')
  expect(await team.inForce()).toMatchObject({ approval: 'passkey' })
  const path = { ...team.path, changeID: id }
  const answer = await second.client.call('approvePolicyChange', { path, body: {} })
  expect([answer.status, answer.body.error.message]).toEqual([
    409,
    expect.stringContaining('Propose the change again.'),
  ])
})
