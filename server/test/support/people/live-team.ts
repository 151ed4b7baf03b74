import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import type { Role } from '../../../src/domain/roles.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import type { TestService } from '../shop/service.ts'
import { type DashboardClient, enrolTotp, type Login, makePerson, signedIn } from './dashboard-client.ts'

/** A signed-in member with a fresh second factor. */
export type Member = Login & { readonly client: DashboardClient }

/** A merchant whose live payouts have a policy, and its people. */
export type LiveTeam = Awaited<ReturnType<typeof openLiveTeam>>

export const strictPolicy: PayoutPolicy = {
  ...noPolicy,
  maxPayout: 100_000n,
  onlyKnownDestinations: true,
  approvalsRequired: 2,
  coolingOffSeconds: 3600,
}

/** The request that sets a policy without any rule. */
export const noRules = {
  only_known_destinations: false,
  approvals_required: 1,
  cooling_off_seconds: 0,
  approval: 'any',
}

/** The request that sets `strictPolicy`. */
export const strictRules = {
  max_payout: '1000.00',
  only_known_destinations: true,
  approvals_required: 2,
  cooling_off_seconds: 3600,
  approval: 'any',
}

export const thief = { network: 'bitcoin', address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }

/** Lends the live environment the simulated networks: a test has no live node. */
export function lendLiveGates({ app }: TestService): void {
  const { find } = app.gates
  const live = (gate: Gate | null): Gate | null => (gate === null ? null : { ...gate, environment: 'live' })
  Object.assign(app.gates, {
    find: (id: string) => find(id) ?? live(find(id.replace(/-live$/, '-test'))),
  })
}

export async function openLiveTeam(service: TestService, policy: PayoutPolicy = strictPolicy) {
  const merchantId = await service.makeMerchant()
  const owner = { merchantId, environment: 'live' } as const
  const path = { merchantID: merchantId, environment: 'live' }
  await service.app.store.payoutPolicies.set(owner, policy)

  return {
    merchantId,
    owner,
    path,

    async member(role: Role): Promise<Member> {
      const login = await makePerson(service, { merchantId, role })
      const client = await signedIn(service, login)
      await enrolTotp(client)
      return { ...login, client }
    },

    /** The policy in force, as payouts are judged by it. */
    inForce: () => service.app.store.payoutPolicies.find(owner),

    /** The addresses of the known destinations. */
    async known(): Promise<string[]> {
      return (await service.app.store.payoutPolicies.destinations(owner)).map(({ address }) => address)
    },

    async pending({ client }: Pick<Member, 'client'>) {
      return (await client.call('getPolicy', { path })).body.data.pending_changes
    },
  }
}

/** A member who may approve, and a change of a live policy that another member has proposed. */
export async function openProposal(service: TestService) {
  const team = await openLiveTeam(service)
  const [ann, bob] = [await team.member('owner'), await team.member('finance')]
  await ann.client.call('setPolicy', { path: team.path, body: noRules })
  const [{ id }] = await team.pending(bob)
  return { bob, path: { ...team.path, changeID: id } }
}
