import type { PayoutQuote as QuoteView } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { type PayoutQuote, payoutQuoter } from '../../../app/payouts/quote-payout.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { rateDecimals } from '../../../domain/quote.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok } from '../../reply.ts'

/** What the form of a new payout shows before there is a payout. */
export function dashboardPayoutQuote(app: App): Pick<DashboardHandlers, 'getPayoutQuote'> {
  const quote = payoutQuoter(app)
  return {
    getPayoutQuote: async ({ caller, query }) => {
      const { currency, network = null, destination = null, destination_tag: destinationTag = null } = query
      return ok(quoteView(await quote(caller, { currency, network, destination, destinationTag })))
    },
  }
}

function quoteView({
  currency,
  network,
  decimals,
  availableUnits,
  networkFeeUnits,
  most,
  rate,
}: PayoutQuote): QuoteView {
  const shown = (units: bigint) => formatDecimal(units, decimals)
  return {
    currency,
    network,
    decimals,
    available: shown(availableUnits),
    network_fee: networkFeeUnits === null ? null : shown(networkFeeUnits),
    most: most === null ? null : shown(most.units),
    fee_of_most: most === null ? null : shown(most.feeUnits),
    rate: rate && {
      fiat_currency: rate.fiatCurrency,
      price: formatDecimal(rate.rate, rateDecimals),
      updated_at: rate.updatedAt.toISOString(),
    },
  }
}
