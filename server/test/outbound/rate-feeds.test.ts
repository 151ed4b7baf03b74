import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OutageError } from '../../src/domain/errors.ts'
import { formatDecimal } from '../../src/domain/money.ts'
import { type Quote, rateDecimals } from '../../src/domain/quote.ts'
import { binanceFeed } from '../../src/outbound/rate-feeds/binance.ts'
import { coinbaseFeed } from '../../src/outbound/rate-feeds/coinbase.ts'
import { coingeckoFeed } from '../../src/outbound/rate-feeds/coingecko.ts'
import {
  type FeedOptions,
  FeedOutageError,
  maxAnswerBytes,
  maxRetryAfterMs,
  type QuotedCurrency,
  type RateFeed,
} from '../../src/outbound/rate-feeds/feed.ts'
import { krakenFeed } from '../../src/outbound/rate-feeds/kraken.ts'
import { currencies as shipped } from '../support/shop/registry.ts'
import { byUrl, fixture, type Replay, recorded, startReplay, status, text } from './rate-feed-replay.ts'

const now = new Date(1_785_143_390_000)

let replay: Replay
beforeEach(async () => {
  replay = await startReplay()
})
afterEach(() => replay.close())

// Currencies that the service does not ship with: a source is asked by the names given here.
const others: readonly QuotedCurrency[] = [
  {
    code: 'DOGE',
    sourceNames: {
      kraken: ['XDGUSD', 'XDGEUR', 'XDGGBP', 'XDGCAD', 'XDGAUD'],
      coinbase: 'DOGE',
      binance: 'DOGE',
      coingecko: 'dogecoin',
    },
  },
  {
    code: 'BCH',
    sourceNames: {
      kraken: ['BCHUSD', 'BCHEUR', 'BCHGBP', 'BCHJPY', 'BCHAUD', 'BCHCHF'],
      coinbase: 'BCH',
      binance: 'BCH',
      coingecko: 'bitcoin-cash',
    },
  },
  { code: 'TRX', sourceNames: { kraken: null, coinbase: 'TRX', binance: 'TRX', coingecko: null } },
  { code: 'NONE', sourceNames: { kraken: null, coinbase: null, binance: null, coingecko: null } },
]

function quoted(code: string): QuotedCurrency {
  const found = [...shipped, ...others].find((each) => each.code === code)
  if (found === undefined) throw new Error(`There are no source names for ${code}.`)
  return found
}

async function quotesOf(feed: RateFeed, codes: string[], fiatCurrencies: string[]): Promise<Quote[]> {
  return feed.fetchQuotes({ currencies: codes.map(quoted), fiatCurrencies, now })
}

async function ratesOf(feed: RateFeed, currencies: string[], fiatCurrencies: string[]) {
  const quotes = await quotesOf(feed, currencies, fiatCurrencies)
  for (const quote of quotes) expect(quote.source).toBe(feed.name)
  return Object.fromEntries(
    quotes.map((quote) => [
      `${quote.currency}/${quote.fiatCurrency}`,
      formatDecimal(quote.rate, rateDecimals),
    ]),
  )
}

async function outageOf(feed: RateFeed, currencies = ['BTC'], fiatCurrencies = ['EUR']) {
  const error = await quotesOf(feed, currencies, fiatCurrencies).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FeedOutageError)
  expect(error).toBeInstanceOf(OutageError)
  return error as FeedOutageError
}

