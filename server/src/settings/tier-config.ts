import type { ConfirmationTier } from '../domain/confirmations.ts'
import { parseDecimal } from '../domain/money.ts'
import type { Network } from '../domain/networks/network.ts'

/** A tier as the operator writes it: an amount of the native currency, as a decimal. */
export type TierEntry = { readonly from: string; readonly confirmations: number }

/** The JSON Schema of a network's tiers in the configuration file. */
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

/**
 * The problems of tiers that match the schema, one line each: `"<place> <what is wrong>"`. `plain` is the number of
 * confirmations below the first tier.
 */
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
      problems.push(`/${at}/from must be an amount above zero with up to ${decimals} decimals, not "${from}"`)
    else if (before !== undefined && units <= (parseDecimal(before.from, decimals) ?? 0n))
      problems.push(`/${at}/from must be more than the previous tier's ${before.from}`)
    if (confirmations < plain)
      problems.push(`/${at}/confirmations must not be fewer than the ${plain} that every payment needs`)
    else if (before !== undefined && confirmations < before.confirmations)
      problems.push(`/${at}/confirmations must not be fewer than the previous tier's ${before.confirmations}`)
  })
  return problems
}

/** The tiers of entries that have no problems. */
export function readTiers(
  { native: { decimals } }: Network,
  entries: readonly TierEntry[],
): ConfirmationTier[] {
  return entries.map(({ from, confirmations }) => ({
    fromUnits: parseDecimal(from, decimals) ?? 0n,
    confirmations,
  }))
}
