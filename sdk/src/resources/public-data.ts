import type { Answer, Call, CallOptions, QueryOf } from '../call.ts'

export type Currencies = {
  /** Every currency with its networks. Needs no key. */
  list(query?: QueryOf<'listCurrencies'>, options?: CallOptions): Promise<Answer<'listCurrencies'>>
}

export function currenciesOf(request: Call): Currencies {
  return { list: (query = {}, call = {}) => request('listCurrencies', { ...call, query }) }
}

/** Codes to filter by: one, several, or several in one string separated by commas. */
export type Codes = string | readonly string[]

export type RateFilter = {
  readonly currency?: Codes | undefined
  readonly fiat_currency?: Codes | undefined
}

export type Rates = {
  /** The fiat price of one unit of each currency. Needs no key. An empty list of codes matches nothing. */
  list(filter?: RateFilter, options?: CallOptions): Promise<Answer<'listRates'>>
}

export function ratesOf(request: Call): Rates {
  return {
    list: ({ currency, fiat_currency } = {}, call = {}) => {
      const query = { ...joined('currency', currency), ...joined('fiat_currency', fiat_currency) }
      return request('listRates', { ...call, query })
    },
  }
}

function joined<Name extends string>(name: Name, codes: Codes | undefined): { [Key in Name]?: string } {
  if (codes === undefined) return {}
  return { [name]: typeof codes === 'string' ? codes : codes.join(',') } as { [Key in Name]?: string }
}