describe('kraken', () => {
  const feed = () => krakenFeed({ baseUrl: replay.url })

  test('asks for the pairs by Kraken’s own names and reads the middle of bid and ask', async () => {
    replay.answer = recorded('kraken-ticker.json')
    expect(await ratesOf(feed(), ['BTC', 'DOGE', 'USDT'], ['USD', 'EUR'])).toEqual({
      'BTC/USD': '65231.95',
      'BTC/EUR': '57404.1',
      'DOGE/USD': '0.072635',
      'USDT/USD': '0.99905',
    })
    expect(replay.asked).toEqual(['/0/public/Ticker?pair=XXBTZUSD,XXBTZEUR,XDGUSD,XDGEUR,USDTZUSD,USDTEUR'])
  })

  test('uses the last trade if the spread is too wide, and gives no quote if there was no trade for a day', async () => {
    replay.answer = recorded('kraken-ticker.json')
    expect(await ratesOf(feed(), ['BCH', 'LTC'], ['AUD', 'CHF'])).toEqual({ 'BCH/AUD': '611.25' })
  })

  test('asks for all pairs if one is delisted, so that the others still have quotes', async () => {
    replay.answer = byUrl({ 'pair=': recorded('kraken-unknown-pair.json') }, recorded('kraken-ticker.json'))
    expect(await ratesOf(feed(), ['BTC'], ['USD'])).toEqual({ 'BTC/USD': '65231.95' })
    expect(replay.asked).toEqual(['/0/public/Ticker?pair=XXBTZUSD', '/0/public/Ticker'])
  })

  test('treats an error list with HTTP 200 as an outage, but not a warning beside a result', async () => {
    replay.answer = recorded('kraken-too-many-requests.json')
    expect((await outageOf(feed())).message).toBe('Rate feed kraken refused: EGeneral:Too many requests.')
    replay.answer = recorded('kraken-unknown-pair.json')
    expect((await outageOf(feed())).message).toContain('EQuery:Unknown asset pair')
    replay.answer = text('{"error":["WDatabase:slow"],"result":{"XXBTZEUR":{"c":["5.5","1"]}}}')
    expect(await ratesOf(feed(), ['BTC'], ['EUR'])).toEqual({ 'BTC/EUR': '5.5' })
    replay.answer = text('{"error":[]}')
    expect((await outageOf(feed())).message).toContain('without a result')
  })

  test('does not ask for pairs that Kraken does not trade', async () => {
    expect(await quotesOf(feed(), ['POL', 'NONE'], ['JPY', 'XYZ'])).toEqual([])
    expect(replay.asked).toEqual([])
  })
})

describe('coinbase', () => {
  const feed = () => coinbaseFeed({ baseUrl: replay.url })
  const known = {
    'currency=BTC': recorded('coinbase-btc.json'),
    'currency=USDT': recorded('coinbase-usdt.json'),
  }

  test('reads only fiat rates, digit by digit, however many there are', async () => {
    replay.answer = byUrl(known, status(500))
    expect(await ratesOf(feed(), ['BTC'], ['EUR', 'USD', 'JPY', 'KWD', 'ETH', 'USDT', '1INCH'])).toEqual({
      'BTC/EUR': '57410.123456789012345678',
      'BTC/USD': '65251.255',
      'BTC/JPY': '9657362.5',
      'BTC/KWD': '19966.82',
    })
    expect(replay.asked).toEqual(['/v2/exchange-rates?currency=BTC'])
  })

  test('loses only the quotes of a currency that Coinbase does not know', async () => {
    replay.answer = byUrl(known, recorded('coinbase-invalid-currency.json', 400))
    expect(await ratesOf(feed(), ['TRX', 'BTC', 'USDT'], ['USD'])).toEqual({
      'BTC/USD': '65251.255',
      'USDT/USD': '0.99925',
    })
  })

  test('fails if no currency gets an answer, with the longest wait requested', async () => {
    replay.answer = byUrl(
      {
        'currency=BTC': status(429, { 'retry-after': '5' }),
        'currency=ETH': status(429, { 'retry-after': '30' }),
      },
      recorded('coinbase-invalid-currency.json', 400),
    )
    const error = await outageOf(feed(), ['TRX', 'BTC', 'ETH'])
    expect(error.retryAfterMs).toBe(30_000)
    replay.answer = recorded('coinbase-invalid-currency.json')
    expect((await outageOf(feed(), ['TRX'])).message).toContain('Invalid currency (TRX)')
  })

  test('never accepts the rates of another currency than the one asked for', async () => {
    replay.answer = recorded('coinbase-usdt.json')
    expect((await outageOf(feed(), ['BTC'])).message).toContain('answered for a currency other than BTC')
  })
})

