import { say, sayAll } from '../../domain/reasons/reasons.ts'
import { isBounded, type Safeguard } from '../../domain/spending-limits.ts'
import type { TooFewApprovers } from '../../store/payouts/passkey-enrolments.ts'
import type { App } from '../app.ts'
import { listShortfalls } from '../chain/list-shortfalls.ts'
import { standingOf } from './list-gates.ts'

/** Something the operator should look at. */
export type Alert = {
  readonly kind:
    | 'gate_halted'
    | 'gate_offline'
    | 'float_low'
    | 'payouts_waiting'
    | 'shortfall'
    | 'transaction_undone'
    | 'job_failing'
    | 'audit_failed'
    | 'audit_old'
    | 'live_payouts_stopped'
    | 'approvers_missing'
    | 'signer_setting_waits'
    | 'safeguard_waived'
    | 'one_database_role'
  readonly gateId: string | null
  readonly merchantId: string | null
  readonly count: number
  readonly since: Date | null
  /** What is wrong and what to do, in words. */
  readonly details: string
}

/** A due payout leaves within minutes; one that waits longer needs a person. */
const waitsLongSeconds = 10 * 60
/** A job that has failed this often will not recover by itself. */
const failedOften = 5
/** More merchants than this have the same problem. */
const maxMerchants = 20
const auditEveryMs = 7 * 24 * 60 * 60 * 1000

/** What the operator should look at, most urgent first; empty when all is well. */
export async function listAlerts(app: App): Promise<Alert[]> {
  const { attention, followedChains, auditLog, signerChanges, passkeyEnrolments } = app.store
  const [
    chains,
    low,
    waiting,
    shortfalls,
    undone,
    failing,
    audit,
    began,
    canRewriteBooks,
    weakened,
    unapprovable,
  ] = await Promise.all([
    followedChains.list(),
    attention.floatsLow(),
    attention.payoutsWaiting(waitsLongSeconds),
    listShortfalls(app),
    attention.undone(),
    attention.jobsFailing(failedOften),
    auditLog.lastAudit(),
    auditLog.beganAt(),
    attention.canRewriteBooks(),
    signerChanges.ofOperator(),
    passkeyEnrolments.tooFewApprovers('live', maxMerchants),
  ])
  const one = { gateId: null, merchantId: null, count: 1, since: null }
  const standings = app.gates.list().map(({ id }) => {
    const health = app.gates.status(id)
    const chain = chains.find(({ gateId }) => gateId === id)
    return { gateId: id, since: health.online ? null : health.since, chain, ...standingOf(health, chain) }
  })
  return [
    ...standings.flatMap(({ gateId, haltReason, chain, since }): Alert[] => {
      if (haltReason === null) return []
      // A gate on the wrong chain resumes by itself once its node is back: nothing was stored from the other chain.
      const todo = say(chain?.haltReason == null ? 'alert_wrong_chain' : 'alert_halted')
      return [{ ...one, kind: 'gate_halted', gateId, since, details: sayAll(haltReason, todo) }]
    }),
    ...shortfalls.map(
      ({ gateId, currency, amount }): Alert => ({
        ...one,
        kind: 'shortfall',
        gateId,
        details: say('alert_shortfall', { amount: `${amount} ${currency}` }),
      }),
    ),
    ...undone.map(
      ({ gateId, spendId, payoutId, reason }): Alert => ({
        ...one,
        kind: 'transaction_undone',
        gateId,
        details: sayAll(
          // Rows of older versions end without a point.
          reason.endsWith('.') ? reason : `${reason}.`,
          payoutId === null
            ? say('alert_check_spend', { spend: spendId })
            : say('alert_give_up', { payout: payoutId }),
        ),
      }),
    ),
    ...weakened.map(
      ({ subject, details, at, from }): Alert => ({
        ...one,
        kind: 'signer_setting_waits',
        since: at,
        details: sayAll(
          say('alert_setting_weakened', { setting: `${subject}: ${details}`, at: from.toISOString() }),
          say('alert_setting_undo'),
        ),
      }),
    ),
    ...safeguardAlerts(app),
    ...unapprovable.map(approversAlert),
    ...auditAlerts(audit, began, app.now()),
    ...standings.flatMap(({ gateId, offlineReason, since }): Alert[] => {
      if (offlineReason === null) return []
      const details = sayAll(offlineReason, say('alert_offline'))
      return [{ ...one, kind: 'gate_offline', gateId, since, details }]
    }),
    ...[...low].map(
      ([gateId, since]): Alert => ({
        ...one,
        kind: 'float_low',
        gateId,
        since,
        details: say('alert_float_low'),
      }),
    ),
    ...waiting.map(
      ({ gateId, merchantId, reason, count, since }): Alert => ({
        kind: 'payouts_waiting',
        gateId,
        merchantId,
        count,
        since,
        details: reason,
      }),
    ),
    ...failing.map(
      ({ kind, gateId, count, since }): Alert => ({
        ...one,
        kind: 'job_failing',
        gateId,
        count,
        since,
        details: say('alert_job_failing', { kind }),
      }),
    ),
    ...(canRewriteBooks
      ? [{ ...one, kind: 'one_database_role', details: say('alert_one_database_role') } as const]
      : []),
  ]
}

/** What the configuration of this process says about live payouts; the signer reads its own. */
function safeguardAlerts({
  gates,
  safeguards: { waived, limits },
}: Pick<App, 'gates' | 'safeguards'>): Alert[] {
  const one = { merchantId: null, count: 1, since: null }
  const live = gates.list().filter(({ environment }) => environment === 'live')
  if (live.length === 0) return []
  const stopped = waived.includes('limits')
    ? []
    : live.flatMap(({ id: gateId, network, environment, assets }): Alert[] => {
        const unbounded = assets
          .map(({ currency }) => currency)
          .filter((currency) => !isBounded(limits, { network: network.id, environment, currency }))
        if (unbounded.length === 0) return []
        const details = say('alert_unbounded', { currencies: unbounded.join(' or ') })
        return [{ ...one, kind: 'live_payouts_stopped', gateId, details }]
      })
  return [
    ...waived.map(
      (safeguard): Alert => ({ ...one, kind: 'safeguard_waived', gateId: null, details: waivers[safeguard] }),
    ),
    ...stopped,
  ]
}

function approversAlert({ merchantId, name, required, people }: TooFewApprovers): Alert {
  const details = say('alert_approvers', { merchant: name, required, able: people, id: merchantId })
  return { kind: 'approvers_missing', gateId: null, merchantId, count: 1, since: null, details }
}

const waivers: Readonly<Record<Safeguard, string>> = {
  limits: say('alert_limits_waived'),
  passkeys: say('alert_passkeys_waived'),
}

function auditAlerts(
  audit: { readonly at: Date; readonly ok: boolean } | null,
  began: Date,
  now: Date,
): Alert[] {
  const about = { gateId: null, merchantId: null, count: 1, since: audit?.at ?? null }
  if (audit !== null && !audit.ok)
    return [
      {
        ...about,
        kind: 'audit_failed',
        details: say('alert_audit_failed'),
      },
    ]
  if (now.getTime() - (audit?.at ?? began).getTime() <= auditEveryMs) return []
  return [
    {
      ...about,
      kind: 'audit_old',
      details: say('alert_audit_old'),
    },
  ]
}
