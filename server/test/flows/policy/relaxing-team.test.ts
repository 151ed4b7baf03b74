import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPolicy } from '../../../src/app/payouts/set-policy.ts'
import { disableUser } from '../../../src/app/people/disable-user.ts'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { query } from '../../support/database/database.ts'
import { type LiveTeam, type Member, noRules, openLiveTeam } from '../../support/people/live-team.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** The team decides who can approve a change, so a change of the team must not stage an approval. */

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const approve = ({ path }: LiveTeam, { client }: Member, id: string) =>
  client.call('approvePolicyChange', { path: { ...path, changeID: id }, body: {} })

async function propose(team: LiveTeam, { client }: Member): Promise<string> {
  const answer = await client.call('setPolicy', { path: team.path, body: noRules })
  return answer.body.data.pending_changes[0].id
}

async function statusOf(id: string) {
  const [row] = await query<{ status: string }>(
    service.database.url,
    'select status from policy_changes where id = $1',
    [id],
  )
  return row?.status
}

describe('an approval of a change does not count', () => {
  const late = 'You became an approver after this change was proposed'

  it('from a member who joined after it was proposed', async () => {
    const team = await openLiveTeam(service)
    const id = await propose(team, await team.member('owner'))
    const puppet = await team.member('admin')
    expect(await team.pending(puppet)).toMatchObject([
      { may_approve: false, may_not_because: expect.stringContaining(late) },
    ])
    const answer = await approve(team, puppet, id)
    expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining(late)])
    expect(await statusOf(id)).toBe('proposed')
  })

  it('from a member who was removed while their proposal was on its way', async () => {
    const team = await openLiveTeam(service)
    const [ann, bob] = [await team.member('owner'), await team.member('admin')]
    const path = { merchantID: team.merchantId, userID: bob.userId }
    expect((await ann.client.call('removeMember', { path })).status).toBe(200)
    const by = { actor: `user:${bob.userId}`, name: bob.email, ip: null, userAgent: null }
    await expect(setPolicy(service.app, by, team.owner, () => noPolicy)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await team.pending(ann)).toEqual([])
  })

  it('from a member who was promoted after it was proposed; other promotions change nothing', async () => {
    const team = await openLiveTeam(service)
    const [ann, dev, bob] = [
      await team.member('owner'),
      await team.member('developer'),
      await team.member('finance'),
    ]
    const id = await propose(team, ann)
    const promote = ({ userId }: Member) =>
      ann.client.call('changeMember', {
        path: { merchantID: team.merchantId, userID: userId },
        body: { role: 'admin' },
      })
    for (const member of [dev, bob]) expect((await promote(member)).status).toBe(200)
    expect((await approve(team, dev, id)).body.error.message).toContain(late)
    expect((await approve(team, bob, id)).body.data).toMatchObject({ status: 'waiting' })
  })
})

describe('a change is superseded when a member who could stop it', () => {
  it.each([
    ['is removed', null],
    ['loses the role', 'viewer'],
  ] as const)('%s', async (_, role) => {
    const team = await openLiveTeam(service)
    const [ann, bob, cay] = [
      await team.member('owner'),
      await team.member('admin'),
      await team.member('finance'),
    ]
    const id = await propose(team, ann)
    await approve(team, bob, id)
    const path = { merchantID: team.merchantId, userID: cay.userId }
    const gone =
      role === null
        ? await ann.client.call('removeMember', { path })
        : await ann.client.call('changeMember', { path, body: { role } })
    expect(gone.status).toBe(200)
    expect(await statusOf(id)).toBe('superseded')
    const later = { ...service.app, now: () => new Date(service.app.now().getTime() + 25 * 3_600_000) }
    await applyPolicyChanges(later)
    expect(await team.inForce()).toMatchObject({ approvalsRequired: 2 })
  })

  it('is disabled by the operator', async () => {
    const team = await openLiveTeam(service)
    const [ann, bob] = [await team.member('owner'), await team.member('finance')]
    const id = await propose(team, ann)
    await approve(team, bob, id)
    const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
    await disableUser(service.app, by, { email: ann.email, isDisabled: true })
    expect(await statusOf(id)).toBe('superseded')
  })

  it('and stays when someone leaves who could not', async () => {
    const team = await openLiveTeam(service)
    const [ann, dev] = [await team.member('owner'), await team.member('developer')]
    const id = await propose(team, ann)
    const path = { merchantID: team.merchantId, userID: dev.userId }
    expect((await ann.client.call('removeMember', { path })).status).toBe(200)
    expect(await statusOf(id)).toBe('proposed')
  })
})