describe('binance', () => {
  const feed = () => binanceFeed({ baseUrl: replay.url })

  test('reads pairs quoted in fiat, asks only for symbols that trade, and never treats USDT as USD', async () => {
    replay.answer = recorded('binance-prices.json')
    expect(await ratesOf(feed(), ['BTC', 'DOGE', 'USDT'], ['USD', 'EUR', 'TRY', 'BRL', 'GBP'])).toEqual({
      'BTC/EUR': '57422.45',
      'BTC/TRY': '2611042',
      'BTC/BRL': '358990',
      'DOGE/EUR': '0.06388',
      'USDT/TRY': '40.01',
    })
    expect(replay.asked).toEqual(['/api/v3/ticker/price?symbolStatus=TRADING'])
  })

  test('does not treat a price of zero as a quote', async () => {
    replay.answer = recorded('binance-prices.json')
    expect(await quotesOf(feed(), ['SOL'], ['EUR'])).toEqual([])
  })

  test('makes no request that could yield no quote', async () => {
    expect(await quotesOf(feed(), ['BTC'], ['USD', 'GBP'])).toEqual([])
    expect(replay.asked).toEqual([])
  })

  test('reports Binance’s message, and how long it asks to wait', async () => {
    replay.answer = recorded('binance-invalid-symbol.json', 400)
    const refused = await outageOf(feed())
    expect(refused.message).toMatch(/^Rate feed binance answered HTTP 400: .*-1121.*Invalid symbol/)
    expect(refused.retryAfterMs).toBeNull()
    replay.answer = recorded('binance-too-much-weight.json', 429, { 'retry-after': '34' })
    expect((await outageOf(feed())).retryAfterMs).toBe(34_000)
    replay.answer = recorded('binance-banned.json', 418, { 'retry-after': '259200' })
    const banned = await outageOf(feed())
    expect(banned.message).toContain('IP banned until')
    expect(banned.retryAfterMs).toBe(maxRetryAfterMs)
    replay.answer = recorded('binance-invalid-symbol.json')
    expect((await outageOf(feed())).message).toContain('without a list of prices')
  })
})

describe('coingecko', () => {
  const feed = () => coingeckoFeed({ baseUrl: replay.url })

  test('reads bare numbers from their source text, exponents included', async () => {
    replay.answer = recorded('coingecko-price.json')
    expect(await ratesOf(feed(), ['BTC', 'DOGE', 'USDT', 'USDC', 'SOL'], ['USD', 'EUR', 'BTC'])).toEqual({
      'BTC/USD': '65244.12345678901',
      'BTC/EUR': '57411',
      'DOGE/USD': '0.0726379',
      'DOGE/EUR': '0.0639',
      'USDT/USD': '0.99912',
      'USDT/EUR': '0.00000012',
      'USDC/USD': '0.999999999999999999',
    })
    expect(replay.asked).toEqual([
      '/api/v3/simple/price?ids=bitcoin,dogecoin,tether,usd-coin,solana&vs_currencies=usd,eur&include_last_updated_at=true&precision=full',
    ])
  })

  test('dates a quote by its price, and never later than the answer', async () => {
    replay.answer = recorded('coingecko-price.json')
    const [bitcoin, tether] = await quotesOf(feed(), ['BTC', 'USDT'], ['USD'])
    expect(bitcoin?.fetchedAt).toEqual(new Date(1_785_143_380_000))
    expect(tether?.fetchedAt).toEqual(new Date(1_785_136_187_000))
    replay.answer = text('{"bitcoin":{"usd":5,"last_updated_at":1999999999}}')
    expect((await quotesOf(feed(), ['BTC'], ['USD']))[0]?.fetchedAt).toEqual(now)
  })

  test('gives no quote for a price of unknown age', async () => {
    for (const time of ['null', '"soon"', '-5', '1e99']) {
      replay.answer = text(`{"bitcoin":{"usd":5,"last_updated_at":${time}}}`)
      expect(await quotesOf(feed(), ['BTC'], ['USD'])).toEqual([])
    }
  })

  test('gives no quote for zero, negative, absurd and non-numeric prices', async () => {
    for (const price of ['0', '-5', '1e16', '1e-19', '1e999999', 'null', '"NaN"', '[5]', '{"a":5}']) {
      replay.answer = text(`{"bitcoin":{"usd":${price},"last_updated_at":1785143380}}`)
      expect(await quotesOf(feed(), ['BTC'], ['USD'])).toEqual([])
    }
  })

  test('recognises a rate limit by status and by body, as an outage', async () => {
    replay.answer = recorded('coingecko-rate-limited.json', 429, { 'retry-after': '7' })
    const limited = await outageOf(feed())
    expect(limited.message).toContain('exceeded the Rate Limit')
    expect(limited.retryAfterMs).toBe(7000)
    replay.answer = recorded('coingecko-rate-limited.json')
    expect((await outageOf(feed())).message).toBe('Rate feed coingecko refused with error 429.')
  })
})

const feeds: [name: string, make: (options: FeedOptions) => RateFeed][] = [
  ['kraken', krakenFeed],
  ['coinbase', coinbaseFeed],
  ['binance', binanceFeed],
  ['coingecko', coingeckoFeed],
]

