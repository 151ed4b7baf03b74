import { approvalHash, type Payout } from '../domain/payouts.ts'
import type { Refusal } from '../domain/spends.ts'
import type { PayoutToSign } from '../store/spends/signing.ts'
import type { UnsignedTransaction } from '../store/spends/spends.ts'
import { demandFor, type PasskeyTrust, passkeyApprover } from './passkey-trust.ts'

const secondMs = 1_000

/** Why this spend may not pay a payout at this moment; null when it may. */
export function payoutObjection(
  payout: PayoutToSign,
  { spendId, gateId }: Pick<UnsignedTransaction, 'spendId' | 'gateId'>,
  trust: PasskeyTrust,
  now: Date,
): Refusal | null {
  if (payout.status !== 'processing' || payout.spendId !== spendId || payout.gateId !== gateId)
    return { reason: `Payout ${payout.id} is not being processed by this spend.`, isForGood: false }
  if (gateId !== `${payout.network}-${payout.environment}`)
    return { reason: `Payout ${payout.id} belongs to another network or environment.`, isForGood: false }
  // The operator of the signer can fix that, so the payout must not fail because of it.
  if (trust.relyingParty === null && demandFor(trust, payout).isRequired)
    return {
      reason: `Payout ${payout.id} needs passkeys, but this signer does not know the public URL of the service. Set SLUICE_PUBLIC_URL for it.`,
      isForGood: false,
    }
  const approved = approvedAt(payout, trust)
  const reason = typeof approved === 'string' ? approved : overPolicy(payout)
  if (reason !== null) return { reason, isForGood: true }
  return typeof approved === 'string' || !coolsOff(payout, approved, now)
    ? null
    : { reason: `Payout ${payout.id} is still in its cooling-off period.`, isForGood: false }
}

function coolsOff({ executableAt, policy }: PayoutToSign, approved: Date, now: Date): boolean {
  const free = Math.max(
    executableAt?.getTime() ?? Number.POSITIVE_INFINITY,
    approved.getTime() + policy.coolingOffSeconds * secondMs,
  )
  return free > now.getTime()
}

/** Why the merchant's policy does not allow the payout; null when it does. */
function overPolicy(payout: PayoutToSign): string | null {
  const { policy } = payout
  if (policy.onlyKnownDestinations && !payout.destinationIsKnown)
    return `Payout ${payout.id} goes to a destination that is not on its merchant's list.`
  if (policy.maxPayout !== null) {
    if (payout.amountInBaseCurrency === null)
      return `The value of payout ${payout.id} is unknown, so its merchant's limit cannot be checked.`
    if (payout.amountInBaseCurrency > policy.maxPayout)
      return `Payout ${payout.id} is over its merchant's limit.`
  }
  return null
}

/** When the last required approval was given; or, in words, what is missing. */
function approvedAt(payout: PayoutToSign, trust: PasskeyTrust): Date | string {
  const { isRequired, approvalsRequired } = demandFor(trust, payout)
  if (isRequired) return approvedByPasskeysAt(payout, trust, approvalsRequired)
  const expected = approvalHash(payout)
  const given = payout.approvals.filter(
    (approval) =>
      approval.approvalHash === expected && mayApprove(payout, approvalsRequired, approval.approver),
  )
  const last = given[approvalsRequired - 1]
  if (last !== undefined) return last.createdAt
  const other = payout.approvals.some((approval) => approval.approvalHash !== expected)
  return other
    ? `An approval of payout ${payout.id} does not match this payout.`
    : `Payout ${payout.id} has ${given.length} of ${approvalsRequired} approvals.`
}

/** The same for approvals with passkeys. The signer knows by itself whose each passkey is. */
function approvedByPasskeysAt(payout: PayoutToSign, trust: PasskeyTrust, required: number): Date | string {
  const hash = approvalHash(payout)
  const given = new Map<string, Date>()
  const problems: string[] = []
  for (const approval of payout.approvals) {
    const approver = passkeyApprover(trust, payout, hash, approval)
    if (typeof approver === 'string') problems.push(approver)
    else if (!mayApprove(payout, required, `user:${approver.userId}`))
      problems.push('it was given by the creator of the payout')
    else if (!given.has(approver.userId)) given.set(approver.userId, approval.createdAt)
  }
  const last = [...given.values()][required - 1]
  if (last !== undefined) return last
  const why = problems.length === 0 ? '' : ` Why others do not count: ${[...new Set(problems)].join('; ')}.`
  return `Payout ${payout.id} has ${given.size} of ${required} approvals with a passkey that this signer trusts.${why}`
}

/**
 * Whether this approver counts. Where two approvals are required, the creator may not be one of the approvers. The test
 * environment's helper never approves a live payout.
 */
function mayApprove(
  payout: Pick<Payout, 'environment' | 'createdBy'>,
  approvalsRequired: number,
  approver: string,
): boolean {
  if (payout.environment === 'live' && approver.startsWith('test:')) return false
  return approvalsRequired === 1 || personOf(approver) !== personOf(payout.createdBy)
}

// The test helper acts for the API key that calls it.
function personOf(name: string): string {
  return name.replace(/^test:/, 'key:')
}
