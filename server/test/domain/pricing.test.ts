import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Currency, registryOf } from '../../src/domain/assets.ts'
import { formatDecimal } from '../../src/domain/money.ts'
import { shippedNetworks } from '../../src/domain/networks/shipped.ts'
import { askedUnits, fiatForUnits, unitsForFiat, valueAsRecorded } from '../../src/domain/pricing.ts'
import { maxRate, parseRate } from '../../src/domain/quote.ts'

const rate = (text: string) => parseRate(text) ?? 0n

it.each([
  ['49.90 USD at 50000', 4_990n, 2, '50000', 8, 99_800n],
  ['a third of a whole unit of currency, rounded up', 1_00n, 2, '3', 8, 33_333_334n],
  ['exactly one whole unit of currency', 3_00n, 2, '3', 8, 100_000_000n],
  ['the smallest fiat amount still costs one unit', 1n, 2, '1000000', 6, 1n],
  ['a currency without minor digits', 500n, 0, '250', 6, 2_000_000n],
  ['three minor digits', 1_500n, 3, '1.5', 18, 10n ** 18n],
])('%s', (_, amount, minorDigits, price, decimals, units) => {
  expect(unitsForFiat({ amount, minorDigits }, rate(price), decimals)).toBe(units)
})

const amounts = fc.record({
  amount: fc.bigInt(1n, 10n ** 15n),
  minorDigits: fc.constantFrom(0, 2, 3),
  rate: fc.bigInt(1n, maxRate),
  decimals: fc.constantFrom(0, 6, 8, 9, 18),
})

it('the requested amount is worth at least the price, and one unit less is not', () => {
  fc.assert(
    fc.property(amounts, ({ amount, minorDigits, rate: price, decimals }) => {
      const units = unitsForFiat({ amount, minorDigits }, price, decimals)
      const worth = (count: bigint) => count * price * 10n ** BigInt(minorDigits)
      const wanted = amount * 10n ** BigInt(decimals + 18)
      expect(units).toBeGreaterThan(0n)
      expect(worth(units) >= wanted && worth(units - 1n) < wanted).toBe(true)
    }),
  )
})

it('the value of units is rounded down, by less than one minor unit', () => {
  fc.assert(
    fc.property(amounts, ({ amount: units, minorDigits, rate: price, decimals }) => {
      const fiat = fiatForUnits(units, decimals, price, minorDigits, 'down')
      const exact = units * price * 10n ** BigInt(minorDigits)
      const scale = 10n ** BigInt(decimals + 18)
      expect(fiat * scale <= exact && (fiat + 1n) * scale > exact).toBe(true)
    }),
  )
})

it('what is asked is worth the price, and at most one unit that can be entered more than the exact amount', () => {
  const minor = fc.bigInt(1n, 10n ** 12n)
  const networks = fc.constantFrom(
    ...registryOf(shippedNetworks).flatMap((currency) =>
      currency.assets.map((asset) => ({ currency, asset })),
    ),
  )
  fc.assert(
    fc.property(
      minor,
      fc.constantFrom(0, 2, 3),
      fc.bigInt(1n, maxRate),
      networks,
      (amount, minorDigits, at, { currency, asset }) => {
        const price = { amount, minorDigits }
        const units = askedUnits(price, at, currency, asset)
        const exact = unitsForFiat(price, at, asset.decimals)
        const enterable = currency.kind === 'token' && ['USDC', 'USDT'].includes(currency.code) ? 6 : 8
        const step = 10n ** BigInt(Math.max(0, asset.decimals - enterable))
        expect(units % step).toBe(0n)
        expect(units).toBeGreaterThanOrEqual(exact)
        expect(units - exact).toBeLessThan(step)
        expect(fiatForUnits(units, asset.decimals, at, minorDigits, 'down')).toBeGreaterThanOrEqual(amount)
      },
    ),
  )
})

it.each([
  ['ether: 8 of 18', 'ETH', 18, '19.95', '2199.99', '0.00906823'],
  ['Tether with 18: 6', 'USDT', 18, '49.90', '0.88', '56.704546'],
  ['USD Coin with 6', 'USDC', 6, '49.90', '0.88', '56.704546'],
  ['SOL: 8 of 9', 'SOL', 9, '10.00', '147.53', '0.06778283'],
  ['bitcoin: 8', 'BTC', 8, '49.90', '50000', '0.000998'],
  ['XRP has 6', 'XRP', 6, '10.00', '3', '3.333334'],
  [
    'the smallest price costs the smallest amount that can be entered',
    'ETH',
    18,
    '0.01',
    '999999999',
    '0.00000001',
  ],
])(
  'what a payer is asked has no more decimals than can be entered, rounded up: %s',
  (_, code, decimals, price, at, asked) => {
    const currency = registryOf(shippedNetworks).find((each) => each.code === code)
    const amount = BigInt(price.replace('.', ''))
    const units = askedUnits({ amount, minorDigits: 2 }, rate(at), currency as Currency, { decimals })
    expect(formatDecimal(units, decimals)).toBe(asked)
  },
)

it('a part has its share of a recorded value, and so has more than the whole where that value tells the rate', () => {
  const recorded = { amountUnits: 300n, amountInBaseCurrency: 1_000n }
  expect([300n, 100n, 1n, 600n].map((units) => valueAsRecorded(units, recorded))).toEqual([
    1_000n,
    333n,
    3n,
    2_000n,
  ])
  const tiny = { amountUnits: 300n, amountInBaseCurrency: 99n }
  expect([300n, 301n].map((units) => valueAsRecorded(units, tiny))).toEqual([99n, null])
})
