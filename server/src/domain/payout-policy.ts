import { fiatMinorDigits } from './fiat.ts'
import { formatFixed } from './money.ts'
import type { Payout } from './payouts.ts'

/** What a merchant's people have agreed on for letting money out. Limits are in minor units of its base currency. */
export type PayoutPolicy = {
  /** The most one payout may be worth; null for no limit. */
  readonly maxPayout: bigint | null
  /** The most that may be approved in any 24 hours. */
  readonly maxDay: bigint | null
  readonly onlyKnownDestinations: boolean
  /** With two, neither of them may be who created the payout. */
  readonly approvalsRequired: number
  /** How long an approved payout waits before it is carried out. */
  readonly coolingOffSeconds: number
  /** `passkey`: an approval is signed by the person's passkey, and the signer checks it by itself. */
  readonly approval: ApprovalKind
}

export const approvalKinds = ['any', 'passkey'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** What holds for a merchant that has agreed on nothing. */
export const noPolicy: PayoutPolicy = {
  maxPayout: null,
  maxDay: null,
  onlyKnownDestinations: false,
  approvalsRequired: 1,
  coolingOffSeconds: 0,
  approval: 'any',
}

/** What a policy is judged with: the merchant's base currency now, what was approved lately, and whom it knows. */
export type PolicyFacts = {
  readonly baseCurrency: string
  readonly approvedInADay: bigint
  readonly destinationIsKnown: boolean
}

/** Why a policy does not let a payout go, in words for a person; null when it does. */
export function policyObjection(
  payout: Pick<Payout, 'amountInBaseCurrency' | 'baseCurrency'>,
  { maxPayout, maxDay, onlyKnownDestinations }: PayoutPolicy,
  { baseCurrency, approvedInADay, destinationIsKnown }: PolicyFacts,
): string | null {
  if (onlyKnownDestinations && !destinationIsKnown)
    return 'Its destination is none of those that payouts may go to.'
  if (maxPayout === null && maxDay === null) return null
  const value = payout.amountInBaseCurrency
  if (value === null)
    return 'There was no exchange rate when it was created, so its value cannot be held against the limits.'
  if (payout.baseCurrency !== baseCurrency)
    return `Its value was noted in ${payout.baseCurrency}, and the limits are in ${baseCurrency}.`
  const shown = (amount: bigint) =>
    `${formatFixed(amount, fiatMinorDigits(baseCurrency) ?? 2)} ${baseCurrency}`
  if (maxPayout !== null && value > maxPayout)
    return `It is worth ${shown(value)}, and no payout may be worth more than ${shown(maxPayout)}.`
  if (maxDay !== null && approvedInADay + value > maxDay)
    return `It is worth ${shown(value)}, ${shown(approvedInADay)} were approved in the last 24 hours, and no more than ${shown(maxDay)} may be.`
  return null
}

/** Why somebody cannot approve a payout, in words for that person; null when they can. */
export function approverObjection(
  payout: Pick<Payout, 'createdBy'>,
  { approvalsRequired }: Pick<PayoutPolicy, 'approvalsRequired'>,
  approver: string,
  approvals: readonly { readonly approver: string }[],
): string | null {
  if (approvals.some((each) => each.approver === approver))
    return 'You have approved this payout already. Somebody else has to.'
  if (approvalsRequired > 1 && approver === payout.createdBy)
    return 'Whoever created a payout cannot approve it where two approvals are required.'
  return null
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
      ? 'They approve with a passkey that the signer knows.'
      : 'They show a second factor.',
    ...(maxPayout === null ? [] : [`A payout may be worth at most ${shown(maxPayout)}.`]),
    ...(maxDay === null ? [] : [`At most ${shown(maxDay)} may be approved in 24 hours.`]),
    ...(policy.onlyKnownDestinations ? ['Only known destinations may be paid.'] : []),
    ...(coolingOffSeconds === 0
      ? []
      : [`It is carried out ${coolingOffSeconds} seconds after its approval.`]),
  ]
}
