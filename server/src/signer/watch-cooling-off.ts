import type { App } from '../app/app.ts'
import type { Environment } from '../domain/environment.ts'
import { isApproved, sightOf } from './check-payout.ts'
import type { FirstSights } from './first-sights.ts'
import type { Journal } from './journal.ts'
import type { PasskeyTrust } from './passkey-trust.ts'
import { policyInForce } from './pin-book.ts'

const maxIds = 10_000
const maxAtOnce = 200

/**
 * Notes when approved payouts are first seen, so that cooling-off begins with the approval and not with the plan. Only
 * for merchants whose pinned policy has a cooling-off period.
 */
export async function watchCoolingOff(
  { store }: Pick<App, 'store'>,
  environment: Environment,
  sights: FirstSights,
  trust: PasskeyTrust,
): Promise<void> {
  if (environment !== 'live') return
  const { pins, ownNow } = trust
  const merchantIds = pins
    .merchantsWithPolicy()
    .filter((merchantId) => policyInForce(pins, merchantId, ownNow).coolingOffSeconds > 0)
  if (merchantIds.length === 0) return
  const waiting = await store.signing.approvedOf(environment, merchantIds, maxIds)
  const unseen = waiting.filter((id) => !sights.has(id)).slice(0, maxAtOnce)
  for (const payout of await store.signing.payouts(unseen))
    if (isApproved(payout, trust)) sights.see(sightOf(payout, trust), ownNow)
  await sights.save()
}

/** Forgets payouts that were signed or have ended. */
export async function forgetPastSights(
  { store }: Pick<App, 'store'>,
  journal: Pick<Journal, 'ofPayout'>,
  sights: FirstSights,
): Promise<void> {
  const unsigned = sights.payoutIds().filter((id) => journal.ofPayout(id).every(({ cancels }) => cancels))
  await sights.keep(new Set(await store.signing.openAmong(unsigned)))
}
