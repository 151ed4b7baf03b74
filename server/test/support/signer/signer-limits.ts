import { type AssetRegistry, networksIn } from '../../../src/domain/assets.ts'
import { feeCeilings, feeLimitsPerDay, type SpendingLimit } from '../../../src/domain/spending-limits.ts'
import { type LimitEntry, readLimit } from '../../../src/settings/limit-config.ts'
import type { SignerLimits } from '../../../src/signer/check-limits.ts'
import { currencies } from '../shop/registry.ts'

/** The limits of a signer under test; nothing is limited unless it is named. */
export function limitsOf(
  entries: readonly LimitEntry[] = [],
  maxFee: Record<string, string> = {},
  registry: AssetRegistry = currencies,
): SignerLimits {
  const read = entries.map((entry) => readLimit(registry, entry))
  const maxFees = feeCeilings(networksIn(registry), maxFee)
  return {
    spending: read.filter((each): each is SpendingLimit => typeof each !== 'string'),
    maxFees,
    maxFeesPerDay: feeLimitsPerDay(networksIn(registry), maxFees, {}),
  }
}
