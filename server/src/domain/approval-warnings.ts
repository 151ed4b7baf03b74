import { divide, formatDecimal } from './money.ts'
import { chargedUnits, type Payout } from './payouts.ts'
import { likenessOf } from './resembling.ts'

const warningCodes = [
  'destination_new',
  'destination_resembles',
  'destination_other_tag',
  'over_usual',
  'paid_already',
  'key_new',
  'balance_share',
  'balance_negative',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** Something to look at twice before a payout is let go, with the values it speaks of. */
export type ApprovalWarning = {
  readonly code: WarningCode
  readonly message: string
  readonly values: Readonly<Record<string, string>>
}

type Place = { readonly address: string; readonly tag: string | null }

/** What the warnings are made of. */
export type ApprovalFacts = {
  readonly now: Date
  /** How often the merchant has paid to exactly this destination and tag before. */
  readonly paidBefore: number
  /** Where the merchant has paid to on this network, and may pay to. */
  readonly otherPlaces: readonly (Place & { readonly label: string | null })[]
  /** What it paid out of this currency in the last 90 days; null when that was nothing. */
  readonly usual: {
    readonly count: number
    readonly largestUnits: bigint
    readonly percentile95Units: bigint
  } | null
  /** Other payouts of the same amount to the same place in the last 24 hours. */
  readonly twins: readonly { readonly id: string; readonly createdAt: Date }[]
  /** When the key was made that created the payout; null when no key did. */
  readonly keyMadeAt: Date | null
  /** What the merchant has available now, besides what this payout has reserved; below zero when spent funds were reversed. */
  readonly availableUnits: bigint
}

const usualTimes = 3n
const dayMs = 24 * 60 * 60 * 1000
const maxLookalikes = 3

/** Everything about a payout that whoever approves it should have seen. */
export function approvalWarnings(payout: Payout, facts: ApprovalFacts): ApprovalWarning[] {
  return [
    ...destinationWarnings(payout, facts),
    ...[overUsual(payout, facts), newKey(payout, facts), balanceShare(payout, facts)].filter(
      (warning) => warning !== null,
    ),
    ...facts.twins.map(({ id, createdAt }): ApprovalWarning => {
      const values = { payout_id: id, created_at: createdAt.toISOString() }
      return {
        code: 'paid_already',
        message: `The same amount goes to the same destination with payout ${id} of the last 24 hours.`,
        values,
      }
    }),
  ]
}

function destinationWarnings(payout: Payout, { paidBefore, otherPlaces }: ApprovalFacts): ApprovalWarning[] {
  const { destination, destinationTag } = payout
  const warnings: ApprovalWarning[] = []
  if (paidBefore === 0)
    warnings.push({
      code: 'destination_new',
      message: 'Nothing was ever paid to this destination.',
      values: { destination, ...(destinationTag !== null && { tag: destinationTag }) },
    })
  const otherTag = otherPlaces.find(({ address, tag }) => address === destination && tag !== destinationTag)
  if (otherTag !== undefined && paidBefore === 0)
    warnings.push({
      code: 'destination_other_tag',
      message: 'This address is known with another tag: the tag may say whose the money is.',
      values: { tag: destinationTag ?? '', other_tag: otherTag.tag ?? '' },
    })
  const alike = otherPlaces
    .map((place) => ({ ...place, likeness: likenessOf(destination, place.address) }))
    .filter(({ likeness }) => likeness !== null)
    .slice(0, maxLookalikes)
  for (const { address, label, likeness } of alike)
    warnings.push({
      code: 'destination_resembles',
      message: `This destination looks like ${address}${label === null ? '' : ` (${label})`}, and is another one. Compare every character.`,
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
      ? `It is more than ${times} times the largest of ${usual.count} payouts in the last 90 days, which was ${shown(compared)} ${currency}.`
      : `It is more than ${times} times what 95 of 100 payouts in the last 90 days stayed below, ${shown(compared)} ${currency}.`,
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
    message: 'The API key that created it was made less than 24 hours before.',
    values: { key_created_at: keyMadeAt.toISOString() },
  }
}

function balanceShare(payout: Payout, { availableUnits }: ApprovalFacts): ApprovalWarning | null {
  const { currency, network, decimals } = payout
  // Below zero there is no whole that it could be a share of.
  if (availableUnits < 0n) {
    const missing = formatDecimal(-availableUnits, decimals)
    return {
      code: 'balance_negative',
      message: `${missing} ${currency} are missing from the balance on ${network}: a payment that was spent already was taken back. Nothing leaves until that is covered.`,
      values: { missing, currency, network },
    }
  }
  const charged = chargedUnits(payout)
  const whole = charged + availableUnits
  // With less than nothing there it is not let go at all, and the review says so.
  if (charged * 2n <= whole || whole <= 0n) return null
  const percent = divide(charged * 100n, whole, 'down').toString()
  return {
    code: 'balance_share',
    message: `It takes ${percent}% of all ${currency} there is on this network.`,
    values: { percent, currency, of: formatDecimal(whole, decimals) },
  }
}
