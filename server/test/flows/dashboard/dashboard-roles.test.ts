import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPower, powersOf, type Role, roles } from '../../../src/domain/roles.ts'
import contract from '../../../src/http/internal-contract.generated.json' with { type: 'json' }
import {
  DashboardClient,
  dashboardOperations,
  enrolTotp,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantId: string
let elsewhere: string
const clients = new Map<Role | 'operator' | 'incomplete', DashboardClient>()
beforeAll(async () => {
  service = await startTestService({ env: { SLUICE_TRUSTED_PROXIES: '127.0.0.1,::1' } })
  merchantId = await service.makeMerchant()
  elsewhere = await service.makeMerchant()
  for (const role of roles)
    clients.set(role, await signedIn(service, await makePerson(service, { merchantId, role })))
  clients.set('operator', await signedIn(service, await makePerson(service, null)))
  const owner = await makePerson(service, { merchantId, role: 'owner' })
  await enrolTotp(await signedIn(service, owner))
  const incomplete = new DashboardClient(service)
  await incomplete.call('signIn', { body: { email: owner.email, password: owner.password } })
  clients.set('incomplete', incomplete)
})
afterAll(() => service.stop())

type Demand = string | null
/** Read from the served file, not through the service's own reader. */
const demands = new Map<string, { demand: Demand; environment: string | null }>()
for (const item of Object.values(contract.paths) as Record<string, Item>[])
  for (const { operationId, security, 'x-environment': environment } of Object.values(item)) {
    const session = security?.[0]?.session
    if (session !== undefined)
      demands.set(operationId, { demand: session[0] ?? null, environment: environment ?? null })
  }
type Item = { operationId: string; security?: { session?: string[] }[]; 'x-environment'?: string }

const nowhere = '01890000-0000-7000-8000-000000000000'
const secured = dashboardOperations.filter(({ id }) => demands.has(id))

/** Uses ids that do not exist, so that a call that is let in changes nothing. */
function ask(client: DashboardClient, id: string, merchantID = merchantId) {
  const { parameters } = dashboardOperations.find((each) => each.id === id) as (typeof secured)[number]
  const path = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map(({ name }) => [name, nowhere]),
  )
  const environment = demands.get(id)?.environment ?? 'test'
  // From many IP addresses: without a session, each one has only a few tries.
  const headers = { 'X-Forwarded-For': `10.0.${secured.findIndex((each) => each.id === id)}.1` }
  return client.call(id, { path: { ...path, merchantID, environment }, headers })
}
const named = (role: Parameters<typeof clients.get>[0]) => clients.get(role) as DashboardClient

it('the contract requires a session for every operation except the public ones', () => {
  const open = dashboardOperations.filter(({ id }) => !demands.has(id)).map(({ id }) => id)
  expect(open.sort()).toEqual([
    'acceptInvitation',
    'askPasswordReset',
    'beginPasskeySignIn',
    'completePasswordReset',
    'lookAtInvitation',
    'showSecondFactor',
    'signIn',
    'signInWithPasskey',
  ])
  for (const { demand } of demands.values())
    expect(demand === null || demand === 'operator' || isPower(demand)).toBe(true)
})

describe.each(secured.map(({ id }) => [id, demands.get(id)?.demand ?? null] as const))(
  '%s (%s)',
  (id, demand) => {
    it('is refused without a session, and in one that waits for the second factor', async () => {
      expect((await ask(new DashboardClient(service), id)).status).toBe(401)
      expect((await ask(named('incomplete'), id)).status).toBe(401)
    })

    // A user's own account does not depend on roles; calling these operations would change the caller.
    if (demand === null) return

    if (demand === 'operator')
      it('is refused to everyone but the operator, whatever their role', async () => {
        for (const role of roles) {
          const answer = await ask(named(role), id)
          expect([role, answer.status, answer.body.error?.code]).toEqual([role, 403, 'forbidden'])
        }
        const answer = await ask(named('operator'), id)
        expect(answer.body.error?.code).not.toBe('forbidden')
      })
    else {
      it('is refused to exactly the roles that lack the power', async () => {
        for (const role of roles) {
          const answer = await ask(named(role), id)
          const isRefused = answer.status === 403 && answer.body.error.code === 'forbidden'
          const may = isPower(demand) && powersOf[role].has(demand)
          expect([role, isRefused, answer.status === 401]).toEqual([role, !may, false])
        }
      })
      it('does not exist at another merchant, whatever the caller’s role, nor for the operator', async () => {
        for (const role of [...roles, 'operator'] as const)
          expect((await ask(named(role), id, elsewhere)).status).toBe(404)
      })
    }
  },
)
