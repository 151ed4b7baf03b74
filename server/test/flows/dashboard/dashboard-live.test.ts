import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { powersOf, type Role, roles } from '../../../src/domain/roles.ts'
import contract from '../../../src/http/internal-contract.generated.json' with { type: 'json' }
import { query } from '../../support/database/database.ts'
import {
  type DashboardClient,
  dashboardOperations,
  enrolPasskey,
  enrolTotp,
  makePerson,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

/** Live belongs to people with a second factor: a password alone, stolen or guessed, must not reach money there. */

const nowhere = '01890000-0000-7000-8000-000000000000'
const guarded: readonly Role[] = ['owner', 'admin', 'finance', 'developer']

type Item = { operationId: string; security?: { session?: string[] }[]; 'x-environment'?: string }
const demands = new Map(
  (Object.values(contract.paths) as Record<string, Item>[])
    .flatMap((item) => Object.values(item))
    .map((item) => [item.operationId, item.security?.[0]?.session] as const),
)
const demandOf = (id: string) => demands.get(id)?.[0] ?? null
const inLive = dashboardOperations.filter(
  ({ path, environment }) => path.includes('{environment}') && environment === null,
)
const inBoth = dashboardOperations.filter(
  ({ id, path }) => !path.includes('{environment}') && demandOf(id) !== null,
)
const ownAccount = dashboardOperations.filter(({ id }) => demands.get(id)?.length === 0)

let merchantID: string
/** Ids that do not exist: a call that is let in changes nothing. */
function ask(client: DashboardClient, id: string, environment: 'test' | 'live') {
  const { parameters } = dashboardOperations.find((each) => each.id === id) as (typeof inLive)[number]
  const path = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map(({ name }) => [name, nowhere]),
  )
  return client.call(id, { path: { ...path, merchantID, environment } })
}
const codeOf = async (client: DashboardClient, id: string, environment: 'test' | 'live' = 'test') =>
  (await ask(client, id, environment)).body?.error?.code ?? null

async function openTeam(service: TestService) {
  merchantID = await service.makeMerchant()
  const person = async (role: Role) =>
    signedIn(service, await makePerson(service, { merchantId: merchantID, role }))
  const clients = new Map<Role, DashboardClient>()
  for (const role of roles) clients.set(role, await person(role))
  return { of: (role: Role) => clients.get(role) as DashboardClient, person }
}
const mayCall = (role: Role, id: string) => powersOf[role].has(demandOf(id) as never)

describe('on a service without live gates', () => {
  let service: TestService
  let team: Awaited<ReturnType<typeof openTeam>>
  beforeAll(async () => {
    service = await startTestService()
    team = await openTeam(service)
  })
  afterAll(() => service.stop())

  it.each(inLive.map(({ id }) => [id]))(
    '%s is closed in live to people without a second factor',
    async (id) => {
      for (const role of guarded) {
        const code = await codeOf(team.of(role), id, 'live')
        expect([role, code]).toEqual([role, mayCall(role, id) ? 'second_factor_required' : 'forbidden'])
      }
      expect(await codeOf(team.of('viewer'), id, 'live')).not.toBe('second_factor_required')
    },
  )

  it('the test environment, the team, the settings and the operator’s pages ask for none', async () => {
    const operator = await signedIn(service, await makePerson(service, null))
    for (const { id } of inLive) expect(await codeOf(team.of('owner'), id)).not.toBe('second_factor_required')
    for (const { id } of inBoth)
      for (const client of [team.of('owner'), operator])
        expect([id, await codeOf(client, id)]).not.toEqual([id, 'second_factor_required'])
  })

  it('setting one up opens live at once; a recovery code that is left over does not', async () => {
    const path = { merchantID, environment: 'live' }
    const refused = await team.of('finance').call('listPayouts', { path })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'second_factor_required'])
    expect(refused.body.error.message).toContain('Add a passkey or an authenticator app to your account')
    await enrolTotp(team.of('finance'))
    await enrolPasskey(service, team.of('admin'))
    for (const role of ['finance', 'admin'] as const)
      expect((await team.of(role).call('listPayouts', { path })).status).toBe(200)
    await query(service.database.url, 'update users set totp_confirmed_at = null')
    expect((await team.of('finance').call('getSession')).body.data.second_factors).toEqual(['recovery_code'])
    expect((await team.of('finance').call('listPayouts', { path })).status).toBe(403)
  })
})

describe('on a service with a live gate', () => {
  let service: TestService
  let team: Awaited<ReturnType<typeof openTeam>>
  beforeAll(async () => {
    const gate = { network: 'bitcoin', environment: 'live', kind: 'bitcoin', chain: 'main' }
    service = await startTestService({
      config: { gates: [{ ...gate, rpc_url: 'http://user:pass@127.0.0.1:9' }] },
    })
    team = await openTeam(service)
  })
  afterAll(() => service.stop())

  it.each(inBoth.map(({ id }) => [id]))('%s, which concerns live too, is closed as well', async (id) => {
    if (demandOf(id) === 'operator') {
      const operator = await signedIn(service, await makePerson(service, null))
      return expect(await codeOf(operator, id)).toBe('second_factor_required')
    }
    for (const role of guarded) {
      const code = await codeOf(team.of(role), id)
      expect([role, code]).toEqual([role, mayCall(role, id) ? 'second_factor_required' : 'forbidden'])
    }
  })

  it('the test environment and people’s own accounts stay open', async () => {
    for (const { id } of inLive) expect(await codeOf(team.of('owner'), id)).not.toBe('second_factor_required')
    for (const { id } of ownAccount.filter(({ id }) => id !== 'signOut'))
      expect([id, await codeOf(team.of('owner'), id)]).not.toEqual([id, 'second_factor_required'])
  })
})
