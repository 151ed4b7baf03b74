import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { query } from '../../support/database/database.ts'
import {
  type LiveTeam,
  lendLiveGates,
  type Member,
  noRules,
  openLiveTeam,
  strictPolicy,
  strictRules,
  thief,
} from '../../support/people/live-team.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  lendLiveGates(service)
})
afterAll(() => service.stop())
// A worker applies what is due at any merchant, so a test must leave nothing open for the next one.
afterEach(() =>
  query(
    service.database.url,
    `update policy_changes set status = 'withdrawn', ended_at = clock_timestamp()
     where status in ('proposed', 'waiting')`,
  ),
)

const hourMs = 3_600_000
/** The service as it is this number of hours from now. */
const later = (hours: number): App => ({
  ...service.app,
  now: () => new Date(service.app.now().getTime() + hours * hourMs),
})
const relaxed = { approvalsRequired: 1, onlyKnownDestinations: false, coolingOffSeconds: 0, maxPayout: null }

async function propose(team: LiveTeam, { client }: Member, body: object = noRules) {
  const answer = await client.call('setPolicy', { path: team.path, body })
  expect(answer.status, answer.text).toBe(200)
  const [change] = answer.body.data.pending_changes
  return change
}

const approve = ({ path }: LiveTeam, { client }: Member, { id }: { id: string }) =>
  client.call('approvePolicyChange', { path: { ...path, changeID: id }, body: {} })
const withdraw = ({ path }: LiveTeam, { client }: Member, { id }: { id: string }) =>
  client.call('withdrawPolicyChange', { path: { ...path, changeID: id }, body: {} })

async function statusOf({ path }: LiveTeam, { client }: Member, { id }: { id: string }) {
  const all = (await client.call('listPolicyChanges', { path })).body.data
  return all.find((each: { id: string }) => each.id === id)?.status
}

const acts = async ({ merchantId }: LiveTeam) =>
  (
    await query<{ action: string }>(
      service.database.url,
      `select action from audit_entries where chain = $1 and action ~ '^(policy|destination)' order by seq`,
      [merchantId],
    )
  ).map(({ action }) => action)

async function openPair() {
  const team = await openLiveTeam(service)
  return { team, ann: await team.member('owner'), bob: await team.member('finance') }
}

