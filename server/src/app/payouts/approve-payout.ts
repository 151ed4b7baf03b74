import { lackOfApprovers, risksAmong } from '../../domain/approval-warnings.ts'
import type { Actor } from '../../domain/audit-log.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { approverRefusal, type PayoutPolicy } from '../../domain/payout-policy.ts'
import { approvalHash, type Payout, payoutTransitions } from '../../domain/payouts.ts'
import { say } from '../../domain/reasons/reasons.ts'
import { nextState } from '../../domain/transitions.ts'
import type { CoveringAssertion } from '../../store/payouts/payout-approvals.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noteAct } from '../audit/note-act.ts'
import { approversOf } from './approvers-of.ts'
import { noSuchPayout } from './get-payout.ts'
import { objectionOfBacking } from './judge-backing.ts'
import { objectionOfPolicy } from './judge-policy.ts'
import { payoutDetails } from './payout-details.ts'
import { type PresentFee, refuseDearer } from './present-cost.ts'
import { payoutEvent } from './tell.ts'
import { warnOfPayout } from './warn-of-payout.ts'

const waitsForSecond = say('approval_second')
const waitsForPasskey = say('passkey_needed')

export type Approval = {
  /** `user:<id>`, `cli:<name>`, or `test:<key id>` for the test helper. */
  readonly approver: string
  /** The `approvalHash` of the payout as shown to the approver; omitted where only its id is given. */
  readonly expectedHash?: string
  /** What the approver saw it cost, and what the network asks now; omitted where only its id is given. */
  readonly cost?: { readonly seenTotal: string; readonly now: PresentFee | null }
  /** The signature by the approver's passkey; the caller has checked it, and the signer checks it again. */
  readonly assertion?: CoveringAssertion
  /** Whether the person showed a factor for this very approval, as a risky payout needs; omitted where no session approves. */
  readonly isProved?: boolean
  /** The person, for the audit log; omitted where an API key approves in the test environment. */
  readonly by?: Actor
}

/**
 * Approves exactly this payout in one person's name. If the merchant's policy forbids it, or a second approval is missing,
 * the payout stays `pending_approval` with the reason. Throws while the balance does not cover the payout because a deposit
 * was reversed. A null owner means the operator.
 */
export async function approvePayout(
  app: App,
  owner: Pick<Caller, 'merchantId' | 'environment'> | null,
  id: string,
  { approver, expectedHash, cost, assertion, isProved, by }: Approval,
): Promise<Payout> {
  return app.transaction(async (tx) => {
    const held = await tx.payouts.lock(owner, id)
    if (held === null) throw noSuchPayout()
    const { payout, now } = held
    const status = nextState(payoutTransitions, payout.status, 'approve')
    if (status === null) throw new ServiceError('conflict', say('not_pending', { status: payout.status }))
    const hash = approvalHash(payout)
    if (expectedHash !== undefined && expectedHash !== hash)
      throw new ServiceError('conflict', say('payout_differs'))
    if (cost !== undefined) refuseDearer(payout, cost.seenTotal, cost.now)

    const policy = await tx.payoutPolicies.lock(payout)
    const approvals = await tx.payoutApprovals.list(id)
    const refusal = approverRefusal(payout, policy, approver, approvals)
    if (refusal !== null) throw new ServiceError('conflict', refusal.message)
    if (policy.approval === 'passkey' && assertion === undefined)
      throw new ServiceError('conflict', waitsForPasskey)
    const unbacked = await objectionOfBacking(app, tx, payout)
    if (unbacked !== null) throw new ServiceError('conflict', unbacked)
    const objection = await objectionOfPolicy(tx, payout, policy, now)
    if (objection !== null)
      return tx.payouts.change(payout.status, { id, status: payout.status, waitingReason: objection })

    if (isProved === false) await refuseRisky(tx, payout, policy, now)

    await tx.payoutApprovals.add(id, { approver, approvalHash: hash, assertion: assertion ?? null })
    const given = approvals.filter((each) => each.approvalHash === hash).length + 1
    const note = () => noteApproval(tx, payout, hash, by, assertion !== undefined)
    if (given < policy.approvalsRequired) {
      const approvers = await approversOf(tx, payout, policy)
      const [lack] = approvers === null ? [] : lackOfApprovers(approvers)
      const waiting = await tx.payouts.change(payout.status, {
        id,
        status: payout.status,
        waitingReason: lack?.message ?? waitsForSecond,
      })
      await note()
      return waiting
    }

    const approved = await tx.payouts.change(payout.status, {
      id,
      status,
      waitingReason: null,
      approvedAt: now,
      executableAt: new Date(now.getTime() + policy.coolingOffSeconds * 1000),
    })
    await tx.events.append(payoutEvent(app, 'payout.approved', approved))
    await note()
    // One that cools off is on the agenda.
    if (policy.coolingOffSeconds === 0) await tx.payouts.announceApproval()
    return approved
  })
}

/** Throws if something about the payout is so unusual that a session which was left open must not be enough to send it. */
async function refuseRisky(tx: Store, payout: Payout, policy: PayoutPolicy, now: Date): Promise<void> {
  const warnings = await warnOfPayout(tx, payout, policy, now)
  const [gravest] = risksAmong(warnings)
  const warning = warnings.find(({ code }) => code === gravest)
  if (warning === undefined) return
  throw new ServiceError(
    'step_up_required',
    `Approving this payout takes a second factor shown for it alone. ${warning.message}`,
  )
}

async function noteApproval(
  tx: Store,
  payout: Payout,
  hash: string,
  by: Actor | undefined,
  passkey: boolean,
) {
  if (by === undefined) return
  await noteAct(tx, by, payout.merchantId, {
    environment: payout.environment,
    action: 'payout.approved',
    subject: payout.id,
    details: { hash, passkey, ...payoutDetails(payout) },
  })
}
