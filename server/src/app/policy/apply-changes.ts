import type { Actor } from '../../domain/audit-log.ts'
import { changedRules, policyInWords } from '../../domain/payout-policy.ts'
import {
  type PolicyChange,
  policyChangeTransitions,
  proposeAgain,
  staleness,
} from '../../domain/policy-changes.ts'
import { nextState } from '../../domain/transitions.ts'
import type { DueChange } from '../../store/payouts/policy-changes.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { placeInWords } from '../payouts/read-destination.ts'
import { endChange } from './end-change.ts'
import { tellChange } from './tell-change.ts'

const batchSize = 20
const service: Actor = { actor: 'service:policy', name: 'Payout policy', ip: null, userAgent: null }

type Tools = Pick<App, 'store' | 'transaction' | 'now' | 'people' | 'assets'>

/**
 * Applies the changes whose time has come, each in one transaction. Safe to run in several processes at once: one of them
 * applies a change, the others find it applied. Returns how many were applied; throws after the others if one failed.
 */
export async function applyPolicyChanges(app: Tools): Promise<number> {
  let applied = 0
  const failures: unknown[] = []
  // One that fails must not hold up the others.
  for (const due of await app.store.policyChanges.due(app.now(), batchSize))
    await applyOne(due).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return applied

  async function applyOne({ id, merchantId, environment }: DueChange): Promise<void> {
    const isApplied = await app.transaction(async (tx) => {
      await tx.members.hold(merchantId)
      const change = await tx.policyChanges.find({ merchantId, environment }, id)
      if (change === null || change.status !== 'waiting') return false
      return (await applyChange(app, tx, change)).status === 'applied'
    })
    if (isApplied) applied++
  }
}

/** Applies one change, or supersedes it if the policy was tightened behind its back. The caller holds the merchant. */
export async function applyChange(
  app: Pick<App, 'now' | 'people' | 'assets'>,
  tx: Store,
  change: PolicyChange,
): Promise<PolicyChange> {
  const status = nextState(policyChangeTransitions, change.status, 'apply')
  if (status === null) throw new Error(`A change that is ${change.status} cannot be applied.`)
  const merchant = await tx.merchants.find(change.merchantId)
  if (merchant === null) throw new Error(`The merchant of change ${change.id} does not exist.`)
  const inForce = await tx.payoutPolicies.lock(change)
  const approvals = await tx.policyChanges.approvals(change.id)
  const stale = staleness(change, approvals.length, inForce, merchant.baseCurrency)
  if (stale !== null)
    return endChange(app, tx, change, {
      trigger: 'supersede',
      by: service,
      reason: `${stale} ${proposeAgain}`,
    })
  const { wanted } = change
  if (wanted.kind === 'policy') await tx.payoutPolicies.set(change, wanted.policy)
  else await tx.payoutPolicies.addDestination(change, { ...wanted.place, label: wanted.label })
  const applied = { ...change, status, endedAt: app.now() }
  await tx.policyChanges.change(change.id, applied)
  await tellChange(app, tx, applied, { stage: 'applied', by: null, inForce })
  const agreed = { change: change.id, approved_by: approvals.map(({ approver }) => approver) }
  await noteAct(tx, service, change.merchantId, {
    environment: change.environment,
    ...(wanted.kind === 'policy'
      ? {
          action: 'policy.changed',
          subject: null,
          details: {
            changed: changedRules(inForce, wanted.policy),
            before: policyInWords(inForce, merchant.baseCurrency),
            after: policyInWords(wanted.policy, merchant.baseCurrency),
            ...agreed,
          },
        }
      : {
          action: 'destination.added',
          subject: wanted.place.address,
          details: { destination: placeInWords(wanted.place), label: wanted.label, ...agreed },
        }),
  })
  return applied
}
