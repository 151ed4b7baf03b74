import { fiatMinorDigits } from './fiat.ts'
import { formatFixed } from './money.ts'
import type { Payout } from './payouts.ts'
import { say } from './reasons/reasons.ts'

/** A merchant's rules for payouts. Limits are in minor units of its base currency. */
export type PayoutPolicy = {
  /** The most one payout may be worth; null for no limit. */
  readonly maxPayout: bigint | null
  /** The most that may be approved in any 24 hours. */
  readonly maxDay: bigint | null
  readonly onlyKnownDestinations: boolean
  /** With two, the creator of the payout may not be one of the approvers. */
  readonly approvalsRequired: number
  /** How long an approved payout waits before it is executed. */
  readonly coolingOffSeconds: number
  /** `passkey`: the approver's passkey signs the approval, and the signer verifies that signature itself. */
  readonly approval: ApprovalKind
}

export const approvalKinds = ['any', 'passkey'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** The policy of a merchant that has set none. */
export const noPolicy: PayoutPolicy = {
  maxPayout: null,
  maxDay: null,
  onlyKnownDestinations: false,
  approvalsRequired: 1,
  coolingOffSeconds: 0,
  approval: 'any',
}

/** What a policy check needs: the current base currency, recent approvals, and whether the destination is known. */
export type PolicyFacts = {
  readonly baseCurrency: string
  readonly approvedInADay: bigint
  readonly destinationIsKnown: boolean
}

/** Why a policy does not allow a payout, in words for a person; null when it does. */
export function policyObjection(
  payout: Pick<Payout, 'amountInBaseCurrency' | 'baseCurrency'>,
  { maxPayout, maxDay, onlyKnownDestinations }: PayoutPolicy,
  { baseCurrency, approvedInADay, destinationIsKnown }: PolicyFacts,
): string | null {
  if (onlyKnownDestinations && !destinationIsKnown) return say('policy_destination')
  if (maxPayout === null && maxDay === null) return null
  const value = payout.amountInBaseCurrency
  if (value === null) return say('policy_no_value')
  if (payout.baseCurrency !== baseCurrency)
    return say('policy_other_currency', { currency: payout.baseCurrency, base: baseCurrency })
  const shown = (amount: bigint) =>
    `${formatFixed(amount, fiatMinorDigits(baseCurrency) ?? 2)} ${baseCurrency}`
  if (maxPayout !== null && value > maxPayout)
    return say('policy_max_payout', { amount: shown(value), limit: shown(maxPayout) })
  if (maxDay !== null && approvedInADay + value > maxDay)
    return say('policy_max_day', {
      amount: shown(value),
      approved: shown(approvedInADay),
      limit: shown(maxDay),
    })
  return null
}

/** Why a person cannot approve a payout: a code, and words for that person. */
export type ApproverRefusal = {
  readonly code: 'approved_already' | 'created_it' | 'decided'
  readonly message: string
}

/** Why a person cannot approve a payout that waits for approval; null when they can. */
export function approverRefusal(
  payout: Pick<Payout, 'createdBy'>,
  { approvalsRequired }: Pick<PayoutPolicy, 'approvalsRequired'>,
  approver: string,
  approvals: readonly { readonly approver: string }[],
): ApproverRefusal | null {
  if (approvals.some((each) => each.approver === approver))
    return {
      code: 'approved_already',
      message: say('approved_already'),
    }
  if (approvalsRequired > 1 && approver === payout.createdBy)
    return {
      code: 'created_it',
      message: say('created_it'),
    }
  return null
}

/** The rules in which two policies differ. */
export function changedRules(before: PayoutPolicy, after: PayoutPolicy): (keyof PayoutPolicy)[] {
  return (Object.keys(noPolicy) as (keyof PayoutPolicy)[]).filter((rule) => before[rule] !== after[rule])
}

/** A policy in sentences. */
export function policyInWords(policy: PayoutPolicy, baseCurrency: string): string[] {
  const { maxPayout, maxDay, approvalsRequired, coolingOffSeconds } = policy
  const shown = (amount: bigint) =>
    `${formatFixed(amount, fiatMinorDigits(baseCurrency) ?? 2)} ${baseCurrency}`
  return [
    approvalsRequired === 1
      ? 'One person approves a payout.'
      : `${approvalsRequired} different people approve a payout, none of whom created it.`,
    policy.approval === 'passkey'
      ? 'Approval needs a passkey that the signer trusts.'
      : 'Approval needs a second factor.',
    ...(maxPayout === null ? [] : [`A payout may be worth at most ${shown(maxPayout)}.`]),
    ...(maxDay === null ? [] : [`At most ${shown(maxDay)} may be approved in 24 hours.`]),
    ...(policy.onlyKnownDestinations ? ['Only known destinations may be paid.'] : []),
    ...(coolingOffSeconds === 0
      ? []
      : [`A payout is executed ${durationInWords(coolingOffSeconds)} after its approval.`]),
  ]
}

/** A duration in the largest unit that it fills whole: `24 hours`. */
function durationInWords(seconds: number): string {
  const units = [
    ['hour', 3600],
    ['minute', 60],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds % length === 0) ?? ['second', 1]
  const count = seconds / size
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}
