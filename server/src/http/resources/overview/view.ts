import type { InvoiceOutcomes, Overview as OverviewView } from '@sluice/web/contract'
import type { Overview } from '../../../app/overview/get-overview.ts'
import type { Outcomes } from '../../../app/overview/judge-invoices.ts'
import type { Moved, PeriodValue } from '../../../app/overview/sum-days.ts'
import { fiatMinorDigits } from '../../../domain/fiat.ts'
import { formatDecimal, formatFixed } from '../../../domain/money.ts'
import { reasonsView, time } from '../values.ts'

export function overviewView(overview: Overview): OverviewView {
  const { fees, outcomes, medianSeconds } = overview
  const digits = fiatMinorDigits(overview.baseCurrency) ?? 2
  const value = (minorUnits: bigint) => formatFixed(minorUnits, digits)
  const sum = ({ amount, before }: PeriodValue) => ({ amount: value(amount), before: value(before) })
  const moved = ({ received, paid_out, refunded }: Moved) => ({
    received: value(received),
    paid_out: value(paid_out),
    refunded: value(refunded),
  })
  return {
    base_currency: overview.baseCurrency,
    bars: overview.bars.map(({ from, to, moved: inPeriod, fees, outcomes, before }) => ({
      from,
      to,
      ...moved(inPeriod),
      fees: value(fees.total),
      invoices: outcomesView(outcomes),
      before: moved(before),
    })),
    axis: overview.axis.map(value),
    received: sum(overview.sums.received),
    paid_out: sum(overview.sums.paid_out),
    refunded: sum(overview.sums.refunded),
    received_by_asset: overview.byAsset.map(
      ({ currency, networkName, decimals, units, value: worth, before, feeUnits }) => ({
        currency,
        network_name: networkName,
        amount: formatDecimal(units, decimals),
        value: worth === null ? null : value(worth),
        value_before: before === null ? null : value(before),
        fees: formatDecimal(feeUnits, decimals),
      }),
    ),
    fees: {
      platform: {
        amount: value(fees.now.platform),
        before: fees.before === null ? null : value(fees.before.platform),
      },
      network: {
        amount: value(fees.now.network),
        before: fees.before === null ? null : value(fees.before.network),
      },
    },
    conversion: {
      invoices: outcomesView(outcomes.now),
      before: outcomes.before === null ? null : outcomesView(outcomes.before),
    },
    time_to_paid: { median_seconds: medianSeconds.now, before: medianSeconds.before },
    counted_since: overview.countedSince,
    without_rate: [...overview.withoutRate],
    balances: overview.balances.map(({ currency, availableUnits, decimals, availableInBaseCurrency }) => ({
      currency,
      available: formatDecimal(availableUnits, decimals),
      available_in_base_currency: availableInBaseCurrency === null ? null : value(availableInBaseCurrency),
    })),
    balance_in_base_currency: value(overview.balanceInBaseCurrency),
    invoices: overview.invoices.map(({ status, count }) => ({ status, count })),
    attention: overview.attention.map((each) => ({
      ...each,
      reasons: reasonsView(each.details),
      at: time(each.at),
    })),
    set_up: overview.setUp.map(({ kind, isDone, environment, target, roles }) => ({
      kind,
      is_done: isDone,
      environment,
      target,
      roles: [...roles],
    })),
  }
}

function outcomesView({ created, paid, expired, open, cancelled, share }: Outcomes): InvoiceOutcomes {
  return { created, paid, expired, open, cancelled, share }
}
