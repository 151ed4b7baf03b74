import { afterAll, beforeAll, expect, it } from 'vitest'
import { shownTime } from '../../../src/app/mail/shown-values.ts'
import { applyPolicyChanges } from '../../../src/app/policy/apply-changes.ts'
import { query } from '../../support/database/database.ts'
import { lendLiveGates, noRules, openLiveTeam, strictRules, thief } from '../../support/people/live-team.ts'
import { type MailServer, startMailServer } from '../../support/servers/mail-server.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
  service = await startTestService({ env: { SMTP_URL: server.url } })
  lendLiveGates(service)
})
afterAll(async () => {
  await service.stop()
  await server.stop()
})

const about = (words: string) => (mail: { subject: string }) => mail.subject.includes(words)

it('everyone who may approve is told what, who, when and how to stop it; no one else is', async () => {
  const team = await openLiveTeam(service)
  const [ann, bob, cay, dev] = [
    await team.member('owner'),
    await team.member('finance'),
    await team.member('admin'),
    await team.member('developer'),
  ]
  await query(service.database.url, `update users set language = 'de' where id = $1`, [cay.userId])
  const { path } = team
  const answer = await ann.client.call('setPolicy', { path, body: noRules })
  const { id } = answer.body.data.pending_changes[0]
  const page = `/dashboard/${team.merchantId}/live/policy`

  const proposed = await server.mail(bob.email, about('relaxing the live payout policy was proposed'))
  expect(proposed.text).toContain('People who must approve: 2 → 1')
  expect(proposed.text).toContain('Limit per payout: 1,000.00 USD → none')
  expect(proposed.text).toContain('Cooling-off in hours: 1 → 0')
  expect(proposed.text).toContain('Only known destinations: yes → no')
  expect(proposed.text).toContain(`By: ${ann.email}`)
  expect(proposed.text).toContain(
    'Takes effect: once one more person has approved it and the waiting time is over',
  )
  expect(proposed.text).toContain(page)
  const german = await server.mail(cay.email, about('Lockerung der Live-Auszahlungsregeln vorgeschlagen'))
  expect(german.text).toContain('Personen, die freigeben müssen: 2 → 1')

  const change = { ...path, changeID: id }
  const agreed = (await bob.client.call('approvePolicyChange', { path: change, body: {} })).body.data
  const approved = await server.mail(ann.email, about('was approved'))
  expect(approved.text).toContain(`Takes effect: ${shownTime('en', agreed.applies_at)}`)
  await applyPolicyChanges({
    ...service.app,
    now: () => new Date(service.app.now().getTime() + 25 * 3_600_000),
  })
  const applied = await server.mail(bob.email, about('the live payout policy was relaxed'))
  expect(applied.text).toContain('People who must approve: 2 → 1')
  expect(applied.text).toContain('tighten the policy again')
  expect(server.mails.filter(({ to, subject }) => to === dev.email && /polic/.test(subject))).toEqual([])
})

it('withdrawing and replacing a change are told as well, and so is a destination', async () => {
  const team = await openLiveTeam(service)
  const [ann, bob] = [await team.member('owner'), await team.member('finance')]
  const { path } = team
  const added = (await ann.client.call('addDestination', { path, body: thief })).body.data
  const proposed = await server.mail(bob.email, about('was proposed'))
  expect(proposed.text).toContain(`New allowed destination: ${thief.address} on Bitcoin`)
  const change = { ...path, changeID: added.pending_change.id }
  await bob.client.call('withdrawPolicyChange', { path: change, body: {} })
  const withdrawn = await server.mail(ann.email, about('was withdrawn'))
  expect(withdrawn.text).toContain(`By: ${bob.email}`)
  await ann.client.call('setPolicy', { path, body: noRules })
  await ann.client.call('setPolicy', { path, body: { ...strictRules, max_day: '5000.00' } })
  await server.mail(bob.email, about('was replaced and will not apply'))
})
