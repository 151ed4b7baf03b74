import {
  feeCeilings,
  type LimitEntry,
  readLimit,
  type SpendingLimit,
} from '../../src/domain/spending-limits.ts'
import type { SignerLimits } from '../../src/signer/check-spend.ts'
import { currencies, networks } from './registry.ts'

/** What a signer under test is allowed; nothing is limited unless it is named. */
export function limitsOf(
  entries: readonly LimitEntry[] = [],
  maxFee: Record<string, string> = {},
): SignerLimits {
  const read = entries.map((entry) => readLimit(currencies, entry))
  return {
    spending: read.filter((each): each is SpendingLimit => typeof each !== 'string'),
    maxFees: feeCeilings(networks, maxFee),
  }
}
