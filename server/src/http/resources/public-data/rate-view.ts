import type { Rate as RateView } from '@sluice/sdk/contract'
import type { BookedRate } from '../../../app/rates/rate-book.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { rateDecimals } from '../../../domain/quote.ts'

export function rateView(rate: BookedRate): RateView {
  return {
    currency: rate.currency,
    fiat_currency: rate.fiatCurrency,
    rate: formatDecimal(rate.rate, rateDecimals),
    source: rate.sources.join(','),
    updated_at: rate.updatedAt.toISOString(),
    stale: rate.stale,
  }
}
