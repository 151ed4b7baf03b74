import type { ApprovalWarning } from '../../domain/approval-warnings.ts'
import type { Caller } from '../../domain/caller.ts'
import { type ApproverRefusal, approverRefusal, type PayoutPolicy } from '../../domain/payout-policy.ts'
import { approvalHash, type Payout, type Refund } from '../../domain/payouts.ts'
import type { NotedRejection } from '../../store/audit/audit-log.ts'
import type { PayoutApproval } from '../../store/payouts/payout-approvals.ts'
import type { App } from '../app.ts'
import { merchantNow } from '../test-clock/merchant-now.ts'
import { getPayout } from './get-payout.ts'
import { readBacking } from './judge-backing.ts'
import { objectionOfPolicy } from './judge-policy.ts'
import { costNow, type FeeReader } from './present-cost.ts'
import { warnOfPayout } from './warn-of-payout.ts'

/** Everything an approver must see about a payout. */
export type PayoutReview = {
  readonly payout: Payout
  readonly hash: string
  /** What the network gets at most, and everything it costs, if it left now. */
  readonly cost: { readonly feeUnits: bigint; readonly totalUnits: bigint }
  readonly refund: Refund | null
  readonly approvals: readonly PayoutApproval[]
  /** Who rejected it on the dashboard, and why. */
  readonly rejection: NotedRejection | null
  readonly policy: PayoutPolicy
  /** The merchant's current base currency, in which the policy's limits are expressed. */
  readonly baseCurrency: string
  /** Why it could not leave now: the balance does not cover it, or the policy forbids it. */
  readonly objection: string | null
  /** Why the caller cannot approve it. */
  readonly mayNotBecause: ApproverRefusal | null
  /** What to look at before approving it; none once it is decided. */
  readonly warnings: readonly ApprovalWarning[]
  /** Display names of the creator and the approvers, where they have names. */
  readonly names: ReadonlyMap<string, string>
}

/** Collects everything needed to decide on one payout. */
export async function reviewPayout(
  app: App,
  readFee: FeeReader,
  caller: Caller,
  id: string,
): Promise<PayoutReview> {
  const { store } = app
  const now = await merchantNow(app, caller)
  const payout = await getPayout(app, caller, id)
  const approvals = await store.payoutApprovals.list(payout.id)
  const policy = await store.payoutPolicies.find(caller)
  return {
    payout,
    hash: approvalHash(payout),
    cost: costNow(payout, await readFee(payout)),
    refund: payout.refundId === null ? null : await store.refunds.find(caller, payout.refundId),
    approvals,
    rejection:
      payout.status === 'cancelled' ? await store.auditLog.rejectionOf(caller.merchantId, payout.id) : null,
    policy,
    baseCurrency: caller.merchant.baseCurrency,
    objection:
      payout.status === 'pending_approval'
        ? ((await readBacking(app, payout)) ?? (await objectionOfPolicy(store, payout, policy, now)))
        : null,
    mayNotBecause:
      payout.status === 'pending_approval'
        ? approverRefusal(payout, policy, caller.actor, approvals)
        : { code: 'decided', message: `It is ${payout.status}.` },
    warnings: await warnOfPayout(store, payout, policy, now),
    names: await store.approvalFacts.namesOf([
      payout.createdBy,
      ...approvals.map(({ approver }) => approver),
    ]),
  }
}
