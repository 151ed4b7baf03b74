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

const oneDatabaseRole =
  'The service’s database role owns the tables, so a stolen DATABASE_URL can rewrite the books. Set DATABASE_MIGRATION_URL to ' +
  'a second role that owns them.'

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
      const todo =
        chain?.haltReason == null
          ? 'Nothing is credited or paid on this network until its node is on the right chain; then it resumes by itself.'
          : 'Nothing is credited or expired on this network until you investigate and resume it: sluice gate resume.'
      return [{ ...one, kind: 'gate_halted', gateId, since, details: `${haltReason} ${todo}` }]
    }),
    ...shortfalls.map(
      ({ gateId, currency, amount }): Alert => ({
        ...one,
        kind: 'shortfall',
        gateId,
        details: `Its addresses hold ${amount} ${currency} less on chain than the books say. Find out where the funds went.`,
      }),
    ),
    ...undone.map(
      ({ gateId, spendId, payoutId, reason }): Alert => ({
        ...one,
        kind: 'transaction_undone',
        gateId,
        details: `${reason}. ${payoutId === null ? `Check spend ${spendId}.` : `If its payout was not paid another way, end it as failed: sluice payout give-up ${payoutId}.`}`,
      }),
    ),
    ...weakened.map(
      ({ subject, details, at, from }): Alert => ({
        ...one,
        kind: 'signer_setting_waits',
        since: at,
        details: `signer.${subject}: ${details}, from ${from.toISOString()} on. If this was not you, put the old value back in the signer’s SLUICE_CONFIG before then, and restart the signer.`,
      }),
    ),
    ...safeguardAlerts(app),
    ...unapprovable.map(approversAlert),
    ...auditAlerts(audit, began, app.now()),
    ...standings.flatMap(({ gateId, offlineReason, since }): Alert[] => {
      if (offlineReason === null) return []
      const details = `${offlineReason} Meanwhile, new invoices on this network are refused.`
      return [{ ...one, kind: 'gate_offline', gateId, since, details }]
    }),
    ...[...low].map(
      ([gateId, since]): Alert => ({
        ...one,
        kind: 'float_low',
        gateId,
        since,
        details:
          'The float is low. Send the network’s native currency to the hot wallet before sweeps and payouts have to wait.',
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
        details: `Jobs of the kind ${kind} keep failing. The log says why.`,
      }),
    ),
    ...(canRewriteBooks ? [{ ...one, kind: 'one_database_role', details: oneDatabaseRole } as const] : []),
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
        const details =
          `No limit bounds how much ${unbounded.join(' or ')} leaves, so the signer does not sign such payouts. 1. Set per_day ` +
          'for each currency in signer.limits of the signer’s SLUICE_CONFIG. 2. Restart Sluice. 3. Have every approver add a ' +
          'passkey, and trust the first one of each merchant at the signer: sluice passkey trust.'
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
  const details =
    `No live payout of ${name} can be approved: ${required} people must, with passkeys that the signer trusts, and ${people} can. ` +
    '1. Have another approver of the merchant add a passkey. 2. Compare its fingerprint with them. 3. At the signer: sluice ' +
    `passkey trust FINGERPRINT --merchant ${merchantId} --environment live. In live it counts a day later.`
  return { kind: 'approvers_missing', gateId: null, merchantId, count: 1, since: null, details }
}

const waivers: Readonly<Record<Safeguard, string>> = {
  limits:
    'The signer signs live payouts in currencies that no limit bounds: forged approvals can take everything. Set ' +
    'signer.limits, and remove "limits" from signer.waive in SLUICE_CONFIG.',
  passkeys:
    'The signer signs live payouts without passkeys: an attacker with the database’s password can approve them, up to the limits. ' +
    'Have every approver add a passkey, and remove "passkeys" from signer.waive in SLUICE_CONFIG.',
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
        details: 'The last audit found differences in the books or the audit log. Run: sluice audit',
      },
    ]
  if (now.getTime() - (audit?.at ?? began).getTime() <= auditEveryMs) return []
  return [
    {
      ...about,
      kind: 'audit_old',
      details:
        'The books and the audit log have not been checked for a week. Run sluice audit --json and keep its output elsewhere.',
    },
  ]
}
