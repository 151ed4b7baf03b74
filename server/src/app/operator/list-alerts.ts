import type { App } from '../app.ts'
import { listShortfalls } from '../chain/list-shortfalls.ts'
import { standingOf } from './list-gates.ts'

/** Something that whoever runs the service should look at. */
export type Alert = {
  readonly kind:
    | 'gate_halted'
    | 'gate_offline'
    | 'float_low'
    | 'payouts_waiting'
    | 'shortfall'
    | 'transaction_undone'
    | 'work_failing'
    | 'audit_failed'
    | 'audit_old'
  readonly gateId: string | null
  readonly merchantId: string | null
  readonly count: number
  readonly since: Date | null
  /** What is wrong and what to do, in words. */
  readonly details: string
}

/** A payout whose time has come leaves within minutes; one that waits longer waits for somebody. */
const waitsLongSeconds = 10 * 60
/** Work that failed so often does not mend by itself. */
const failedOften = 5
const auditEveryMs = 7 * 24 * 60 * 60 * 1000

/** What the operator should look at, the most pressing first; nothing when all is well. */
export async function listAlerts(app: App): Promise<Alert[]> {
  const { attention, followedChains, auditLog } = app.store
  const [chains, low, waiting, shortfalls, undone, failing, audit] = await Promise.all([
    followedChains.list(),
    attention.floatsLow(),
    attention.payoutsWaiting(waitsLongSeconds),
    listShortfalls(app),
    attention.undone(),
    attention.workFailing(failedOften),
    auditLog.lastAudit(),
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
      // On the right chain again it goes on by itself: nothing was taken from the other one.
      const todo =
        chain?.haltReason == null
          ? 'Nothing of this network is credited or paid until its node is on the right chain; then it goes on by itself.'
          : 'Nothing of this network is credited or expired until you have looked at it: sluice gate resume.'
      return [{ ...one, kind: 'gate_halted', gateId, since, details: `${haltReason} ${todo}` }]
    }),
    ...shortfalls.map(
      ({ gateId, currency, amount }): Alert => ({
        ...one,
        kind: 'shortfall',
        gateId,
        details: `Its addresses have ${amount} ${currency} less on chain than the books say. Look at what has left them.`,
      }),
    ),
    ...undone.map(
      ({ gateId, spendId, payoutId, reason }): Alert => ({
        ...one,
        kind: 'transaction_undone',
        gateId,
        details: `${reason}. ${payoutId === null ? `Look at spend ${spendId}.` : `If its payout was not paid another way, end it as failed: sluice payout give-up ${payoutId}.`}`,
      }),
    ),
    ...auditAlerts(audit, app.now()),
    ...standings.flatMap(({ gateId, offlineReason, since }): Alert[] => {
      if (offlineReason === null) return []
      const details = `${offlineReason} New invoices of this network are refused meanwhile.`
      return [{ ...one, kind: 'gate_offline', gateId, since, details }]
    }),
    ...[...low].map(
      ([gateId, since]): Alert => ({
        ...one,
        kind: 'float_low',
        gateId,
        since,
        details:
          'The float is low. Send the network’s own coin to the hot wallet before sweeps and payouts have to wait.',
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
        kind: 'work_failing',
        gateId,
        count,
        since,
        details: `Work of the kind ${kind} fails again and again. The log says why.`,
      }),
    ),
  ]
}

function auditAlerts(audit: { readonly at: Date; readonly ok: boolean } | null, now: Date): Alert[] {
  const about = { gateId: null, merchantId: null, count: 1, since: audit?.at ?? null }
  if (audit !== null && !audit.ok)
    return [
      {
        ...about,
        kind: 'audit_failed',
        details: 'The last audit found differences in the books or the audit log. Run: sluice audit',
      },
    ]
  if (audit !== null && now.getTime() - audit.at.getTime() <= auditEveryMs) return []
  return [
    {
      ...about,
      kind: 'audit_old',
      details:
        'Books and audit log were not checked for a week. Run: sluice audit --json, and keep what it prints elsewhere.',
    },
  ]
}