describe('a change that relaxes the live policy', () => {
  it('needs two people where two approve payouts, waits a day, and is then in force', async () => {
    const { team, ann, bob } = await openPair()
    const change = await propose(team, ann)
    expect(change).toMatchObject({
      status: 'proposed',
      relaxes: ['max_payout', 'only_known_destinations', 'approvals_required', 'cooling_off_seconds'],
      approvals: [{ by: `user:${ann.userId}` }],
      approvals_needed: 2,
      may_approve: false,
      applies_at: null,
      policy: { approvals_required: 1 },
    })
    const again = await approve(team, ann, change)
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining('already approved'),
    ])
    expect(await team.pending(bob)).toMatchObject([{ may_approve: true, may_not_because: null }])
    const agreed = (await approve(team, bob, change)).body.data
    expect(agreed).toMatchObject({ status: 'waiting', ended_at: null })
    const hours = (Date.parse(agreed.applies_at) - service.app.now().getTime()) / hourMs
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])

    expect(await applyPolicyChanges(later(23.9))).toBe(0)
    expect(await team.inForce()).toEqual(strictPolicy)
    expect(await applyPolicyChanges(later(24.1))).toBe(1)
    expect(await team.inForce()).toMatchObject(relaxed)
    expect(await statusOf(team, bob, change)).toBe('applied')
    expect(await acts(team)).toEqual(['policy.change_proposed', 'policy.change_approved', 'policy.changed'])
  })

  it('waits for one person too, where one approves payouts', async () => {
    const team = await openLiveTeam(service, { ...strictPolicy, approvalsRequired: 1 })
    const ann = await team.member('admin')
    const change = await propose(team, ann)
    expect(change).toMatchObject({ status: 'waiting', approvals_needed: 1 })
    expect(await team.inForce()).toMatchObject({ coolingOffSeconds: 3600 })
    await applyPolicyChanges(later(25))
    expect(await team.inForce()).toMatchObject(relaxed)
  })

  it('waits as a whole when it also tightens something', async () => {
    const { team, ann } = await openPair()
    const change = await propose(team, ann, { ...strictRules, approvals_required: 1, max_day: '5000.00' })
    expect(change).toMatchObject({ relaxes: ['approvals_required'], policy: { max_day: '5000.00' } })
    expect(await team.inForce()).toEqual(strictPolicy)
  })

  it('is approved once by two approvers at once, and applied once by three workers at once', async () => {
    const { team, ann, bob } = await openPair()
    const cay = await team.member('admin')
    const change = await propose(team, ann)
    const answers = await Promise.all([approve(team, bob, change), approve(team, cay, change)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const day = later(25)
    const applied = await Promise.all([1, 2, 3].map(() => applyPolicyChanges(day)))
    expect(applied.reduce((sum, each) => sum + each)).toBe(1)
    expect((await acts(team)).filter((action) => action === 'policy.changed')).toHaveLength(1)
  })

  it('is lost by no crash: a worker that dies before it commits leaves it to the next', async () => {
    const { team, ann, bob } = await openPair()
    const change = await propose(team, ann)
    await approve(team, bob, change)
    // PostgreSQL sees the same when a process is killed: the session ends before the commit.
    const dying: App = {
      ...later(25),
      transaction: (work) =>
        service.app.transaction(async (tx) => {
          const done = await work(tx)
          await query(
            service.database.url,
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and state = 'idle in transaction'`,
          )
          return done
        }),
    }
    await expect(applyPolicyChanges(dying)).rejects.toThrow()
    expect(await team.inForce()).toEqual(strictPolicy)
    expect(await statusOf(team, ann, change)).toBe('waiting')
    expect(await applyPolicyChanges(later(25))).toBe(1)
    expect(await applyPolicyChanges(later(26))).toBe(0)
  })

  it('is applied by the running worker when its time has come', async () => {
    const { team, ann, bob } = await openPair()
    await approve(team, bob, await propose(team, ann))
    await query(
      service.database.url,
      `update policy_changes set applies_at = clock_timestamp() where merchant_id = $1`,
      [team.merchantId],
    )
    await expect.poll(team.inForce).toMatchObject(relaxed)
  })

  it.each(['proposed', 'waiting'])(
    'can be withdrawn while it is %s, by anyone who approves',
    async (status) => {
      const { team, ann, bob } = await openPair()
      const change = await propose(team, ann)
      if (status === 'waiting') await approve(team, bob, change)
      expect((await withdraw(team, bob, change)).body.data).toMatchObject({ status: 'withdrawn' })
      expect((await approve(team, bob, change)).status).toBe(409)
      expect((await withdraw(team, ann, change)).status).toBe(409)
      expect(await applyPolicyChanges(later(25))).toBe(0)
      expect(await team.inForce()).toEqual(strictPolicy)
      expect((await acts(team)).at(-1)).toBe('policy.change_withdrawn')
    },
  )

  it('is neither approved nor withdrawn by a viewer or developer, nor without a fresh factor', async () => {
    const { team, ann, bob } = await openPair()
    const change = await propose(team, ann)
    for (const role of ['viewer', 'developer'] as const) {
      const cay = await team.member(role)
      expect(await team.pending(cay)).toMatchObject([{ id: change.id, may_approve: false }])
      for (const act of [approve, withdraw]) expect((await act(team, cay, change)).status).toBe(403)
    }
    await query(
      service.database.url,
      `update sessions set proved_at = proved_at - interval '1 hour' where user_id = $1`,
      [bob.userId],
    )
    for (const act of [approve, withdraw])
      expect((await act(team, bob, change)).body.error.code).toBe('step_up_required')
  })

  it('is not approved from another merchant', async () => {
    const { team, ann } = await openPair()
    const change = await propose(team, ann)
    const other = await openPair()
    for (const act of [approve, withdraw]) expect((await act(other.team, other.bob, change)).status).toBe(404)
  })
})

describe('a later change of the policy supersedes a pending one', () => {
  it('that tightens: it is in force at once, and the pending one never undoes it', async () => {
    const { team, ann, bob } = await openPair()
    const change = await propose(team, ann, { ...strictRules, cooling_off_seconds: 0 })
    await approve(team, bob, change)
    const stricter = { ...strictRules, max_payout: '10.00' }
    const answer = await ann.client.call('setPolicy', { path: team.path, body: stricter })
    expect(answer.body.data).toMatchObject({ max_payout: '10.00', pending_changes: [] })
    expect(await statusOf(team, ann, change)).toBe('superseded')
    await applyPolicyChanges(later(25))
    expect(await team.inForce()).toMatchObject({ maxPayout: 1_000n, coolingOffSeconds: 3600 })
  })

  it('that relaxes: it starts anew, with approvals and waiting of its own', async () => {
    const { team, ann, bob } = await openPair()
    const first = await propose(team, ann)
    await approve(team, bob, first)
    const second = await propose(team, ann, { ...noRules, approvals_required: 2 })
    expect(second).toMatchObject({ status: 'proposed', approvals: [{ by: `user:${ann.userId}` }] })
    expect(await team.pending(ann)).toHaveLength(1)
    await applyPolicyChanges(later(25))
    expect(await team.inForce()).toEqual(strictPolicy)
  })

  it('even when the signer tightened it behind our back', async () => {
    const { team, ann, bob } = await openPair()
    const change = await propose(team, ann)
    await approve(team, bob, change)
    await query(
      service.database.url,
      `insert into passkey_demands (environment, merchant_id, is_required, approvals_required)
       values ('live', $1, true, 2)`,
      [team.merchantId],
    )
    expect(await applyPolicyChanges(later(25))).toBe(0)
    expect(await statusOf(team, ann, change)).toBe('superseded')
    expect(await team.inForce()).toMatchObject({ approval: 'passkey', coolingOffSeconds: 3600 })
  })
})

describe('a destination, while only known ones may be paid', () => {
  const add = ({ path }: LiveTeam, { client }: Member, body: object = thief) =>
    client.call('addDestination', { path, body })
  const other = {
    network: 'bitcoin',
    address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  }

  it('is allowed after two people agreed and a day has passed; several can be pending', async () => {
    const { team, ann, bob } = await openPair()
    const added = (await add(team, ann)).body.data
    expect(added).toMatchObject({ destination: null, pending_change: { destination: thief, relaxes: [] } })
    await add(team, ann, other)
    expect(await team.pending(bob)).toHaveLength(2)
    await approve(team, bob, added.pending_change)
    await applyPolicyChanges(later(25))
    expect(await team.known()).toEqual([thief.address])
    expect(await team.pending(bob)).toMatchObject([{ destination: other }])
    const noted = await query<{ action: string; destination: string }>(
      service.database.url,
      `select action, details ->> 'destination' as destination from audit_entries
       where chain = $1 and details ->> 'destination' like $2 order by seq`,
      [team.merchantId, `${thief.address}%`],
    )
    const said = `${thief.address} on bitcoin`
    expect(noted).toEqual([
      { action: 'policy.change_proposed', destination: said },
      { action: 'policy.change_approved', destination: said },
      { action: 'destination.added', destination: said },
    ])
    const labelled = await add(team, ann, { ...thief, label: 'Supplier' })
    expect(labelled.body.data).toMatchObject({ destination: { label: 'Supplier' }, pending_change: null })
  })

  it('is stopped by removing it, and removed at once', async () => {
    const { team, ann, bob } = await openPair()
    const { pending_change: change } = (await add(team, ann)).body.data
    await approve(team, bob, change)
    const remove = () => ann.client.call('removeDestination', { path: team.path, body: thief })
    expect((await remove()).status).toBe(200)
    expect(await statusOf(team, ann, change)).toBe('withdrawn')
    expect((await remove()).status).toBe(404)
    await service.app.store.payoutPolicies.addDestination(team.owner, { ...thief, tag: null, label: null })
    expect((await remove()).status).toBe(200)
    expect(await team.known()).toEqual([])
  })

  it('that was approved under a weaker policy does not pass the stricter one', async () => {
    const team = await openLiveTeam(service, { ...strictPolicy, approvalsRequired: 1 })
    const ann = await team.member('owner')
    const { pending_change: change } = (await add(team, ann)).body.data
    expect(change.status).toBe('waiting')
    await ann.client.call('setPolicy', { path: team.path, body: strictRules })
    await applyPolicyChanges(later(25))
    expect(await statusOf(team, ann, change)).toBe('superseded')
    expect(await team.known()).toEqual([])
  })

  it('is added at once where the rule is not in force', async () => {
    const team = await openLiveTeam(service, { ...strictPolicy, onlyKnownDestinations: false })
    const answer = await add(team, await team.member('owner'))
    expect(answer.body.data).toMatchObject({ destination: thief, pending_change: null })
  })
})

it('in the test environment every change applies at once', async () => {
  const { team, ann } = await openPair()
  const path = { ...team.path, environment: 'test' }
  await ann.client.call('setPolicy', { path, body: strictRules })
  const added = await ann.client.call('addDestination', { path, body: thief })
  expect(added.body.data).toMatchObject({ destination: thief, pending_change: null })
  const answer = await ann.client.call('setPolicy', { path, body: noRules })
  expect(answer.body.data).toMatchObject({ ...noRules, weakening_delay_hours: null, pending_changes: [] })
})
