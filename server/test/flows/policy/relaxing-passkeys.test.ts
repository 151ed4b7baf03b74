import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { readStatement } from '../../../src/domain/passkey-statements.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { relyingPartyOf } from '../../../src/domain/relying-party.ts'
import type { Role } from '../../../src/domain/roles.ts'
import { openPins, type PasskeyPins } from '../../../src/signer/passkey-pins.ts'
import { isAllowedDestination, policyInForce } from '../../../src/signer/pin-book.ts'
import { passkeyPinner } from '../../../src/signer/pin-passkeys.ts'
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
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/processes/temporary-folder.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Where live payouts are approved with passkeys, so are changes of their rules, and the signer obeys the same signatures. */

const dayMs = 24 * 3_600_000
let clockMs = Date.now()
let service: TestService
let folder: TemporaryFolder
let pins: PasskeyPins
let follow: ReturnType<typeof passkeyPinner>
beforeAll(async () => {
  const port = String(await freePort())
  service = await startTestService({ env: { PORT: port } })
  lendLiveGates(service)
  folder = await makeTemporaryFolder()
  pins = await openPins(join(folder.path, 'pins.jsonl'), 'live')
  const relyingParty = relyingPartyOf(`http://127.0.0.1:${port}`)
  follow = passkeyPinner(pins, { environment: 'live', relyingParty, log: { warn: () => {} } })
})
afterAll(async () => {
  await pins.close()
  await folder.remove()
  await service.stop()
})

/** What the signer enforces this number of milliseconds after it has heard what it was told. */
async function atTheSigner({ merchantId }: LiveTeam, laterMs = 0) {
  // It reports what it trusts every two seconds of its own time, and what it is told must not lie in its future.
  clockMs = Math.max(clockMs, Date.now()) + 3_000
  await follow(service.app, new Date(clockMs), { requireAll: true, delayMs: dayMs })
  const at = new Date(clockMs + laterMs)
  return {
    policy: policyInForce(pins, merchantId, at),
    paysThief: isAllowedDestination(pins, merchantId, { ...thief, tag: null }, at),
  }
}

type Holder = { readonly client: DashboardClient; readonly passkey: SoftwarePasskey }
// biome-ignore lint/suspicious/noExplicitAny: every answer was checked against the contract
type Data = any

async function holder(team: LiveTeam, role: Role, isTrusted = true): Promise<Holder> {
  const { merchantId } = team
  const person = await makePerson(service, { merchantId, role })
  const client = await signedIn(service, person)
  const passkey = await enrolPasskey(service, client)
  const [at, credentialId] = [new Date(), passkey.credentialId]
  const [offered] = await query<{ publicKey: Buffer }>(
    service.database.url,
    'select public_key as "publicKey" from passkey_enrolments where credential_id = $1',
    [credentialId],
  )
  const publicKey = offered?.publicKey ?? Buffer.alloc(0)
  if (isTrusted)
    pins.pin({ merchantId, userId: person.userId, credentialId, publicKey, how: 'operator', at, from: at })
  await atTheSigner(team)
  return { client, passkey }
}

const strict = { ...strictPolicy, approval: 'passkey' } as const
async function openHolders() {
  const team = await openLiveTeam(service, strict)
  const { merchantId } = team
  const at = new Date()
  pins.setPolicy({
    merchantId,
    policy: strict,
    baseCurrency: 'USD',
    statedAt: at,
    how: 'operator',
    at,
    from: at,
  })
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

  // One signature of two is nothing to the signer.
  expect((await atTheSigner(team, 3 * dayMs)).policy).toEqual(strict)
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
  expect((await atTheSigner(team, dayMs - 60_000)).policy).toEqual(strict)
  expect((await atTheSigner(team, dayMs)).policy).toMatchObject({ ...noPolicy, approval: 'passkey' })
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
  const approval = await signed(bob, 'getChangeChallenge', path)
  expect((await bob.client.call('approvePolicyChange', { path, body: approval })).status).toBe(200)
  expect((await atTheSigner(team, dayMs)).policy).not.toEqual(strict)
  const body = await signed(bob, 'getChangeWithdrawalChallenge', path)
  const answer = await bob.client.call('withdrawPolicyChange', { path, body })
  expect([answer.status, answer.body.data?.status]).toEqual([200, 'withdrawn'])
  expect((await atTheSigner(team, 3 * dayMs)).policy).toEqual(strict)
  const [proposed, , withdrawn] = (await said(team)).map((text) => readStatement(text) as Data)
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
  expect((await atTheSigner(team, dayMs - 60_000)).paysThief).toBe(false)
  expect((await atTheSigner(team, dayMs)).paysThief).toBe(true)
  const remove = (body: object) => ann.client.call('removeDestination', { path, body: { ...thief, ...body } })
  expect((await remove({})).status).toBe(409)
  const forbid = { ...thief, is_allowed: false }
  expect((await remove(await signed(ann, 'getDestinationChallenge', path, forbid))).status).toBe(200)
  expect((await atTheSigner(team, 3 * dayMs)).paysThief).toBe(false)
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
