import type { AssetRegistry } from '../domain/assets.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { parseDecimal } from '../domain/money.ts'
import type { SpendingLimit } from '../domain/spending-limits.ts'

/** A limit as written in the configuration, in decimals of the currency. */
export type LimitEntry = {
  readonly network: string
  /** Applies to both environments when left out. */
  readonly environment?: Environment
  readonly currency: string
  readonly per_payout?: string
  readonly per_hour?: string
  readonly per_day?: string
}

const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$', maxLength: 50 }

/** The JSON Schema of a list of limits. */
export function limitsSchema(networkIds: readonly string[]) {
  return {
    type: 'array',
    maxItems: 1000,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['network', 'currency'],
      properties: {
        network: { enum: networkIds },
        environment: { enum: environments },
        currency: { type: 'string', maxLength: 20 },
        per_payout: decimal,
        per_hour: decimal,
        per_day: decimal,
      },
    },
  }
}

/** The limit in units, or what is wrong with it. */
export function readLimit(registry: AssetRegistry, entry: LimitEntry): SpendingLimit | string {
  const asset = registry
    .find(({ code }) => code === entry.currency)
    ?.assets.find(({ network }) => network.id === entry.network)
  if (asset === undefined) return `${entry.currency} is not known on ${entry.network}`
  const { decimals } = asset
  const problems: string[] = []
  const units = (name: 'per_payout' | 'per_hour' | 'per_day'): bigint | null => {
    const text = entry[name]
    if (text === undefined) return null
    const value = parseDecimal(text, decimals)
    if (value === null) problems.push(`${name} must be a decimal with up to ${decimals} places`)
    return value
  }
  const limit: SpendingLimit = {
    network: entry.network,
    environment: entry.environment ?? null,
    currency: entry.currency,
    decimals,
    perPayoutUnits: units('per_payout'),
    perHourUnits: units('per_hour'),
    perDayUnits: units('per_day'),
  }
  return problems.length === 0 ? limit : problems.join('; ')
}

/** All limits of a configuration that was found to be right. */
export function spendingLimits(registry: AssetRegistry, entries: readonly LimitEntry[]): SpendingLimit[] {
  return entries
    .map((entry) => readLimit(registry, entry))
    .filter((limit): limit is SpendingLimit => typeof limit !== 'string')
}
