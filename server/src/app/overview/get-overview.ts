import type { Caller } from '../../domain/caller.ts'
import { type InvoiceStatus, invoiceStatuses } from '../../domain/invoices.ts'
import type { App } from '../app.ts'
import { type CurrencyBalance, listBalances } from '../balances/list-balances.ts'
import { usableRate } from '../rates/price.ts'
import { merchantNow } from '../test-clock/merchant-now.ts'
import { type AssetReceived, receivedByAsset } from './by-asset.ts'
import { type Attention, listAttention } from './list-attention.ts'
import { type DayValues, dayOf, sumDays } from './sum-days.ts'

export type Overview = DayValues & {
  readonly baseCurrency: string
  readonly byAsset: readonly AssetReceived[]
  readonly balances: readonly CurrencyBalance[]
  /** The sum of the available balances that have a rate. */
  readonly balanceInBaseCurrency: bigint
  readonly invoices: readonly { readonly status: InvoiceStatus; readonly count: number }[]
  readonly attention: readonly Attention[]
}

/**
 * Money in and out over the last days, the balances, and what needs attention. Reads stored sums only, so that its cost does
 * not grow with the number of invoices.
 */
export async function getOverview(app: App, caller: Caller, days: number): Promise<Overview> {
  const { baseCurrency } = caller.merchant
  const today = dayOf(await merchantNow(app, caller))
  const [rows, balances, counts] = await Promise.all([
    app.reading((store) => store.dailySums.list(caller, today, days * 2)),
    listBalances(app, caller),
    app.reading((store) => store.attention.invoicesByStatus(caller)),
  ])
  const period = { today, days, baseCurrency }
  const rates = await ratesFor(app, caller, rows)
  const values = sumDays(rows, period, rates)
  const unpriced = balances.filter(
    (balance) => balance.availableInBaseCurrency === null && balance.availableUnits !== 0n,
  )
  return {
    ...values,
    withoutRate: [...new Set([...values.withoutRate, ...unpriced.map(({ currency }) => currency)])].sort(),
    baseCurrency,
    byAsset: receivedByAsset(rows, period, rates, app.assets),
    balances,
    balanceInBaseCurrency: balances.reduce(
      (sum, { availableInBaseCurrency }) => sum + (availableInBaseCurrency ?? 0n),
      0n,
    ),
    invoices: invoiceStatuses.map((status) => ({ status, count: counts.get(status) ?? 0 })),
    attention: await listAttention(app, caller, balances),
  }
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
