import type { Randomness } from './randomness.ts'

/** What the demo shop sells: a coffee roaster, with prices in cents. */
const goods = [
  [14, 'Espresso Alba, 1 kg', 29_90],
  [12, 'Filter roast Guji, 500 g', 18_40],
  [9, 'Tasting box, four coffees', 34_00],
  [7, 'Coffee subscription, three months', 89_00],
  [6, 'Two mugs and a kettle', 64_50],
  [5, 'Hand grinder', 129_00],
  [4, 'Barista course, one evening', 75_00],
  [3, 'Espresso machine, used', 640_00],
  [3, 'Wholesale, 20 kg', 418_00],
  [1, 'Espresso machine Duo', 2_190_00],
] as const

const campaigns = ['autumn-2026', 'newsletter', 'fair', 'returning'] as const
const countries = ['AT', 'DE', 'CH', 'IT', 'NL', 'US'] as const

/** An asset that orders are paid in: how often, on which network, and round amounts for prices in the coin itself. */
export type Coin = { readonly currency: string; readonly network: string; readonly round: readonly string[] }

export const coins: readonly (readonly [weight: number, Coin])[] = [
  [26, { currency: 'BTC', network: 'bitcoin', round: ['0.0005', '0.0012', '0.005'] }],
  [16, { currency: 'ETH', network: 'ethereum', round: ['0.01', '0.024', '0.1'] }],
  [14, { currency: 'USDT', network: 'ethereum', round: ['25', '60', '140'] }],
  [10, { currency: 'USDC', network: 'base', round: ['20', '45', '99.5'] }],
  [9, { currency: 'LTC', network: 'litecoin', round: ['0.25', '0.6', '2'] }],
  [8, { currency: 'SOL', network: 'solana', round: ['0.15', '0.4', '1.2'] }],
  [7, { currency: 'BNB', network: 'bsc', round: ['0.04', '0.1', '0.35'] }],
  [6, { currency: 'XRP', network: 'xrp', round: ['12', '30', '75'] }],
  [4, { currency: 'USDT', network: 'polygon', round: ['15', '35', '80'] }],
]

export type Outcome = 'paid' | 'overpaid' | 'underpaid' | 'expired' | 'cancelled' | 'late'
const outcomes: readonly (readonly [weight: number, Outcome])[] = [
  [70, 'paid'],
  [13, 'expired'],
  [5, 'underpaid'],
  [4, 'overpaid'],
  [4, 'cancelled'],
  [4, 'late'],
]

/** An order and what becomes of it. */
export type Order = {
  readonly coin: Coin
  readonly outcome: Outcome
  /** What the payer sends instead of the amount, in thousandths of it. */
  readonly sentPerMille: number
  /** Whether the payer picks the coin on the payment page. */
  readonly isDeferred: boolean
  readonly price:
    | { readonly amount: string }
    | { readonly amount_fiat: string; readonly fiat_currency: string }
  readonly description: string
  readonly external_id: string
  readonly metadata: Readonly<Record<string, string>>
}

/** The shop's order number `at`. Each of the first six has another end, so that even the smallest run shows them all. */
export function orderAt(
  at: number,
  random: Randomness,
  offered: readonly (readonly [number, Coin])[],
): Order {
  const coin = random.weighted(offered)
  const outcome = at < outcomes.length ? (outcomes[at]?.[1] as Outcome) : random.weighted(outcomes)
  const [name, cents] = random.weighted(goods.map(([weight, ...rest]) => [weight, rest] as const))
  const pieces = random.weighted([
    [8, 1],
    [3, 2],
    [1, 3],
  ])
  const kind = random.weighted([
    [7, 'fiat'],
    [2, 'crypto'],
    [2, 'deferred'],
  ] as const)
  return {
    coin,
    outcome,
    sentPerMille: sentFor(outcome, random),
    isDeferred: kind === 'deferred',
    price:
      kind === 'crypto'
        ? { amount: random.pick(coin.round) }
        : { amount_fiat: fromCents(cents * pieces), fiat_currency: random.pick(['EUR', 'EUR', 'USD']) },
    description: pieces === 1 ? name : `${pieces} × ${name}`,
    external_id: `order-${10_001 + at}`,
    metadata: {
      customer: `C-${random.whole(1000, 1180)}`,
      country: random.pick(countries),
      ...(random.whole(1, 3) === 1 && { campaign: random.pick(campaigns) }),
    },
  }
}

function sentFor(outcome: Outcome, random: Randomness): number {
  if (outcome === 'underpaid') return random.whole(300, 900)
  if (outcome === 'overpaid') return random.whole(1_080, 1_600)
  return 1_000
}

function fromCents(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** This number of thousandths of a decimal, rounded down to its number of decimals, or to `digits`. */
export function perMilleOf(decimal: string, perMille: number, digits = 8): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const kept = Math.min(digits, Math.max(fraction.length, 6))
  const units = BigInt(`${whole}${fraction.slice(0, kept).padEnd(kept, '0')}`)
  const text = ((units * BigInt(perMille)) / 1_000n).toString().padStart(kept + 1, '0')
  const decimals = text.slice(-kept).replace(/0+$/, '')
  return `${text.slice(0, -kept)}${decimals === '' ? '' : `.${decimals}`}`
}
