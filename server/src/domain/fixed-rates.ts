import type { CurrencyFacts } from './currencies.ts'
import { divide, parseDecimal } from './money.ts'
import { type Quote, rateDecimals } from './quote.ts'

/** The name of the fixed book as a source of rates. */
export const fixedSource = 'fixed'

const fiatPerUsd: Readonly<Record<string, string>> = {
  USD: '1',
  AED: '3.6725',
  ARS: '1400',
  AUD: '1.5',
  BDT: '120',
  BHD: '0.376',
  BRL: '5.5',
  CAD: '1.38',
  CHF: '0.82',
  CLP: '950',
  CNY: '7.2',
  COP: '4100',
  CZK: '22',
  DKK: '6.5',
  EGP: '49',
  EUR: '0.88',
  GBP: '0.75',
  GEL: '2.7',
  GHS: '12',
  HKD: '7.8',
  HUF: '350',
  IDR: '16400',
  ILS: '3.5',
  INR: '86',
  JPY: '148',
  KES: '129',
  KRW: '1390',
  KWD: '0.306',
  KZT: '520',
  LKR: '300',
  MAD: '9.2',
  MXN: '18.8',
  MYR: '4.3',
  NGN: '1550',
  NOK: '10.2',
  NZD: '1.68',
  PEN: '3.6',
  PHP: '57',
  PKR: '282',
  PLN: '3.7',
  QAR: '3.64',
  RON: '4.4',
  RUB: '80',
  SAR: '3.75',
  SEK: '9.6',
  SGD: '1.29',
  THB: '32.5',
  TRY: '40',
  TWD: '30',
  TZS: '2600',
  UAH: '41.5',
  UGX: '3600',
  UYU: '40',
  VND: '26000',
  ZAR: '17.8',
}

/** The fiat currencies of the fixed book. */
export const fixedFiatCurrencies: readonly string[] = Object.keys(fiatPerUsd)

/**
 * The book's rate for a currency with this price in USD, rounded down to 18 decimals; null when the currency has no price
 * or the fiat currency is not in the book.
 */
export function fixedRate(priceUsd: string | null, fiatCurrency: string): bigint | null {
  const price = priceUsd === null ? null : parseDecimal(priceUsd, rateDecimals)
  const text = Object.hasOwn(fiatPerUsd, fiatCurrency) ? fiatPerUsd[fiatCurrency] : undefined
  const perUsd = text === undefined ? null : parseDecimal(text, rateDecimals)
  if (price === null || perUsd === null) return null
  return divide(price * perUsd, 10n ** BigInt(rateDecimals), 'down')
}

/** The book's rates of these currencies as quotes of the source `fixed`, dated `now`: fixed rates never age. */
export function fixedQuotes(
  currencies: readonly Pick<CurrencyFacts, 'code' | 'sandboxPrice'>[],
  now: Date,
): Quote[] {
  return currencies.flatMap(({ code, sandboxPrice }) =>
    fixedFiatCurrencies.flatMap((fiatCurrency) => {
      const rate = fixedRate(sandboxPrice, fiatCurrency)
      return rate === null
        ? []
        : [{ source: fixedSource, currency: code, fiatCurrency, rate, fetchedAt: now }]
    }),
  )
}
