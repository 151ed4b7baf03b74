import { divide, parseDecimal } from './money.ts'
import { type Quote, rateDecimals } from './quote.ts'

/** The name of the fixed book as a source of rates. */
export const fixedSource = 'fixed'

/**
 * Round prices for a sandbox without network. The same book is the yardstick that tells an inverted quote from an
 * upright one when there is nothing better, so a price may be old but must stay on the right side of 1.
 */
const usdPrices: Readonly<Record<string, string>> = {
  BTC: '60000',
  LTC: '80',
  ETH: '2500',
  USDT: '1',
  USDC: '1',
  AVAX: '20',
  SOL: '150',
  XRP: '2',
  DOGE: '0.15',
  BCH: '400',
  POL: '0.25',
  BNB: '600',
  TRX: '0.25',
}

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

/** The coins and the fiat currencies of the fixed book; every pair of them has a rate. */
export const fixedCurrencies: readonly string[] = Object.keys(usdPrices)
export const fixedFiatCurrencies: readonly string[] = Object.keys(fiatPerUsd)

/** The book's rate of a pair, rounded down to 18 decimals, or null when the pair is not in the book. */
export function fixedRate(currency: string, fiatCurrency: string): bigint | null {
  const price = read(usdPrices, currency)
  const perUsd = read(fiatPerUsd, fiatCurrency)
  if (price === null || perUsd === null) return null
  return divide(price * perUsd, 10n ** BigInt(rateDecimals), 'down')
}

/** The whole book as quotes of the source `fixed`, as of `now`: fixed rates are always up to date. */
export function fixedQuotes(now: Date): Quote[] {
  return fixedCurrencies.flatMap((currency) =>
    fixedFiatCurrencies.flatMap((fiatCurrency) => {
      const rate = fixedRate(currency, fiatCurrency)
      return rate === null ? [] : [{ source: fixedSource, currency, fiatCurrency, rate, fetchedAt: now }]
    }),
  )
}

function read(table: Readonly<Record<string, string>>, code: string): bigint | null {
  const text = Object.hasOwn(table, code) ? table[code] : undefined
  return text === undefined ? null : parseDecimal(text, rateDecimals)
}
