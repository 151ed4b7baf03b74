import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type PayoutPolicy, policyObjection } from '../../domain/payout-policy.ts'
import { approvalHash, type Payout, payoutTransitions } from '../../domain/payouts.ts'
import { nextState } from '../../domain/transitions.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import { noSuchPayout } from './get-payout.ts'
import { payoutEvent } from './tell.ts'

const dayMs = 24 * 60 * 60 * 1000
const waitsForSecond = 'Waits for a second approval.'

export type Approval = {
  /** `user:<id>`, `cli:<name>`, or `test:<key id>` for the test helper. */
  readonly approver: string
  /** What the approver was shown, as `approvalHash` names it; left out where the payout is named by its id alone. */
  readonly expectedHash?: string
}

/**
 * Lets a payout go, in one person's name. It covers exactly this payout. Over the merchant's policy, or while a second
 * approval is missing, the payout stays `pending_approval` and says why. Without an owner it is the operator who asks.
 */
export async function approvePayout(
  app: App,
  owner: Pick<Caller, 'merchantId' | 'environment'> | null,
  id: string,
  { approver, expectedHash }: Approval,
): Promise<Payout> {
  return app.transaction(async (tx) => {
    const held = await tx.payouts.lock(owner, id)
    if (held === null) throw noSuchPayout()
    const { payout, now } = held
    const status = nextState(payoutTransitions, payout.status, 'approve')
    if (status === null)
      throw new ServiceError(
        'conflict',
        `Only a payout that waits for approval can be approved; this one is ${payout.status}.`,
      )
    const hash = approvalHash(payout)
    if (expectedHash !== undefined && expectedHash !== hash)
      throw new ServiceError('conflict', 'This is not the payout that was shown. Look at it again.')

    const policy = await tx.payoutPolicies.lock(payout)
    const approvals = await tx.payoutApprovals.list(id)
    refuseApprover(payout, policy, approver, approvals)
    const objection = await objectionOf(tx, payout, policy, now)
    if (objection !== null)
      return tx.payouts.change(payout.status, { id, status: payout.status, waitingReason: objection })

    await tx.payoutApprovals.add(id, { approver, approvalHash: hash })
    const given = approvals.filter((each) => each.approvalHash === hash).length + 1
    if (given < policy.approvalsRequired)
      return tx.payouts.change(payout.status, { id, status: payout.status, waitingReason: waitsForSecond })

    const approved = await tx.payouts.change(payout.status, {
      id,
      status,
      waitingReason: null,
      approvedAt: now,
      executableAt: new Date(now.getTime() + policy.coolingOffSeconds * 1000),
    })
    await tx.events.append(payoutEvent(app, 'payout.approved', approved))
    return approved
  })
}

function refuseApprover(
  payout: Payout,
  { approvalsRequired }: PayoutPolicy,
  approver: string,
  approvals: readonly { readonly approver: string }[],
): void {
  if (approvals.some((each) => each.approver === approver))
    throw new ServiceError('conflict', 'You have approved this payout already. Somebody else has to.')
  if (approvalsRequired > 1 && approver === payout.createdBy)
    throw new ServiceError(
      'conflict',
      'Whoever created a payout cannot approve it where two approvals are required.',
    )
}

async function objectionOf(
  tx: Store,
  payout: Payout,
  policy: PayoutPolicy,
  now: Date,
): Promise<string | null> {
  const merchant = await tx.merchants.find(payout.merchantId)
  if (merchant === null) throw new Error(`Payout ${payout.id} belongs to nobody.`)
  const { baseCurrency } = merchant
  return policyObjection(payout, policy, {
    baseCurrency,
    approvedInADay:
      policy.maxDay === null
        ? 0n
        : await tx.payouts.approvedValue({ ...payout, baseCurrency }, new Date(now.getTime() - dayMs)),
    destinationIsKnown:
      !policy.onlyKnownDestinations ||
      (await tx.payoutPolicies.knows(payout, {
        network: payout.network,
        address: payout.destination,
        tag: payout.destinationTag,
      })),
  })
}
