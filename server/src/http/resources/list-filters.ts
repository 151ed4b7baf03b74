import type { App } from '../../app/app.ts'
import { invalid } from '../../app/choose-asset.ts'
import { upperCode } from '../../domain/assets.ts'
import { fiatMinorDigits } from '../../domain/fiat.ts'
import { parseDecimalTo } from '../../domain/money.ts'
import type { InvoiceFilter } from '../../store/invoices/invoices.ts'
import type { LedgerFilter } from '../../store/ledger/ledger-list.ts'
import type { AmountRange, Narrowing } from '../../store/reports/list-page.ts'
import { timeFrom } from './values.ts'

type NarrowingQuery = {
  readonly cursor?: string
  readonly offset: number
  readonly created_after?: string
  readonly created_before?: string
  readonly currency?: string
  readonly amount_min?: string
  readonly amount_max?: string
  readonly metadata_key?: string
  readonly metadata_value?: string
  readonly search?: string
  readonly order?: 'newest_first' | 'oldest_first'
}

/** The currency that a list is filtered by, as codes are stored; null: any. */
export function currencyFrom({ currency }: { readonly currency?: string }): string | null {
  return currency === undefined ? null : upperCode(currency)
}

/** The same for a list that refuses a currency it does not know. */
export function knownCurrencyFrom(
  { assets }: Pick<App, 'assets'>,
  query: { readonly currency?: string },
): string | null {
  const currency = currencyFrom(query)
  if (currency !== null && !assets.some(({ code }) => code === currency))
    throw invalid('/currency: is not a supported currency; GET /v1/currencies lists them')
  return currency
}

/** What a ledger over all currencies is filtered by. */
export function ledgerFilterFrom(
  app: Pick<App, 'assets'>,
  query: {
    readonly currency?: string
    readonly entry_type?: string
    readonly reference_id?: string
    readonly created_after?: string
    readonly created_before?: string
  },
): LedgerFilter {
  return {
    currency: knownCurrencyFrom(app, query),
    entryType: query.entry_type ?? null,
    referenceId: query.reference_id ?? null,
    from: timeFrom(query.created_after),
    to: timeFrom(query.created_before),
  }
}

/** What a list is narrowed by; throws if parameters do not go together. */
export function narrowingFrom({ assets }: Pick<App, 'assets'>, query: NarrowingQuery): Narrowing {
  if (query.cursor !== undefined && query.offset > 0)
    throw invalid('/offset: must not be given together with cursor')
  if (query.metadata_value !== undefined && query.metadata_key === undefined)
    throw invalid('/metadata_key: is required with metadata_value')
  return {
    cursor: query.cursor ?? null,
    createdAfter: timeFrom(query.created_after),
    createdBefore: timeFrom(query.created_before),
    amounts: hasAmount(query) ? amountsIn(assets, query) : null,
    metadata:
      query.metadata_key === undefined
        ? null
        : { key: query.metadata_key, value: query.metadata_value ?? null },
    search: query.search ?? null,
    oldestFirst: query.order === 'oldest_first',
  }
}

type AmountQuery = Pick<NarrowingQuery, 'currency' | 'amount_min' | 'amount_max'>

function hasAmount({ amount_min, amount_max }: AmountQuery): boolean {
  return amount_min !== undefined || amount_max !== undefined
}

function amountsIn(assets: App['assets'], query: AmountQuery): AmountRange[] {
  const code = currencyFrom(query)
  if (code === null) throw invalid('/currency: is required with amount_min and amount_max')
  const currency = assets.find((known) => known.code === code)
  return (currency?.assets ?? []).map(({ network, decimals }) => ({
    network: network.id,
    ...rangeOf(query, decimals),
  }))
}

/** How an invoice's price is filtered. An amount is one of the price if no crypto currency is named. */
export function fiatFrom(
  query: AmountQuery & { readonly fiat_currency?: string },
): NonNullable<InvoiceFilter['fiat']> | null {
  if (query.fiat_currency === undefined) return null
  const currency = upperCode(query.fiat_currency)
  const digits = fiatMinorDigits(currency)
  if (query.currency !== undefined || digits === null) return { currency, least: null, most: null }
  return { currency, ...rangeOf(query, digits) }
}

// Only whole units match, so the least is rounded up and the most down.
function rangeOf({ amount_min, amount_max }: AmountQuery, decimals: number) {
  return {
    least: amount_min === undefined ? null : parseDecimalTo(amount_min, decimals, 'up'),
    most: amount_max === undefined ? null : parseDecimalTo(amount_max, decimals, 'down'),
  }
}
