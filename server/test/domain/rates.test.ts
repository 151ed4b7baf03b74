import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fiatCodes, fiatMinorDigits } from '../../src/domain/fiat.ts'
import { fixedFiatCurrencies, fixedQuotes, fixedRate } from '../../src/domain/fixed-rates.ts'
import { formatDecimal } from '../../src/domain/money.ts'
import { maxRate, parseRate, type Quote, rateDecimals } from '../../src/domain/quote.ts'
import { isStale, defaultRatePolicy as policy, type SettledRate, settleRate } from '../../src/domain/rates.ts'
import { currencies } from '../support/shop/registry.ts'

const now = new Date('2026-07-27T09:09:50Z')
const minute = 60_000
const hour = 60 * minute

function ago(ms: number): Date {
  return new Date(now.getTime() - ms)
}

function rate(text: string): bigint {
  const parsed = parseRate(text)
  if (parsed === null) throw new RangeError(`${text} is not a rate`)
  return parsed
}

function quote(source: string, price: string, ageMs = 0, pair = 'BTC/USD'): Quote {
  const [currency = '', fiatCurrency = ''] = pair.split('/')
  return { source, currency, fiatCurrency, rate: rate(price), fetchedAt: ago(ageMs) }
}

function previous(price: string, ageMs: number, sources = ['kraken']): SettledRate {
  return { rate: rate(price), sources, updatedAt: ago(ageMs), stale: false }
}

/** The fixed book's rate for a quote's pair. */
function bookRate({ currency, fiatCurrency }: Quote): bigint | null {
  const known = currencies.find(({ code }) => code === currency)
  return fixedRate(known?.sandboxPrice ?? null, fiatCurrency)
}

/** The settled rate in one line: the price and its sources, or the reason why there is none. */
function settle(quotes: Quote[], last: SettledRate | null = null): string {
  const [first] = quotes
  const book = first === undefined ? null : bookRate(first)
  const result = settleRate(quotes, book, last, policy, now)
  if (result.rate === null) return result.reason
  const price = formatDecimal(result.rate, rateDecimals)
  return `${price} ${result.sources.join('+')}${result.stale ? ' stale' : ''}`
}

describe('parsing a rate', () => {
  test.each([
    ['65232.00000', '65232'],
    ['1.2e-7', '0.00000012'],
    ['6.5E+4', '65000'],
    ['0.999999999999999999', '0.999999999999999999'],
    ['0.9999999999999999999', '0.999999999999999999'],
    ['57410.123456789012345678901', '57410.123456789012345678'],
    ['1e15', '1000000000000000'],
  ])('%s is %s', (text, exact) => {
    expect(formatDecimal(rate(text), rateDecimals)).toBe(exact)
  })

  test.each([
    '0',
    '0.0',
    '-1',
    '+1',
    '',
    ' 1',
    '1 ',
    '1,5',
    '.5',
    '5.',
    '01',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    'e5',
    '1e16',
    '1000000000000000.1',
    '1e-19',
    '1e41',
    '1e999',
    '1e-999',
    '1e9999999',
    '9'.repeat(81),
  ])('%s is not a rate', (text) => {
    expect(parseRate(text)).toBeNull()
  })

  test('every rate is parsed back exactly from its decimal', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, maxRate), (units) => {
        expect(parseRate(formatDecimal(units, rateDecimals))).toBe(units)
      }),
    )
  })

  test('exponent notation is parsed like the plain decimal', () => {
    const digits = fc.integer({ min: 1, max: 999_999 })
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 18 }), (mantissa, places) => {
        expect(parseRate(`${mantissa}e-${places}`)).toBe(BigInt(mantissa) * 10n ** BigInt(18 - places))
      }),
    )
  })
})

