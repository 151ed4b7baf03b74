import type { Caller } from '../../domain/caller.ts'
import { say } from '../../domain/reasons/reasons.ts'
import type { App } from '../app.ts'
import type { CurrencyBalance } from '../balances/list-balances.ts'
import { waitingPasskeys } from '../people/waiting-passkeys.ts'

/** Something a member of the merchant should look at, and on which page. */
export type Attention = {
  readonly kind:
    | 'policy_relaxing'
    | 'passkey_waits'
    | 'payouts_to_approve'
    | 'gate_halted'
    | 'gate_offline'
    | 'webhook_disabled'
    | 'webhook_failing'
    | 'invoices_underpaid'
    | 'balance_negative'
  readonly count: number
  readonly subject: string | null
  readonly details: string | null
  /** When it takes effect; null when that is not known. */
  readonly at: Date | null
  /** The page's path, below that of the merchant and environment. */
  readonly target: string
}

/** Underpaid invoices are listed when their window ends within this time. */
const endingSoonSeconds = 24 * 60 * 60

/** What needs attention, most urgent first. */
export async function listAttention(
  app: Pick<App, 'store' | 'gates'>,
  caller: Caller,
  balances: readonly CurrencyBalance[],
): Promise<Attention[]> {
  const { attention, followedChains } = app.store
  const [relaxing, waiting, toApprove, underpaid, endpoints, chains] = await Promise.all([
    app.store.policyChanges.open(caller),
    waitingPasskeys(app, caller.merchantId, caller.environment),
    attention.payoutsToApprove(caller),
    attention.underpaidEnding(caller, endingSoonSeconds),
    attention.troubledEndpoints(caller),
    followedChains.list(),
  ])
  const halted = new Map(chains.map(({ gateId, haltReason }) => [gateId, haltReason]))
  const one = { count: 1, details: null, at: null }
  const times = relaxing.flatMap(({ appliesAt }) => appliesAt ?? [])
  const next = new Date(Math.min(...times.map((time) => time.getTime())))
  const about = (count: number, kind: Attention['kind'], target: string): Attention[] =>
    count === 0 ? [] : [{ kind, count, subject: null, details: null, at: null, target }]
  return [
    ...about(relaxing.length, 'policy_relaxing', 'policy').map((each) => ({
      ...each,
      at: times.length === 0 ? null : next,
    })),
    ...waiting.map(
      ({ person, name, fingerprint, from }): Attention => ({
        kind: 'passkey_waits',
        count: 1,
        subject: person,
        details: `${name} · ${fingerprint}`,
        at: from,
        target: 'policy',
      }),
    ),
    ...about(toApprove, 'payouts_to_approve', 'payouts?status=pending_approval'),
    ...app.gates
      .list()
      .filter(({ id, environment }) => environment === caller.environment && !app.gates.isOnline(id))
      .map(({ id, network }): Attention => {
        const health = app.gates.status(id)
        const isWrongChain = !health.online && health.isWrongChain
        const reason = halted.get(id) ?? (isWrongChain ? health.reason : null)
        const kind = reason === null ? 'gate_offline' : 'gate_halted'
        return { ...one, kind, subject: network.name, details: reason, target: 'balances' }
      }),
    ...endpoints.map(({ id, url, disabledReason, failingSince }): Attention => {
      const isDisabled = disabledReason !== null || failingSince === null
      return {
        kind: isDisabled ? 'webhook_disabled' : 'webhook_failing',
        count: 1,
        subject: id,
        at: null,
        details: isDisabled ? `${url}: ${disabledReason ?? say('endpoint_disabled')}` : url,
        target: `webhooks/${id}`,
      }
    }),
    ...about(underpaid, 'invoices_underpaid', 'invoices?status=underpaid'),
    ...balances
      // A payout spends from one network, so a surplus on another network does not help.
      .filter(({ networks }) => networks.some(({ availableUnits }) => availableUnits < 0n))
      .map(
        ({ currency }): Attention => ({
          ...one,
          kind: 'balance_negative',
          subject: currency,
          target: `balances/${currency}`,
        }),
      ),
  ]
}
