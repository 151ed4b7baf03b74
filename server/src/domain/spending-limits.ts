import { type AssetRegistry, currencies } from './assets.ts'
import { type Environment, environments } from './environment.ts'
import { formatDecimal, parseDecimal } from './money.ts'
import { networks } from './networks.ts'

/** How a limit is written in the configuration: decimals of the currency. */
export type LimitEntry = {
  readonly network: string
  /** Both when left out. */
  readonly environment?: Environment
  readonly currency: string
  readonly per_payout?: string
  readonly per_hour?: string
  readonly per_day?: string
}

const decimal = { type: 'string', pattern: '^(0|[1-9][0-9]*)([.][0-9]+)?$', maxLength: 50 }

/** What a list of limits must look like, as JSON Schema. */
export const limitsSchema = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['network', 'currency'],
    properties: {
      network: { enum: networks.map(({ id }) => id) },
      environment: { enum: environments },
      currency: { type: 'string', maxLength: 20 },
      per_payout: decimal,
      per_hour: decimal,
      per_day: decimal,
    },
  },
}

/** The most of a currency that may leave on a network, whatever the database says. Null is no limit. */
export type SpendingLimit = {
  readonly network: string
  readonly environment: Environment | null
  readonly currency: string
  readonly decimals: number
  readonly perPayoutUnits: bigint | null
  readonly perHourUnits: bigint | null
  readonly perDayUnits: bigint | null
}

/** A transaction about to be signed, as limits see it. */
export type Outflow = {
  readonly currency: string
  /** Each payout by itself. */
  readonly payoutUnits: readonly bigint[]
  /** What it adds to what has left: the payouts that were not counted before, and the network's fee. */
  readonly addedUnits: bigint
  readonly lastHourUnits: bigint
  readonly lastDayUnits: bigint
}

/** The limit in units, or what is wrong with it. */
export function readLimit(entry: LimitEntry, registry: AssetRegistry = currencies): SpendingLimit | string {
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

/** A limit that a transaction would go over, in words that do not change while it waits, and whether time helps. */
export type Excess = { readonly limit: string; readonly passes: boolean }

/** The first limit that a transaction would go over; null when it keeps within all. */
export function overLimit(limits: readonly SpendingLimit[], outflow: Outflow): Excess | null {
  for (const limit of limits.filter(({ currency }) => currency === outflow.currency)) {
    const { perPayoutUnits, perHourUnits, perDayUnits } = limit
    const over = (units: bigint, span: string, passes: boolean): Excess => ({
      limit: `${formatDecimal(units, limit.decimals)} ${limit.currency} ${span} on ${limit.network}`,
      passes,
    })
    if (perPayoutUnits !== null && outflow.payoutUnits.some((units) => units > perPayoutUnits))
      return over(perPayoutUnits, 'a payout', false)
    if (perHourUnits !== null && outflow.lastHourUnits + outflow.addedUnits > perHourUnits)
      return over(perHourUnits, 'an hour', outflow.addedUnits <= perHourUnits)
    if (perDayUnits !== null && outflow.lastDayUnits + outflow.addedUnits > perDayUnits)
      return over(perDayUnits, 'a day', outflow.addedUnits <= perDayUnits)
  }
  return null
}

/** The most that the network may get for one transaction, in its own coin: nobody pays more, unless by mistake or malice. */
const maxFees: Readonly<Record<string, string>> = {
  bitcoin: '0.05',
  litecoin: '1',
  solana: '0.1',
  xrp: '5',
  ethereum: '0.2',
  polygon: '50',
  bsc: '0.1',
  base: '0.05',
  arbitrum: '0.05',
  optimism: '0.05',
  avalanche: '2',
}

/** By network, in units of its own coin; `own` are the operator's. */
export function feeCeilings(
  own: Readonly<Record<string, string>>,
  registry: AssetRegistry = currencies,
): ReadonlyMap<string, bigint> {
  const natives = registry.flatMap(({ assets }) =>
    assets.filter(({ contractAddress }) => contractAddress === null),
  )
  return new Map(
    natives.map(({ network, decimals }) => {
      const text = own[network.id] ?? maxFees[network.id] ?? '0'
      const units = parseDecimal(text, decimals)
      if (units === null) throw new RangeError(`The highest fee on ${network.id} cannot be ${text}.`)
      return [network.id, units]
    }),
  )
}
