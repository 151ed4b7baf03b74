import { type AssetRegistry, networkIn } from '../../domain/assets.ts'
import type { DailyFee } from '../../store/reports/daily-figures.ts'
import type { DailySum } from '../../store/reports/daily-sums.ts'
import { daysBetween, worthOf } from './sum-days.ts'

/** What came in of one asset over a period. */
export type AssetReceived = {
  readonly currency: string
  readonly networkName: string
  readonly decimals: number
  readonly units: bigint
  /** In minor units of the base currency, and over the period before; null where part of it has no rate. */
  readonly value: bigint | null
  readonly before: bigint | null
  /** What was paid in fees of it over the period. */
  readonly feeUnits: bigint
}

/** What came in by asset, the most valuable first. An asset of which nothing came in over either period is left out. */
export function receivedByAsset(
  rows: readonly DailySum[],
  fees: readonly DailyFee[],
  { today, days, baseCurrency }: { today: string; days: number; baseCurrency: string },
  rates: ReadonlyMap<string, bigint>,
  registry: AssetRegistry,
): AssetReceived[] {
  const received = rows.filter(({ kind }) => kind === 'received')
  const assets = Map.groupBy(received, ({ currency, network }) => `${currency} ${network}`)
  return [...assets.values()]
    .flatMap((all): AssetReceived[] => {
      const [first] = all
      if (first === undefined) return []
      const { currency, network, decimals } = first
      const isNow = ({ day }: DailySum) => daysBetween(day, today) < days
      const [now, earlier] = [all.filter(isNow), all.filter((row) => !isNow(row))]
      const worthOfAll = (some: readonly DailySum[]) =>
        some.reduce<bigint | null>((sum, row) => {
          const worth = worthOf(row, baseCurrency, rates)
          return sum === null || worth === null ? null : sum + worth
        }, 0n)
      const units = now.reduce((sum, row) => sum + row.units, 0n)
      const networkName = networkIn(registry, network).name
      const feeUnits = fees
        .filter((fee) => fee.currency === currency && fee.network === network)
        .reduce((sum, fee) => (daysBetween(fee.day, today) < days ? sum + fee.units : sum), 0n)
      const [value, before] = [worthOfAll(now), worthOfAll(earlier)]
      return [{ currency, networkName, decimals, units, value, before, feeUnits }]
    })
    .toSorted((one, other) => compare(other.value ?? -1n, one.value ?? -1n))
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}
