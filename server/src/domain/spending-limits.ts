import type { Environment } from './environment.ts'
import { formatDecimal, parseDecimal } from './money.ts'
import type { Network } from './networks/network.ts'
import { isCancelling, type SpendKind, type SpendPlan } from './spends.ts'

/** The most of a currency that may leave on a network, by the operator's settings alone. Null means no limit. */
export type SpendingLimit = {
  readonly network: string
  readonly environment: Environment | null
  readonly currency: string
  readonly decimals: number
  readonly perPayoutUnits: bigint | null
  readonly perHourUnits: bigint | null
  readonly perDayUnits: bigint | null
}

/** The outflow of a transaction about to be signed, as the limits count it. */
export type Outflow = {
  readonly currency: string
  /** The amount of each payout. */
  readonly payoutUnits: readonly bigint[]
  /** What it adds to the total that has left: payouts that were not counted before, and the network fee. */
  readonly addedUnits: bigint
  readonly lastHourUnits: bigint
  readonly lastDayUnits: bigint
}

/** A limit that a transaction would exceed, in words that stay the same while it waits, and whether waiting helps. */
export type Excess = { readonly limit: string; readonly passes: boolean }

/** The first limit that a transaction would exceed; null when it exceeds none. */
export function overLimit(limits: readonly SpendingLimit[], outflow: Outflow): Excess | null {
  for (const limit of limits.filter(({ currency }) => currency === outflow.currency)) {
    const { perPayoutUnits, perHourUnits, perDayUnits } = limit
    const over = (units: bigint, span: string, passes: boolean): Excess => ({
      limit: `${formatDecimal(units, limit.decimals)} ${limit.currency} ${span} on ${limit.network}`,
      passes,
    })
    if (perPayoutUnits !== null && outflow.payoutUnits.some((units) => units > perPayoutUnits))
      return over(perPayoutUnits, 'per payout', false)
    if (perHourUnits !== null && outflow.lastHourUnits + outflow.addedUnits > perHourUnits)
      return over(perHourUnits, 'per hour', outflow.addedUnits <= perHourUnits)
    if (perDayUnits !== null && outflow.lastDayUnits + outflow.addedUnits > perDayUnits)
      return over(perDayUnits, 'per day', outflow.addedUnits <= perDayUnits)
  }
  return null
}

/** What an operator may do without in the live environment, by saying so. */
export const safeguards = ['limits', 'passkeys'] as const
export type Safeguard = (typeof safeguards)[number]

/**
 * Whether a limit bounds over time what leaves of a currency on a network. A limit for one payout does not: there may be any
 * number of payouts.
 */
export function isBounded(
  limits: readonly SpendingLimit[],
  place: { readonly network: string; readonly environment: Environment; readonly currency: string },
): boolean {
  return limits.some(
    ({ network, environment, currency, perHourUnits, perDayUnits }) =>
      network === place.network &&
      (environment ?? place.environment) === place.environment &&
      currency === place.currency &&
      (perHourUnits !== null || perDayUnits !== null),
  )
}

/** The highest fee that one transaction may pay on a network. Every network has a ceiling: a missing one is a bug. */
export function ceilingOf(ceilings: ReadonlyMap<string, bigint>, network: string): bigint {
  const ceiling = ceilings.get(network)
  if (ceiling === undefined) throw new Error(`There is no fee ceiling for ${network}.`)
  return ceiling
}

/** The lowest of some amounts; null where there are none. */
export function lowest(units: readonly bigint[]): bigint | null {
  return units.reduce<bigint | null>((low, each) => (low === null || each < low ? each : low), null)
}

/** The kinds of transactions whose fee no payout pays. */
export type FeeKind = 'sweep' | 'gas' | 'consolidation' | 'fill' | 'cold' | 'nonce' | 'trust' | 'cancel'

const feeKindNames: Readonly<Record<FeeKind, string>> = {
  sweep: 'sweeps',
  gas: 'gas transfers',
  consolidation: 'consolidations',
  fill: 'fills',
  cold: 'moves to the cold wallet',
  nonce: 'new nonce accounts',
  trust: 'trust lines',
  cancel: 'cancellations',
}

/** The kind under which a transaction's fee is limited by day; null for a payout, whose fee its merchant pays. */
export function feeKindOf(kind: SpendKind, plan: SpendPlan): FeeKind | null {
  switch (kind) {
    case 'payout':
      return isCancelling(plan) ? 'cancel' : null
    case 'cold':
    case 'trust':
      return isCancelling(plan) ? 'cancel' : kind
    case 'absorb':
    case 'refill':
      return null
    default:
      return kind
  }
}

/** The limit of a day's fees that a transaction would exceed; null when it does not. */
export function overFeeLimit(
  network: string,
  native: { readonly currency: string; readonly decimals: number },
  kind: FeeKind,
  fees: { readonly limitUnits: bigint; readonly lastDayUnits: bigint; readonly addedUnits: bigint },
): Excess | null {
  const { limitUnits, lastDayUnits, addedUnits } = fees
  if (addedUnits === 0n || lastDayUnits + addedUnits <= limitUnits) return null
  const amount = `${formatDecimal(limitUnits, native.decimals)} ${native.currency}`
  return {
    limit: `${amount} per day for the fees of ${feeKindNames[kind]} on ${network}`,
    passes: addedUnits <= limitUnits,
  }
}

// Twenty transactions at the highest fee, or thousands at an ordinary one.
const ceilingsPerDay = 20n

/** The highest fees of a day for each kind, by network; `own` are the operator's settings. */
export function feeLimitsPerDay(
  networks: readonly Network[],
  ceilings: ReadonlyMap<string, bigint>,
  own: Readonly<Record<string, string>>,
): ReadonlyMap<string, bigint> {
  return new Map(
    networks.map(({ id, native }) => {
      const text = own[id]
      if (text === undefined) return [id, ceilingOf(ceilings, id) * ceilingsPerDay]
      const units = parseDecimal(text, native.decimals)
      if (units === null) throw new RangeError(`The fees per day of ${id} cannot be ${text}.`)
      return [id, units]
    }),
  )
}

/** The highest fee of one transaction by network, in units of its native asset; `own` are the operator's settings. */
export function feeCeilings(
  networks: readonly Network[],
  own: Readonly<Record<string, string>>,
): ReadonlyMap<string, bigint> {
  return new Map(
    networks.map(({ id, feeCeiling, native }) => {
      const text = own[id] ?? feeCeiling
      const units = parseDecimal(text, native.decimals)
      if (units === null) throw new RangeError(`The fee ceiling of ${id} cannot be ${text}.`)
      return [id, units]
    }),
  )
}