describe('several sources', () => {
  test('the median of an odd number of quotes is the middle one', () => {
    expect(settle([quote('a', '60100'), quote('b', '60000'), quote('c', '60300')])).toBe('60100 a+b+c')
  })

  test('the median of an even number of quotes is the mean of the middle two, rounded down', () => {
    expect(settle([quote('a', '60000'), quote('b', '60100')])).toBe('60050 a+b')
    expect(settle([quote('a', '1.000000000000000002'), quote('b', '1.000000000000000003')])).toBe(
      '1.000000000000000002 a+b',
    )
  })

  test('one source that is far off, inverted or near zero is outvoted and not named', () => {
    for (const wrong of ['600000', '6000', '0.0000166', '0.000000000000000001', '1e15']) {
      expect(settle([quote('a', '60000'), quote('liar', wrong), quote('c', '60200')])).toMatch(
        /^60(000|200) a\+c$/,
      )
    }
  })

  test('a deviation of exactly 10 % still agrees, and a little more does not', () => {
    expect(settle([quote('a', '100'), quote('b', '100'), quote('c', '110')])).toBe('100 a+b+c')
    expect(settle([quote('a', '100'), quote('b', '100'), quote('c', '110.000001')])).toBe('100 a+b')
  })

  test('without a majority near the median there is no rate', () => {
    expect(settle([quote('a', '60000'), quote('b', '80000'), quote('c', '100000')])).toBe('sources_disagree')
    expect(settle([quote('a', '60000'), quote('b', '90000')])).toBe('sources_disagree')
  })

  test('two camps of equal size are decided by the previous rate if it is recent', () => {
    const two = [quote('a', '60000'), quote('b', '90000')]
    expect(settle(two, previous('61000', 5 * minute))).toBe('60000 a')
    expect(settle(two, previous('89000', 60 * minute))).toBe('90000 b')
    expect(settle(two, previous('61000', 60 * minute + 1))).toBe('sources_disagree')
    expect(settle(two, previous('75000', 5 * minute))).toBe('sources_disagree')
    const four = [...two, quote('c', '60200'), quote('d', '91000')]
    expect(settle(four, previous('61000', 5 * minute))).toBe('60100 a+c')
  })

  test('the previous rate never gives a minority the decision', () => {
    const three = [quote('a', '60000'), quote('b', '80000'), quote('c', '100000')]
    expect(settle(three, previous('60000', minute))).toBe('sources_disagree')
  })

  test('a majority is believed even if the market has left the previous rate', () => {
    expect(settle([quote('a', '20000'), quote('b', '20100')], previous('60000', minute))).toBe('20050 a+b')
  })

  test('a source has one vote, that of its newest quote', () => {
    const quotes = [
      quote('a', '90000', minute),
      quote('a', '60000'),
      quote('b', '60100'),
      quote('a', '90000', 2),
    ]
    expect(settle(quotes)).toBe('60050 a+b')
  })

  test('quotes of different pairs are a mistake of the caller', () => {
    expect(() => settle([quote('a', '1'), quote('b', '1', 0, 'BTC/EUR')])).toThrow(RangeError)
  })
})

describe('age', () => {
  test('a quote older than ten minutes, or from the future, does not count', () => {
    const good = [quote('a', '60000'), quote('b', '60000')]
    expect(settle([...good, quote('c', '60100', 10 * minute)])).toBe('60000 a+b+c')
    expect(settle([...good, quote('c', '60100', 10 * minute + 1)])).toBe('60000 a+b')
    expect(settle([...good, quote('c', '60100', -minute)])).toBe('60000 a+b+c')
    expect(settle([...good, quote('c', '60100', -minute - 1)])).toBe('60000 a+b')
    expect(settle([...good, quote('c', '60100', Number.NaN)])).toBe('60000 a+b')
  })

  test('the rate is as recent as the newest quote that supports it, and never from the future', () => {
    const updatedAt = (quotes: Quote[]) => {
      const result = settleRate(quotes, null, null, policy, now)
      return result.rate === null ? null : result.updatedAt
    }
    expect(updatedAt([quote('a', '60000', 9000), quote('b', '60000', 5000), quote('liar', '1')])).toEqual(
      ago(5000),
    )
    expect(updatedAt([quote('a', '60000', -3000), quote('b', '60000', 5000)])).toEqual(now)
  })

  test('without a fresh quote the previous rate is kept, and becomes stale once it is too old', () => {
    expect(settle([], previous('60000', 10 * minute))).toBe('60000 kraken')
    expect(settle([], previous('60000', 10 * minute + 1))).toBe('60000 kraken stale')
    expect(settle([quote('a', '61000', hour)], previous('60000', 3 * hour))).toBe('60000 kraken stale')
    expect(settle([], previous('60000', -2 * minute))).toBe('60000 kraken stale')
    expect(settle([])).toBe('no_quotes')
    expect(settle([quote('a', '61000', hour)])).toBe('no_quotes')
  })

  test('a fixed rate is never stale, and never replaces a live one', () => {
    const fixed = previous('60000', 48 * hour, ['fixed'])
    expect(isStale(fixed, policy, now)).toBe(false)
    expect(isStale(previous('60000', 48 * hour), policy, now)).toBe(true)
    expect(settle([], fixed)).toBe('no_quotes')
    expect(settle([quote('a', '150000')], previous('60000', minute, ['fixed']))).toBe('150000 a')
  })
})

