import { type AssetRegistry, networksIn } from '../domain/assets.ts'
import type { Environment } from '../domain/environment.ts'
import { formatDecimal } from '../domain/money.ts'
import type { GateId } from '../domain/networks/network.ts'
import { ceilingOf, isBounded, lowest, type SpendingLimit } from '../domain/spending-limits.ts'
import type { OperatorSettings } from './operator-settings.ts'

/** One rule of the settings, by name. The lower its value, the stricter it is; null is no limit. */
export type Rule = { readonly name: string; readonly value: bigint | null; readonly shown: string }

const hourMs = 3_600_000
const spans = [
  ['perPayoutUnits', 'per_payout'],
  ['perHourUnits', 'per_hour'],
  ['perDayUnits', 'per_day'],
] as const

/** The rules that are in force while all of these settings count: of each rule the strictest. */
export function rulesInForce(
  settings: readonly OperatorSettings[],
  environment: Environment,
  assets: AssetRegistry,
): Rule[] {
  const places = placesIn(settings, environment)
  return strictestOf(settings.map((each) => rulesOf(each, environment, assets, places)))
}

/** What the newest settings allow that is not allowed while all of these count, in words. */
export function weakenedRules(
  standing: readonly OperatorSettings[],
  newest: OperatorSettings,
  environment: Environment,
  assets: AssetRegistry,
): { readonly name: string; readonly change: string }[] {
  const places = placesIn([...standing, newest], environment)
  const after = rulesOf(newest, environment, assets, places)
  const before = strictestOf(standing.map((each) => rulesOf(each, environment, assets, places)))
  return before.flatMap((rule, at) => {
    const next = after[at] as Rule
    return isLooser(rule, next) ? [{ name: rule.name, change: `${rule.shown} → ${next.shown}` }] : []
  })
}

function strictestOf(lists: readonly Rule[][]): Rule[] {
  const stricter = (one: Rule, other: Rule) => (isLooser(one, other) ? one : other)
  return lists.reduce((one, other) => one.map((rule, at) => stricter(rule, other[at] as Rule)))
}

/** Whether the second rule allows more than the first. */
function isLooser(one: Rule, other: Rule): boolean {
  return one.value !== null && (other.value === null || other.value > one.value)
}

type Place = Pick<SpendingLimit, 'network' | 'currency' | 'decimals'>
/** What any of some settings name, in a fixed order: rules of other settings are about the same. */
type Places = {
  readonly limited: readonly Place[]
  /** Gates, and where their cold wallet is. */
  readonly cold: readonly (readonly [gateId: GateId, destination: string])[]
}

function placesIn(settings: readonly OperatorSettings[], environment: Environment): Places {
  const limits = settings.flatMap(({ limits }) => limitsIn(limits.spending, environment))
  const cold = settings.flatMap((each) => [...each.cold]).filter(([id]) => id.endsWith(`-${environment}`))
  return {
    limited: inOrder(limits, ({ network, currency }) => `${network} ${currency}`),
    cold: inOrder(cold, (place) => place.join(' ')),
  }
}

function inOrder<T>(all: readonly T[], nameOf: (each: T) => string): T[] {
  const byName = new Map(all.map((each) => [nameOf(each), each]))
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

function limitsIn(limits: readonly SpendingLimit[], environment: Environment): SpendingLimit[] {
  return limits.filter((limit) => (limit.environment ?? environment) === environment)
}

/** The rules of one settings, in an order that depends on the places alone. */
function rulesOf(
  { limits, cold, requireAll, weakeningDelayMs }: OperatorSettings,
  environment: Environment,
  assets: AssetRegistry,
  places: Places,
): Rule[] {
  const own = limitsIn(limits.spending, environment)
  const isLive = environment === 'live'
  const switched = (name: string, isOff: boolean, words: readonly [string, string]): Rule => ({
    name,
    value: isOff ? 1n : 0n,
    shown: words[isOff ? 1 : 0],
  })
  return [
    ...places.limited.flatMap((place): Rule[] => {
      const { network, currency, decimals } = place
      const named = own.filter((limit) => limit.network === network && limit.currency === currency)
      const isSigned = !isLive || !limits.areRequired || isBounded(own, { ...place, environment })
      return [
        ...spans.map(([key, span]): Rule => {
          const given = named.map((limit) => limit[key]).filter((units) => units !== null)
          const value = lowest(given)
          const shown = value === null ? 'no limit' : `${formatDecimal(value, decimals)} ${currency}`
          return { name: `limits: ${currency} on ${network}, ${span}`, value, shown }
        }),
        switched(`limits: payouts of ${currency} on ${network}`, isSigned, ['not signed', 'signed']),
      ]
    }),
    ...networksIn(assets).flatMap(({ id, native }): Rule[] =>
      (['maxFees', 'maxFeesPerDay'] as const).map((key) => {
        const value = ceilingOf(limits[key], id)
        const name = `${key === 'maxFees' ? 'max_fee' : 'max_fees_per_day'}: ${id}`
        return { name, value, shown: `${formatDecimal(value, native.decimals)} ${native.currency.code}` }
      }),
    ),
    ...places.cold.map(([id, destination]) =>
      switched(`cold: ${id} to ${destination}`, cold.get(id) === destination, ['not paid', 'paid']),
    ),
    ...(isLive
      ? [
          switched('waive: limits', !limits.areRequired, ['required', 'waived']),
          switched('waive: passkeys', !requireAll, ['required', 'waived']),
          {
            name: 'weakening_delay_hours',
            value: -BigInt(weakeningDelayMs),
            shown: `${weakeningDelayMs / hourMs} h`,
          },
        ]
      : []),
  ]
}
