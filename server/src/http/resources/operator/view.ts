import type { OperatorAlert, OperatorColdWallet, OperatorGate, OperatorMerchant } from '@sluice/web/contract'
import type { Alert } from '../../../app/operator/list-alerts.ts'
import type { GateReport } from '../../../app/operator/list-gates.ts'
import type { ColdReport } from '../../../app/spends/cold/list-cold.ts'
import type { Held } from '../../../app/spends/hot-wallet/list-floats.ts'
import type { Merchant } from '../../../store/merchants/merchants.ts'
import { feesView } from '../settings/view.ts'
import { reasonsView, time } from '../values.ts'

export function gateView(report: GateReport): OperatorGate {
  const { gate, height, tipHeight, unswept } = report
  const amounts = (held: readonly Held[]) => held.map(({ currency, amount }) => ({ currency, amount }))
  const behind = height === null || tipHeight === null ? null : Number(tipHeight - height)
  return {
    gate_id: gate.id,
    network: gate.network.id,
    environment: gate.environment,
    simulated: gate.simulated !== null,
    status: report.status,
    halt_reason: report.haltReason,
    halt_reasons: reasonsView(report.haltReason),
    offline_reason: report.offlineReason,
    offline_reasons: reasonsView(report.offlineReason),
    height: height === null ? null : Number(height),
    tip_height: tipHeight === null ? null : Number(tipHeight),
    lag: behind === null ? null : Math.max(0, behind),
    scanned_at: time(report.scannedAt),
    hot_wallet: report.hotWallet,
    float: amounts(report.float),
    free: amounts(report.free),
    float_low_since: time(report.floatLowSince),
    unswept: (unswept?.unswept ?? []).map((each) => ({ ...each })),
    unswept_gas: unswept?.gas ?? null,
    gas_currency: unswept?.gasCurrency ?? null,
    cold: report.cold === null ? null : coldView(report.cold),
  }
}

function coldView({ destination, cap, keep, currency, holdings }: ColdReport): OperatorColdWallet {
  return {
    destination,
    cap,
    keep,
    currency,
    holdings: holdings.map(
      ({ currency: held, hot, inTransit, cold, hotValue, inTransitValue, coldValue }) => ({
        currency: held,
        hot,
        in_transit: inTransit,
        cold,
        hot_value: hotValue,
        in_transit_value: inTransitValue,
        cold_value: coldValue,
      }),
    ),
  }
}

export function alertView({ kind, gateId, merchantId, count, since, details }: Alert): OperatorAlert {
  return {
    kind,
    gate_id: gateId,
    merchant_id: merchantId,
    subject: null,
    count,
    since: time(since),
    details,
    reasons: reasonsView(details),
  }
}

export function merchantView(merchant: Merchant): OperatorMerchant {
  return {
    merchant_id: merchant.id,
    name: merchant.name,
    base_currency: merchant.baseCurrency,
    tolerance_bps: merchant.toleranceBps,
    fees: feesView(merchant),
    created_at: merchant.createdAt.toISOString(),
  }
}
