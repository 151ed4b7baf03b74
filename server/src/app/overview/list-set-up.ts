import type { Caller } from '../../domain/caller.ts'
import type { Environment } from '../../domain/environment.ts'
import { type Power, powersOf, type Role, roles } from '../../domain/roles.ts'
import type { App } from '../app.ts'

/** A step on the way to live payments. */
export type SetUpStep = {
  readonly kind:
    | 'test_invoice'
    | 'test_key'
    | 'test_webhook'
    | 'test_payout'
    | 'brand'
    | 'owners'
    | 'live_networks'
    | 'live_wallet'
    | 'live_policy'
    | 'live_approvers'
    | 'live_webhook'
    | 'live_key'
  readonly isDone: boolean
  readonly environment: Environment
  /** The page's path, below that of the merchant and `environment`; null where only the operator can do it. */
  readonly target: string | null
  /** Who may do it; empty where only the operator can. */
  readonly roles: readonly Role[]
}

/**
 * The steps from the first test payment to live payments, in order. Each is judged by what is there, at every call; nothing
 * remembers that it was done. Empty once all are done.
 */
export async function listSetUp(
  app: Pick<App, 'store' | 'gates'>,
  { merchantId }: Pick<Caller, 'merchantId'>,
): Promise<SetUpStep[]> {
  const live = { merchantId, environment: 'live' } as const
  const [facts, wallet, approvers] = await Promise.all([
    app.store.setUp.read(merchantId),
    app.store.walletKeys.read('live'),
    app.store.passkeyEnrolments.approverDemand(live),
  ])
  const isOnline = app.gates
    .list()
    .some(({ id, environment }) => environment === 'live' && app.gates.isOnline(id))
  const step = (
    kind: SetUpStep['kind'],
    isDone: boolean,
    environment: Environment,
    does: { readonly target: string; readonly power: Power } | null,
  ): SetUpStep => {
    const power = does?.power
    const able = power === undefined ? [] : roles.filter((role) => powersOf[role].has(power))
    return { kind, isDone, environment, target: does?.target ?? null, roles: able }
  }
  const steps = [
    step('test_invoice', facts.testInvoicePaid, 'test', { target: 'invoices/new', power: 'invoices:write' }),
    step('test_key', facts.testKeyUsed, 'test', { target: 'keys', power: 'keys:write' }),
    step('test_webhook', facts.testWebhookDelivered, 'test', { target: 'webhooks', power: 'webhooks:write' }),
    step('test_payout', facts.testPayoutApproved, 'test', { target: 'payouts', power: 'payouts:approve' }),
    step('brand', facts.hasBrand, 'test', { target: 'settings', power: 'settings:write' }),
    step('owners', facts.ownersSafe, 'test', { target: 'team', power: 'team:write' }),
    step('live_networks', isOnline, 'live', null),
    step('live_wallet', wallet !== null, 'live', null),
    step('live_policy', facts.hasLivePolicy, 'live', { target: 'policy', power: 'policy:write' }),
    step('live_approvers', approvers.people >= approvers.required, 'live', {
      target: 'policy',
      power: 'payouts:approve',
    }),
    step('live_webhook', facts.hasLiveWebhook, 'live', { target: 'webhooks', power: 'webhooks:write' }),
    step('live_key', facts.hasLiveKey, 'live', { target: 'keys', power: 'keys:write' }),
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}
