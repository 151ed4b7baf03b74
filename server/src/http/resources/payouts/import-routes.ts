import type { PayoutCost, PayoutVerdict as VerdictView } from '@sluice/web/contract'
import type { App } from '../../../app/app.ts'
import { type PayoutVerdict, payoutImporter } from '../../../app/payouts/import-payouts.ts'
import { formatDecimal } from '../../../domain/money.ts'
import type { Payout } from '../../../domain/payouts.ts'
import type { NewPayout } from '../../../store/payouts/payout-rows.ts'
import type { DashboardHandlers } from '../../dashboard/handlers.ts'
import { ok } from '../../reply.ts'
import { fiat, reasonsView, refusalView } from '../values.ts'
import { orderFrom, requireOwnKeys } from './order-from.ts'

/** Payouts from a file: what would become of them, and all of them at once. */
export function dashboardPayoutImport(app: App): Pick<DashboardHandlers, 'checkPayouts' | 'importPayouts'> {
  const importer = payoutImporter(app)
  return {
    checkPayouts: async ({ caller, body }) => {
      requireOwnKeys(body.payouts)
      return ok((await importer.check(caller, body.payouts.map(orderFrom))).map(verdictView))
    },
    importPayouts: async ({ caller, body }) => {
      requireOwnKeys(body.payouts)
      return ok((await importer.create(caller, body.payouts.map(orderFrom))).map(verdictView))
    },
  }
}

function verdictView(verdict: PayoutVerdict): VerdictView {
  const { outcome } = verdict
  const none = { payout_id: null, cost: null, objections: [], error: null }
  if (outcome === 'refused') {
    return { ...none, outcome, error: refusalView(verdict.refusal) }
  }
  if (outcome === 'ready')
    return {
      ...none,
      outcome,
      cost: costView(verdict.draft),
      objections: reasonsView(verdict.objection),
    }
  return { ...none, outcome, payout_id: verdict.payout.id, cost: costView(verdict.payout) }
}

function costView(payout: Payout | NewPayout): PayoutCost {
  const shown = (units: bigint) => formatDecimal(units, payout.decimals)
  return {
    currency: payout.currency,
    network: payout.network,
    amount: shown(payout.amountUnits),
    fee_amount: shown(payout.feeUnits),
    network_fee: shown(payout.networkFeeUnits),
    amount_in_base_currency: fiat(payout.amountInBaseCurrency, payout.baseCurrency),
    base_currency: payout.baseCurrency,
  }
}
