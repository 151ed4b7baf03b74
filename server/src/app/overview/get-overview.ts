import type { Caller } from '../../domain/caller.ts'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/invoices.ts'
import type { App } from '../app.ts'
import { type CurrencyBalance, listBalances } from '../balances/list-balances.ts'
import { usableRate } from '../rates/price.ts'
import { merchantNow } from '../test-clock/merchant-now.ts'
import { type AssetReceived, receivedByAsset } from './by-asset.ts'
import { countOutcomes, medianSeconds, type Outcomes } from './judge-invoices.ts'
import { type Attention, listAttention } from './list-attention.ts'
import { listSetUp, type SetUpStep } from './list-set-up.ts'
import { type Bar, type DayValues, dayBefore, dayOf, sumDays } from './sum-days.ts'
import { type PaidFees, sumFees, worthOfFee } from './sum-fees.ts'

/** A figure over the period and over the one before; null there if it was not counted from that one's first day on. */
export type Figure<Value> = { readonly now: Value; readonly before: Value | null }

export type Overview = Omit<DayValues, 'bars'> & {
  readonly bars: readonly (Bar & { readonly fees: PaidFees; readonly outcomes: Outcomes })[]
  readonly fees: Figure<PaidFees>
  readonly outcomes: Figure<Outcomes>
  readonly medianSeconds: Figure<number | null>
  /** The first day from which fees and invoices are counted, if that is after the period's first; otherwise null. */
  readonly countedSince: string | null
  readonly baseCurrency: string
  readonly byAsset: readonly AssetReceived[]
  readonly balances: readonly CurrencyBalance[]
  /** The sum of the available balances that have a rate. */
  readonly balanceInBaseCurrency: bigint
  readonly invoices: readonly { readonly status: InvoiceStatus; readonly count: number }[]
  readonly attention: readonly Attention[]
  /** Empty once all is done. */
  readonly setUp: readonly SetUpStep[]
}

/**
 * Money in and out over the last days, the balances, and what needs attention. Reads stored sums only, so that its cost does
 * not grow with the number of invoices.
 */
export async function getOverview(app: App, caller: Caller, days: number): Promise<Overview> {
  const { baseCurrency } = caller.merchant
  const today = dayOf(await merchantNow(app, caller))
  const [rows, figures, balances, counts, setUp] = await Promise.all([
    app.reading((store) => store.dailySums.list(caller, today, days * 2)),
    readFigures(app, caller, today, days),
    listBalances(app, caller),
    app.reading((store) => store.attention.invoicesByStatus(caller)),
    listSetUp(app, caller),
  ])
  const period = { today, days, baseCurrency }
  const { since, fees, outcomes, paidWithin } = figures
  const rates = await ratesFor(app, caller, [...rows, ...fees])
  const values = sumDays(rows, period, rates)
  const feesWithoutRate = fees.filter((fee) => worthOfFee(fee, baseCurrency, rates) === null)
  const now = { from: dayBefore(today, days - 1), to: today }
  const before = { from: dayBefore(today, 2 * days - 1), to: dayBefore(today, days) }
  const isBeforeWhole = since === null || since <= before.from
  const figure = <Value>(of: (range: { from: string; to: string }) => Value): Figure<Value> => ({
    now: of(now),
    before: isBeforeWhole ? of(before) : null,
  })
  const feesOf = (range: { from: string; to: string }) => sumFees(fees, range, baseCurrency, rates)
  const medianOf = (isBefore: boolean) =>
    medianSeconds(paidWithin.filter((each) => each.isBefore === isBefore))
  const unpriced = balances.filter(
    (balance) => balance.availableInBaseCurrency === null && balance.availableUnits !== 0n,
  )
  return {
    ...values,
    bars: values.bars.map((bar) => ({ ...bar, fees: feesOf(bar), outcomes: countOutcomes(outcomes, bar) })),
    fees: figure(feesOf),
    outcomes: figure((range) => countOutcomes(outcomes, range)),
    medianSeconds: { now: medianOf(false), before: isBeforeWhole ? medianOf(true) : null },
    countedSince: since !== null && since > now.from ? since : null,
    withoutRate: [
      ...new Set([
        ...values.withoutRate,
        ...[...feesWithoutRate, ...unpriced].map(({ currency }) => currency),
      ]),
    ].sort(),
    baseCurrency,
    byAsset: receivedByAsset(rows, fees, period, rates, app.assets),
    balances,
    balanceInBaseCurrency: balances.reduce(
      (sum, { availableInBaseCurrency }) => sum + (availableInBaseCurrency ?? 0n),
      0n,
    ),
    invoices: invoiceStatuses.map((status) => ({ status, count: counts.get(status) ?? 0 })),
    attention: await listAttention(app, caller, balances),
    setUp,
  }
}

/** Fees and invoices by day. The days before they were counted are left out, and the one on which counting began. */
async function readFigures(app: App, caller: Caller, today: string, days: number) {
  return app.reading(async ({ dailyFigures }) => {
    const since = await dailyFigures.since(caller)
    const [fees, invoices] = await Promise.all([
      dailyFigures.fees(caller, today, days * 2),
      dailyFigures.invoices(caller, today, days, since),
    ])
    return { since, fees: fees.filter(({ day }) => since === null || day >= since), ...invoices }
  })
}

async function ratesFor(
  app: App,
  { environment, merchant: { baseCurrency } }: Caller,
  rows: readonly { readonly currency: string; readonly baseCurrency: string }[],
): Promise<Map<string, bigint>> {
  const wanted = rows.filter((row) => row.baseCurrency !== baseCurrency).map(({ currency }) => currency)
  const rates = new Map<string, bigint>()
  for (const currency of new Set(wanted)) {
    const rate = await usableRate(app, environment, currency, baseCurrency)
    if (rate !== null) rates.set(currency, rate.rate)
  }
  return rates
}
