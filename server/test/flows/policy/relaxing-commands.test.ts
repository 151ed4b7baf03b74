import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeSettings } from '../../../src/app/merchants/change-settings.ts'
import { addDestination } from '../../../src/app/payouts/add-destination.ts'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { noPolicy } from '../../../src/domain/payout-policy.ts'
import { lendLiveGates, noRules, openLiveTeam, strictPolicy, thief } from '../../support/people/live-team.ts'
import { runCommand } from '../../support/processes/run-command.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  lendLiveGates(service)
})
afterAll(() => service.stop())

const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
const run = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: service.database.serviceUrl, ...more })
const policy = (merchantId: string) => [
  'merchant',
  'policy',
  '--merchant',
  merchantId,
  '--environment',
  'live',
]
const later = () => ({
  ...service.app,
  now: () => new Date(service.app.now().getTime() + 25 * 3_600_000),
})

it('the operator needs no second person but waits too, and the answer says until when', async () => {
  const team = await openLiveTeam(service)
  const { stdout, code } = await run([...policy(team.merchantId), '--approvals', '1', '--json'])
  expect(code).toBe(0)
  const answer = JSON.parse(stdout)
  expect(answer).toMatchObject({ approvals: 2, pending_change: { status: 'waiting' } })
  const hours = (Date.parse(answer.pending_change.applies_at) - service.app.now().getTime()) / 3_600_000
  expect([hours > 23.9, hours <= 24]).toEqual([true, true])
  const shown = await run(policy(team.merchantId))
  expect(shown.stdout).toMatch(
    /Not in force yet: this relaxes the live policy.*It applies at 2\d{3}-\d\d-\d\d \d\d:\d\d UTC/,
  )
  await applyPolicyChanges(later())
  expect(await team.inForce()).toEqual({ ...strictPolicy, approvalsRequired: 1 })
})

it('tightening applies at once, and supersedes what members have proposed', async () => {
  const team = await openLiveTeam(service)
  const ann = await team.member('owner')
  await ann.client.call('setPolicy', { path: team.path, body: noRules })
  const { stdout } = await run([...policy(team.merchantId), '--cooling-off', '7200', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ cooling_off_seconds: 7200, pending_change: null })
  expect(await team.pending(ann)).toEqual([])
})

it('where no rule was in force, nothing waits', async () => {
  const team = await openLiveTeam(service, noPolicy)
  const { stdout } = await run([...policy(team.merchantId), '--approvals', '2', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ approvals: 2, pending_change: null })
})

it('a destination that the operator adds waits as well', async () => {
  const team = await openLiveTeam(service)
  const { change } = await addDestination(service.app, by, team.owner, { ...thief, tag: null }, null)
  expect(change).toMatchObject({ status: 'waiting', approvalsNeeded: 1 })
  expect(await team.known()).toEqual([])
  await applyPolicyChanges(later())
  expect(await team.known()).toEqual([thief.address])
})

it('with a delay of 0 hours a change applies as soon as it is approved', async () => {
  const team = await openLiveTeam(service)
  const app = { ...service.app, weakeningDelayMs: 0 }
  const { change } = await addDestination(app, by, team.owner, { ...thief, tag: null }, null)
  expect(change).toBeNull()
  expect(await team.known()).toEqual([thief.address])
})

it('the base currency is changed once the live limits are gone and no change is pending', async () => {
  const team = await openLiveTeam(service, { ...strictPolicy, approvalsRequired: 1 })
  const change = () => changeSettings(service.app, by, team.merchantId, { baseCurrency: 'JPY' })
  await expect(change()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Remove the limits from the live payout policy first'),
  })
  await changeSettings(service.app, by, team.merchantId, { baseCurrency: 'USD', name: 'The same currency' })
  const ann = await team.member('owner')
  await ann.client.call('setPolicy', { path: team.path, body: noRules })
  await applyPolicyChanges(later())
  expect((await change()).merchant.baseCurrency).toBe('JPY')
  await run([...policy(team.merchantId), '--cooling-off', '60'])
  await run([...policy(team.merchantId), '--cooling-off', '0'])
  await expect(
    changeSettings(service.app, by, team.merchantId, { baseCurrency: 'EUR' }),
  ).rejects.toMatchObject({
    message: expect.stringContaining('withdraw it'),
  })
})