describe.each(feeds)('every feed: %s', (_name, make) => {
  const feed = (options: FeedOptions = {}) => make({ baseUrl: replay.url, ...options })

  test('an error page instead of JSON is an outage, with any status', async () => {
    replay.answer = recorded('bad-gateway.html', 200, { 'content-type': 'text/html' })
    expect((await outageOf(feed())).message).toContain('did not answer with JSON')
    replay.answer = recorded('bad-gateway.html', 502, { 'content-type': 'text/html' })
    expect((await outageOf(feed())).message).toContain('HTTP 502')
  })

  test('truncated, empty, bare or endlessly nested JSON is an outage', async () => {
    const half = fixture('kraken-ticker.json').slice(0, 500)
    for (const body of [half, '', '5', 'null', '"text"', `${'['.repeat(500_000)}${']'.repeat(500_000)}`]) {
      replay.answer = text(body)
      await outageOf(feed())
    }
  })

  test('JSON of an unexpected shape is an outage or yields no quotes, and never throws another error', async () => {
    const shapes = [
      '{}',
      '[]',
      '[[]]',
      '{"data":[]}',
      '{"result":5,"error":"x"}',
      '{"bitcoin":5}',
      '[{"symbol":5}]',
    ]
    for (const body of [...shapes, '{"__proto__":{"result":{},"data":{}}}']) {
      replay.answer = text(body)
      const outcome = await quotesOf(feed(), ['BTC'], ['EUR']).catch((error: unknown) => error)
      if (!(outcome instanceof FeedOutageError)) expect(outcome).toEqual([])
    }
  })

  test('an answer that breaks off is an outage', async () => {
    replay.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"error":[]', () => response.destroy())
    }
    expect((await outageOf(feed())).message).toContain('could not be read')
  })

  test('an endless answer is cut off at the size limit', async () => {
    const closed = Promise.withResolvers<void>()
    replay.answer = (_request, response) => {
      response.writeHead(200)
      const flood = () => {
        while (response.write(' '.repeat(65_536)));
      }
      response.on('drain', flood).on('close', closed.resolve)
      flood()
    }
    expect((await outageOf(feed())).message).toContain(`more than ${maxAnswerBytes} bytes`)
    await closed.promise
  })

  test('a small answer that decompresses to a huge one is cut off at the size limit', async () => {
    const packed = gzipSync(Buffer.alloc(2 * maxAnswerBytes, 0x20))
    replay.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
    }
    expect((await outageOf(feed())).message).toContain('more than')
  })

  test('a feed that does not answer, or stops halfway, is given up at the deadline', async () => {
    replay.answer = () => {}
    expect((await outageOf(feed({ timeoutMs: 50 }))).message).toContain('did not answer in time')
    replay.answer = (_request, response) => {
      response.writeHead(200)
      response.write('{"error":')
    }
    expect((await outageOf(feed({ timeoutMs: 50 }))).message).toContain('did not answer in time')
  })

  test('a redirect is refused and not followed', async () => {
    replay.answer = status(302, { location: '/elsewhere' })
    await outageOf(feed())
    expect(replay.asked).toHaveLength(1)
  })

  test('a refused connection is an outage', async () => {
    const closedPort = await startReplay()
    await closedPort.close()
    expect((await outageOf(feed({ baseUrl: closedPort.url }))).message).toContain('ECONNREFUSED')
  })

  test('the requested wait may be a date, and is null if it is malformed', async () => {
    const inTwoMinutes = new Date(now.getTime() + 120_000).toUTCString()
    for (const [header, waitMs] of [
      [inTwoMinutes, 120_000],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
      ['soon', null],
      ['999999999', maxRetryAfterMs],
    ] as const) {
      replay.answer = status(503, { 'retry-after': header })
      expect((await outageOf(feed())).retryAfterMs).toBe(waitMs)
    }
    replay.answer = status(429)
    expect((await outageOf(feed())).retryAfterMs).toBeNull()
  })

  test('a foreign error text is reduced to one short line', async () => {
    replay.answer = text(`line\r\nline\u001b[31m ${'x'.repeat(100_000)}`, 500)
    const { message } = await outageOf(feed())
    expect(message).toMatch(/^[\x20-\x7e]{1,300}$/)
  })

  test('an abort by the caller ends the call with the caller’s reason', async () => {
    const stop = new AbortController()
    const reason = new Error('shutting down')
    replay.answer = () => stop.abort(reason)
    const call = feed().fetchQuotes({
      currencies: [quoted('BTC')],
      fiatCurrencies: ['EUR'],
      now,
      signal: stop.signal,
    })
    await expect(call).rejects.toBe(reason)
  })

  test('a base URL with a path keeps it', async () => {
    replay.answer = status(500)
    await outageOf(feed({ baseUrl: `${replay.url}/proxy/` }))
    expect(replay.asked[0]).toMatch(/^\/proxy\/(0|v2|api)\//)
  })
})
