import type { ConfirmationTier } from './confirmations.ts'
import { parseDecimal } from './money.ts'
import type { Network } from './networks/network.ts'

/** A tier as the operator writes it down: an amount of the network's own coin, as a decimal. */
export type TierEntry = { readonly from: string; readonly confirmations: number }

/** JSON Schema of a network's tiers in the operator's file. */
export const tiersSchema = {
  type: 'array',
  maxItems: 20,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'confirmations'],
    properties: {
      from: { type: 'string', maxLength: 50 },
      confirmations: { type: 'integer', minimum: 1, maximum: 1000 },
    },
  },
} as const

/** What is wrong with tiers that have the right form, one line each: `"<place> <what is wrong>"`. `plain` is the depth below them. */
export function tierProblems(
  { native: { decimals } }: Network,
  plain: number,
  entries: readonly TierEntry[],
): string[] {
  const problems: string[] = []
  entries.forEach(({ from, confirmations }, at) => {
    const before = entries[at - 1]
    const units = parseDecimal(from, decimals)
    if (units === null || units === 0n)
      problems.push(`/${at}/from must be an amount above zero with up to ${decimals} places, not "${from}"`)
    else if (before !== undefined && units <= (parseDecimal(before.from, decimals) ?? 0n))
      problems.push(`/${at}/from must be more than the ${before.from} before it`)
    if (confirmations < plain)
      problems.push(`/${at}/confirmations must not be fewer than the ${plain} that every payment needs`)
    else if (before !== undefined && confirmations < before.confirmations)
      problems.push(`/${at}/confirmations must not be fewer than the ${before.confirmations} before it`)
  })
  return problems
}

/** Tiers that have no problems. */
export function readTiers(
  { native: { decimals } }: Network,
  entries: readonly TierEntry[],
): ConfirmationTier[] {
  return entries.map(({ from, confirmations }) => ({
    fromUnits: parseDecimal(from, decimals) ?? 0n,
    confirmations,
  }))
}
