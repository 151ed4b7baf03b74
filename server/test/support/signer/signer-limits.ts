import { type AssetRegistry, networksIn } from '../../../src/domain/assets.ts'
import { feeCeilings, feeLimitsPerDay } from '../../../src/domain/spending-limits.ts'
import { type Config, signerDefaults } from '../../../src/settings/config-file.ts'
import { type LimitEntry, spendingLimits } from '../../../src/settings/limit-config.ts'
import type { SignerLimits } from '../../../src/signer/check-limits.ts'
import type { GivenSettings } from '../../../src/signer/operator-settings.ts'
import { givenSettings } from '../../../src/wire/signer.ts'
import { currencies } from '../shop/registry.ts'

/** The limits of a signer under test; nothing is limited unless it is named. */
export function limitsOf(
  entries: readonly LimitEntry[] = [],
  maxFee: Record<string, string> = {},
  registry: AssetRegistry = currencies,
): SignerLimits {
  const maxFees = feeCeilings(networksIn(registry), maxFee)
  return {
    spending: spendingLimits(registry, entries),
    areRequired: false,
    maxFees,
    maxFeesPerDay: feeLimitsPerDay(networksIn(registry), maxFees, {}),
  }
}

/** The operator's settings of a signer under test, as its configuration would have them. */
export function settingsOf(signer: Partial<Config['signer']> = {}): GivenSettings {
  const config = { signer: { ...signerDefaults, ...signer }, cold: [], gates: [] } as unknown as Config
  return givenSettings({ assets: currencies, config })
}
