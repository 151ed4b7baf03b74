import type { CheckoutOffer } from '@sluice/web/contract'

/** A currency and the networks it can be sent on. */
export type OfferGroup = {
  readonly currency: string
  readonly name: string
  readonly offers: readonly CheckoutOffer[]
}

/** The form value of an offer: `USDT@ethereum`. */
export function offerValue({ currency, network }: Pick<CheckoutOffer, 'currency' | 'network'>): string {
  return `${currency}@${network}`
}

/** The offers by currency, in their original order. */
export function groupOffers(offers: readonly CheckoutOffer[]): OfferGroup[] {
  return [...Map.groupBy(offers, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    name: group[0]?.currency_name ?? currency,
    offers: group,
  }))
}

/** The offers that match every word of a search, in any of their names. */
export function findOffers(offers: readonly CheckoutOffer[], query: string): CheckoutOffer[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return offers.filter((offer) => {
    const names = [offer.currency, offer.currency_name, offer.network_name, offer.token_standard ?? '']
    const text = names.join(' ').toLowerCase()
    return words.every((word) => text.includes(word) || text.replaceAll('-', '').includes(word))
  })
}

/** The lowest network fee, in fiat, of those offers that can be chosen; null where none is known. */
export function lowestFee(offers: readonly CheckoutOffer[]): string | null {
  return knownFees(offers)[0] ?? null
}

// Fees are estimates and change by the minute: a lowest one that is hardly lower decides nothing.
const timesLowest = 2n
const minorUnitsMore = 10n

/**
 * The lowest network fee, in fiat, if it is worth a mark: the highest is at least twice as high, and higher by at least ten of
 * the currency's smallest units, and no more than half of the known fees are as low, nor of the currencies. Otherwise null: a
 * mark on most of what is seen marks nothing.
 */
export function notableFee(offers: readonly CheckoutOffer[]): string | null {
  const fees = knownFees(offers)
  const [lowest, highest] = [fees[0], fees.at(-1)]
  if (lowest === undefined || highest === undefined) return null
  const isMuchLower =
    minorUnits(highest) >= minorUnits(lowest) * timesLowest &&
    minorUnits(highest) - minorUnits(lowest) >= minorUnitsMore
  const currencies = groupOffers(offers).flatMap((group) => lowestFee(group.offers) ?? [])
  const isRare = (among: readonly string[]) =>
    among.filter((fee) => fee === lowest).length * 2 <= among.length
  return isMuchLower && isRare(fees) && (currencies.length === 1 || isRare(currencies)) ? lowest : null
}

/** The known fees, in fiat, of the offers that can be chosen, the lowest first. */
function knownFees(offers: readonly CheckoutOffer[]): string[] {
  return offers
    .flatMap(({ status, network_fee_fiat: fee }) => (status === 'available' && fee !== null ? fee : []))
    .toSorted((one, other) => (minorUnits(one) < minorUnits(other) ? -1 : 1))
}

// All fees on a page are in one fiat currency, each with all its minor digits.
function minorUnits(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}
