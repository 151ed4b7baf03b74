import { expect } from 'vitest'
import { noPolicy, type PayoutPolicy } from '../../../src/domain/payout-policy.ts'
import type { Role } from '../../../src/domain/roles.ts'
import type { TestService } from '../shop/service.ts'
import { openShop, type Shop } from '../shop/shop.ts'
import { type DashboardClient, makePerson, signedIn } from './dashboard-client.ts'

/** A merchant, and a signed-in member who approves its payouts. */
export type Desk = {
  readonly shop: Shop
  readonly client: DashboardClient
  readonly userId: string
  readonly password: string
  readonly here: Record<string, string>
}

/** A merchant with funds, and a signed-in member. */
export async function openDesk(
  service: TestService,
  role: Role = 'finance',
  policy: Partial<PayoutPolicy> = {},
): Promise<Desk> {
  const shop = await openShop(service)
  await shop.fund('0.1')
  const here = { merchantID: shop.merchantId, environment: 'test' }
  await service.app.store.payoutPolicies.set(
    { merchantId: shop.merchantId, environment: 'test' },
    { ...noPolicy, coolingOffSeconds: 3600, ...policy },
  )
  const person = await makePerson(service, { merchantId: shop.merchantId, role })
  return { ...person, shop, here, client: await signedIn(service, person) }
}

export async function review({ client, here }: Desk, payout: { id: string }) {
  const answer = await client.call('getPayoutApproval', { path: { ...here, payoutID: payout.id } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** A payout as an approver sees it. */
export type Seen = { readonly id: string; readonly hash: string; readonly total: string }

export async function seen(desk: Desk, payout: { id: string }): Promise<Seen> {
  const { hash, total } = await review(desk, payout)
  return { id: payout.id, hash, total }
}

/** Approves as shown, with the password: what is risky needs a factor of its own. */
export async function approve({ client, here, password }: Desk, payouts: readonly Seen[]) {
  const answer = await client.call('approvePayouts', { path: here, body: { payouts, proof: { password } } })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
