import {
  feeCeilings,
  type LimitEntry,
  readLimit,
  type SpendingLimit,
} from '../../src/domain/spending-limits.ts'
import type { SignerLimits } from '../../src/signer/check-spend.ts'

/** What a signer under test is allowed; nothing is limited unless it is named. */
export function limitsOf(
  entries: readonly LimitEntry[] = [],
  maxFee: Record<string, string> = {},
): SignerLimits {
  const read = entries.map((entry) => readLimit(entry))
  return {
    spending: read.filter((each): each is SpendingLimit => typeof each !== 'string'),
    maxFees: feeCeilings(maxFee),
  }
}
