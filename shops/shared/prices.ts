import { rounded } from './decimals.ts'

/**
 * Minor digits by ISO 4217 where they are not two; Sluice goes by the same list. `Intl` is no substitute: it goes by CLDR,
 * which differs for a dozen currencies.
 */
const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

export type Price = { readonly amount: string; readonly currency: string }

/** A shop's amount as a price that can be paid: upper case, and rounded half up to the currency's minor digits. */
export function priceOf(amount: string, currencyCode: string): Price {
  const currency = currencyCode.toUpperCase()
  const digits = without.includes(currency) ? 0 : withThree.includes(currency) ? 3 : 2
  return { amount: rounded(amount, digits), currency }
}