describe('a single source', () => {
  test('is believed within a factor of two of the previous rate of the last day', () => {
    expect(settle([quote('a', '119000')], previous('60000', 23 * hour))).toBe('119000 a')
    expect(settle([quote('a', '30000')], previous('60000', 24 * hour))).toBe('30000 a')
    expect(settle([quote('a', '121000')], previous('60000', minute))).toBe('single_source_unconfirmed')
    expect(settle([quote('a', '29000')], previous('60000', minute))).toBe('single_source_unconfirmed')
  })

  test('is checked against the fixed book if there is no such previous rate', () => {
    expect(settle([quote('a', '150000')])).toBe('150000 a')
    expect(settle([quote('a', '150000')], previous('60000', 24 * hour + 1))).toBe('150000 a')
    expect(settle([quote('a', '61000000')])).toBe('single_source_unconfirmed')
    expect(settle([quote('a', '59')])).toBe('single_source_unconfirmed')
  })

  test('is not believed where neither can confirm it', () => {
    expect(settle([quote('a', '5', 0, 'NEW/USD')])).toBe('single_source_unconfirmed')
    expect(settle([quote('a', '5', 0, 'NEW/USD')], previous('4', hour))).toBe('5 a')
  })

  test('is refused if it inverts any pair of the book, and believed if it does not', () => {
    for (const { currency, fiatCurrency, rate: upright } of fixedQuotes(currencies, now)) {
      const inverted = 10n ** 36n / upright
      const [low, high] = inverted < upright ? [inverted, upright] : [upright, inverted]
      const outcome = (price: bigint, last: SettledRate | null) =>
        settleRate(
          [{ source: 'a', currency, fiatCurrency, rate: price, fetchedAt: now }],
          upright,
          last,
          policy,
          now,
        ).rate
      const last = { rate: upright, sources: ['b'], updatedAt: ago(hour), stale: false }
      for (const reference of [null, last]) {
        expect(outcome(upright, reference)).toBe(upright)
        // Within two per cent, the two are the same price.
        if (high * 100n > low * 102n) expect(outcome(inverted, reference)).toBeNull()
      }
    }
  })
})

