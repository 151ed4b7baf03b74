import { divide, formatDecimal } from './money.ts'
import { chargedUnits, type Payout } from './payouts.ts'
import { say } from './reasons/reasons.ts'
import { likenessOf } from './resembling.ts'

const warningCodes = [
  'destination_new',
  'destination_resembles',
  'destination_other_tag',
  'destination_program',
  'over_usual',
  'paid_already',
  'key_new',
  'balance_share',
  'balance_negative',
  'approvers_missing',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** The warnings about money that may go astray for good, gravest first. */
export const riskCodes = [
  'destination_resembles',
  'destination_program',
  'destination_other_tag',
  'destination_new',
  'over_usual',
  'paid_already',
] as const satisfies readonly WarningCode[]
export type RiskCode = (typeof riskCodes)[number]

/** Something the approver of a payout should check, with the values that the message mentions. */
export type ApprovalWarning = {
  readonly code: WarningCode
  readonly message: string
  readonly values: Readonly<Record<string, string>>
}

type Place = { readonly address: string; readonly tag: string | null }

/** The facts that warnings are derived from. */
export type ApprovalFacts = {
  readonly now: Date
  /** How often the merchant has paid to exactly this destination and tag before. */
  readonly paidBefore: number
  /** Destinations on this network that the merchant has paid before or has listed as known. */
  readonly otherPlaces: readonly (Place & { readonly label: string | null })[]
  /** The merchant's payouts in this currency over the last 90 days; null when there were none. */
  readonly usual: {
    readonly count: number
    readonly largestUnits: bigint
    readonly percentile95Units: bigint
  } | null
  /** Other payouts of the same amount to the same destination, created within 24 hours of this one. */
  readonly twins: readonly { readonly id: string; readonly createdAt: Date }[]
  /** When the API key that created the payout was made, by the merchant's clock; null when no key created it. */
  readonly keyMadeAt: Date | null
  /** What the merchant has available now, without this payout's reserve; negative when spent funds were reversed. */
  readonly availableUnits: bigint
  /** How many people have to approve it with trusted passkeys, and how many could; null where none are needed. */
  readonly approvers: { readonly needed: number; readonly able: number } | null
}

const usualTimes = 3n
const dayMs = 24 * 60 * 60 * 1000
const maxLookalikes = 3

/** All warnings that the approver of a payout should see. */
export function approvalWarnings(payout: Payout, facts: ApprovalFacts): ApprovalWarning[] {
  return [
    ...(facts.approvers === null ? [] : lackOfApprovers(facts.approvers)),
    ...destinationWarnings(payout, facts),
    ...[overUsual(payout, facts), newKey(payout, facts), balanceShare(payout, facts)].filter(
      (warning) => warning !== null,
    ),
    ...facts.twins.map(({ id, createdAt }): ApprovalWarning => {
      const values = { payout_id: id, created_at: createdAt.toISOString() }
      return {
        code: 'paid_already',
        message: `Payout ${id}, created within 24 hours of this one, sends the same amount to the same destination.`,
        values,
      }
    }),
  ]
}

/** Those of the warnings for which an approval takes a factor of its own, gravest first. */
export function risksAmong(warnings: readonly ApprovalWarning[]): RiskCode[] {
  const found = new Set(warnings.map(({ code }) => code))
  return riskCodes.filter((code) => found.has(code))
}

/** Says that too few people could approve a payout, and what to do; empty when there are enough. */
export function lackOfApprovers({
  needed,
  able,
}: NonNullable<ApprovalFacts['approvers']>): ApprovalWarning[] {
  if (able >= needed) return []
  const values = { needed: String(needed), able: String(able) }
  const message =
    needed === 1 ? say('approvers_missing_one', { able }) : say('approvers_missing', { needed, able })
  return [{ code: 'approvers_missing', message, values }]
}

function destinationWarnings(payout: Payout, { paidBefore, otherPlaces }: ApprovalFacts): ApprovalWarning[] {
  const { destination, destinationTag } = payout
  const warnings: ApprovalWarning[] = []
  if (paidBefore === 0)
    warnings.push({
      code: 'destination_new',
      message: 'This destination has never been paid before.',
      values: { destination, ...(destinationTag !== null && { tag: destinationTag }) },
    })
  if (payout.allowProgramAddress)
    warnings.push({
      code: 'destination_program',
      message:
        'A program controls this destination. If that program does not belong to a wallet of the recipient’s, the money is lost.',
      values: { destination },
    })
  const otherTag = otherPlaces.find(({ address, tag }) => address === destination && tag !== destinationTag)
  if (otherTag !== undefined && paidBefore === 0)
    warnings.push({
      code: 'destination_other_tag',
      message: 'This address is known with a different tag. The tag may decide who receives the money.',
      values: { tag: destinationTag ?? '', other_tag: otherTag.tag ?? '' },
    })
  const alike = otherPlaces
    .map((place) => ({ ...place, likeness: likenessOf(destination, place.address) }))
    .filter(({ likeness }) => likeness !== null)
    .slice(0, maxLookalikes)
  for (const { address, label, likeness } of alike)
    warnings.push({
      code: 'destination_resembles',
      message: `This destination looks like ${address}${label === null ? '' : ` (${label})`}, but it is a different address. Compare every character.`,
      values: { other: address, likeness: likeness as string, ...(label !== null && { label }) },
    })
  return warnings
}

function overUsual(payout: Payout, { usual }: ApprovalFacts): ApprovalWarning | null {
  if (usual === null) return null
  const { amountUnits, currency, decimals } = payout
  const overLargest = amountUnits > usual.largestUnits * usualTimes
  if (!overLargest && amountUnits <= usual.percentile95Units * usualTimes) return null
  const shown = (units: bigint) => formatDecimal(units, decimals)
  const compared = overLargest ? usual.largestUnits : usual.percentile95Units
  const times = divide(amountUnits, compared, 'down').toString()
  return {
    code: 'over_usual',
    message: overLargest
      ? `The amount is more than ${times} times the largest of ${usual.count} payouts in the last 90 days (${shown(compared)} ${currency}).`
      : `The amount is more than ${times} times the 95th percentile of payouts in the last 90 days (${shown(compared)} ${currency}).`,
    values: {
      amount: shown(amountUnits),
      currency,
      times,
      largest: shown(usual.largestUnits),
      percentile_95: shown(usual.percentile95Units),
      payouts: String(usual.count),
    },
  }
}

function newKey(payout: Payout, { keyMadeAt }: ApprovalFacts): ApprovalWarning | null {
  if (keyMadeAt === null || payout.createdAt.getTime() - keyMadeAt.getTime() >= dayMs) return null
  return {
    code: 'key_new',
    message: 'The API key that created this payout was less than 24 hours old.',
    values: { key_created_at: keyMadeAt.toISOString() },
  }
}

function balanceShare(payout: Payout, { availableUnits }: ApprovalFacts): ApprovalWarning | null {
  const { currency, network, decimals } = payout
  // A share of a negative balance means nothing.
  if (availableUnits < 0n) {
    const missing = formatDecimal(-availableUnits, decimals)
    return {
      code: 'balance_negative',
      message: `The balance on ${network} is short by ${missing} ${currency}: a payment was reversed after it had been spent. No payout leaves until the shortfall is covered.`,
      values: { missing, currency, network },
    }
  }
  const charged = chargedUnits(payout)
  const whole = charged + availableUnits
  // A share of up to half is not worth a warning.
  if (charged * 2n <= whole || whole <= 0n) return null
  const percent = divide(charged * 100n, whole, 'down').toString()
  return {
    code: 'balance_share',
    message: `This payout takes ${percent}% of your ${currency} on this network.`,
    values: { percent, currency, of: formatDecimal(whole, decimals) },
  }
}
