import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemo, type Demo } from '../../../src/app/merchants/create-demo.ts'
import { query } from '../../support/database/database.ts'
import { DashboardClient, dashboardOperations } from '../../support/people/dashboard-client.ts'
import { call } from '../../support/shop/contract-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let demo: Demo
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const keyWorks = async () => (await call(service.url, 'listEvents', { key: demo.key })).status === 200
async function signIn(password: string) {
  const client = new DashboardClient(service)
  return { client, ...(await client.call('signIn', { body: { email: demo.email, password } })) }
}

it('of several concurrent first starts one creates the demo merchant, and its key works', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => createDemo(service.app)))
  const [first, ...others] = made.filter((each) => each !== null)
  expect(others).toEqual([])
  expect(await service.app.store.merchants.list()).toHaveLength(1)
  demo = first as Demo
  expect(await keyWorks()).toBe(true)
  const acts = await query(
    service.database.url,
    'select action, actor, details from audit_entries order by at',
  )
  expect(acts.map(({ action, actor }) => `${actor} ${action}`).sort()).toEqual([
    'service:start key.created',
    'service:start merchant.created',
    'service:start user.created',
  ])
  const added = acts.find(({ action }) => action === 'user.created')
  expect(added?.details).toMatchObject({ name: 'Demo owner', role: 'owner' })
})

it('its printed password opens one door: to a password of one’s own', async () => {
  const { client, body } = await signIn(demo.password)
  expect(body.data.stage).toBe('signed_in')
  const path = { merchantID: demo.merchantId, environment: 'test' }
  const open = ['getSession', 'signOut', 'stepUp', 'changePassword']
  const strangers = ['signIn', 'showSecondFactor', 'beginPasskeySignIn', 'signInWithPasskey']
  const links = ['askPasswordReset', 'completePasswordReset', 'lookAtInvitation', 'acceptInvitation']
  const closed = dashboardOperations.filter(({ id }) => ![...open, ...strangers, ...links].includes(id))
  expect(closed.length).toBeGreaterThan(60)
  for (const { id, parameters } of closed) {
    const named = parameters.filter((each) => each.in === 'path').map(({ name }) => [name, demo.keyId])
    const answer = await client.call(id, { path: { ...Object.fromEntries(named), ...path } })
    expect([id, answer.status, answer.body.error?.code]).toEqual([id, 403, 'password_change_required'])
  }
  const { must_change_password } = (await client.call('getSession')).body.data
  expect([must_change_password, await keyWorks()]).toEqual([true, true])

  const change = (password: string) =>
    client.call('changePassword', { body: { current_password: demo.password, password } })
  expect((await change(demo.password)).body.error.details).toEqual([
    '/password: must differ from the current password',
  ])
  expect((await change('a password of my own')).status).toBe(200)
  expect((await client.call('listInvoices', { path })).status).toBe(200)
  expect((await signIn(demo.password)).status).toBe(401)
  const again = await signIn('a password of my own')
  expect((await again.client.call('getSession')).body.data.must_change_password).toBe(false)
  expect(await keyWorks()).toBe(true)
})