describe('for any quotes', () => {
  const anyQuote = fc
    .record({
      source: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      rate: fc.oneof(fc.bigInt(1n, maxRate), fc.bigInt(rate('55000'), rate('66000'))),
      // Often the same age, so that quotes of one source with equal age occur.
      ageMs: fc.oneof(fc.constantFrom(0, minute), fc.integer({ min: -2 * minute, max: 12 * minute })),
    })
    .map(({ ageMs, ...rest }): Quote => {
      return { ...rest, currency: 'BTC', fiatCurrency: 'USD', fetchedAt: ago(ageMs) }
    })
  const anyQuotes = fc.array(anyQuote, { maxLength: 8 })
  const anyPrevious = fc.option(
    fc.record({
      rate: fc.oneof(fc.bigInt(1n, maxRate), fc.bigInt(rate('55000'), rate('66000'))),
      sources: fc.constant(['z']),
      updatedAt: fc.integer({ min: -hour, max: 30 * hour }).map(ago),
      stale: fc.boolean(),
    }),
  )

  test('a settled rate lies between the lowest and the highest of the quotes it names', () => {
    fc.assert(
      fc.property(anyQuotes, (quotes) => {
        const result = settleRate(quotes, null, null, policy, now)
        if (result.rate === null) return
        const rates = quotes
          .filter(({ source }) => result.sources.includes(source))
          .map((named) => named.rate)
        expect(rates.some((each) => each <= result.rate)).toBe(true)
        expect(rates.some((each) => each >= result.rate)).toBe(true)
        expect(result.stale).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('the order of the quotes never matters', () => {
    const shuffled = anyQuotes.chain((quotes) =>
      fc.tuple(fc.constant(quotes), fc.shuffledSubarray(quotes, { minLength: quotes.length })),
    )
    fc.assert(
      fc.property(shuffled, anyPrevious, ([quotes, other], last) => {
        expect(settleRate(other, null, last, policy, now)).toEqual(
          settleRate(quotes, null, last, policy, now),
        )
      }),
      { numRuns: 500 },
    )
  })

  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const fresh = (source: string, price: bigint): Quote => {
    return { source, currency: 'BTC', fiatCurrency: 'USD', rate: price, fetchedAt: now }
  }
  const liar = fc.oneof(fc.bigInt(1n, maxRate), fc.bigInt(rate('40000'), rate('90000')))

  test('one liar among three or more sources neither moves the rate out of the honest range nor prevents a rate', () => {
    const honest = fc.array(fc.bigInt(rate('60000'), rate('66000')), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(honest, liar, anyPrevious, (prices, lie, last) => {
        const quotes = prices.map((price, index) => fresh(names[index] ?? '', price))
        const result = settleRate([...quotes, fresh('liar', lie)], null, last, policy, now)
        const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1))
        expect(result.rate).not.toBeNull()
        expect(result.rate).toBeGreaterThanOrEqual(sorted[0] ?? 0n)
        expect(result.rate).toBeLessThanOrEqual(sorted.at(-1) ?? 0n)
      }),
      { numRuns: 500 },
    )
  })

  test('one liar does neither when the honest sources are far apart', () => {
    const honest = fc.array(fc.bigInt(rate('40000'), rate('90000')), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(honest, liar, (prices, lie) => {
        const quotes = prices.map((price, index) => fresh(names[index] ?? '', price))
        const result = settleRate([...quotes, fresh('liar', lie)], null, null, policy, now)
        if (result.rate === null) return
        const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1))
        expect(result.rate).toBeGreaterThanOrEqual(sorted[0] ?? 0n)
        expect(result.rate).toBeLessThanOrEqual(sorted.at(-1) ?? 0n)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the fixed book', () => {
  test('is the cross product of prices and fiat currencies, in integers', () => {
    expect(formatDecimal(fixedRate('60000', 'USD') ?? 0n, rateDecimals)).toBe('60000')
    expect(formatDecimal(fixedRate('60000', 'EUR') ?? 0n, rateDecimals)).toBe('52800')
    expect(formatDecimal(fixedRate('0.15', 'KWD') ?? 0n, rateDecimals)).toBe('0.0459')
    expect(fixedRate('60000', 'XYZ')).toBeNull()
    expect(fixedRate('60000', 'toString')).toBeNull()
    expect(fixedRate(null, 'USD')).toBeNull()
    expect(fixedQuotes(currencies, now)).toHaveLength(currencies.length * fixedFiatCurrencies.length)
    expect(fixedQuotes([{ code: 'BTC', sandboxPrice: '60000' }], now)[0]).toEqual({
      source: 'fixed',
      currency: 'BTC',
      fiatCurrency: 'USD',
      rate: rate('60000'),
      fetchedAt: now,
    })
    expect(fixedQuotes([{ code: 'DAI', sandboxPrice: null }], now)).toEqual([])
  })

  test('names real fiat currencies only', () => {
    for (const code of fixedFiatCurrencies) expect(fiatMinorDigits(code)).not.toBeNull()
  })
})

describe('fiat currencies', () => {
  test('have the minor digits of ISO 4217', () => {
    const digits = (codes: string) => codes.split(' ').map(fiatMinorDigits)
    expect(digits('USD EUR GBP HUF PKR COP IRR')).toEqual([2, 2, 2, 2, 2, 2, 2])
    expect(digits('JPY KRW VND CLP ISK XOF')).toEqual([0, 0, 0, 0, 0, 0])
    expect(digits('KWD BHD OMR JOD TND LYD IQD')).toEqual([3, 3, 3, 3, 3, 3, 3])
  })

  test('are well formed, listed once, and exclude cryptocurrencies, metals, funds and withdrawn codes', () => {
    expect(fiatCodes.length).toBeGreaterThan(150)
    expect(new Set(fiatCodes).size).toBe(fiatCodes.length)
    for (const code of fiatCodes) expect(code).toMatch(/^[A-Z]{3}$/)
    for (const code of ['BTC', 'USDT', 'XAU', 'XDR', 'CLF', 'XTS', 'HRK', 'usd', '', 'constructor']) {
      expect(fiatMinorDigits(code)).toBeNull()
    }
  })
})
