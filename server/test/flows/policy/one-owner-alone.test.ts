import { afterAll, beforeAll, expect, it } from 'vitest'
import { lendLiveGates, noRules, openLiveTeam, strictPolicy, thief } from '../../support/people/live-team.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** The owner is dishonest, or someone else has their session, password and second factor. */

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  lendLiveGates(service)
})
afterAll(() => service.stop())

it('one owner, alone, switches off no rule, adds no destination and moves no limit to another currency', async () => {
  const team = await openLiveTeam(service)
  const { client } = await team.member('owner')
  const { path } = team
  const currency = await client.call('updateSettings', {
    path: { merchantID: team.merchantId },
    body: { base_currency: 'JPY' },
  })
  await client.call('addDestination', { path, body: thief })
  await client.call('setPolicy', { path, body: noRules })
  expect(await team.inForce()).toEqual(strictPolicy)
  expect(await team.known()).toEqual([])
  expect([currency.status, currency.body.error?.code]).toEqual([409, 'conflict'])
  expect((await service.app.store.merchants.find(team.merchantId))?.baseCurrency).toBe('USD')
})
