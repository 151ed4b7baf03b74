import type { PayoutResult, Payout as PayoutView } from '@sluice/sdk/contract'
import type { CreatedPayout } from '../../../app/payouts/create-payout.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import type { Payout } from '../../../domain/payouts.ts'
import { baseValue, reasonsView, time } from '../values.ts'

export function payoutView(assets: AssetRegistry, payout: Payout): PayoutView {
  const amount = (units: bigint) => formatDecimal(units, payout.decimals)
  return {
    id: payout.id,
    currency: payout.currency,
    network: payout.network,
    amount: amount(payout.amountUnits),
    ...baseValue(payout),
    network_fee: amount(payout.networkFeeUnits),
    // A refund's fee is shown once, on the refund.
    fee_amount: amount(payout.refundId === null ? payout.feeUnits : 0n),
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    allow_program_address: payout.allowProgramAddress,
    status: payout.status,
    environment: payout.environment,
    tx_hash: payout.txHash,
    explorer_url: explorerUrl(networkIn(assets, payout.network), payout.environment, payout.txHash),
    idempotency_key: payout.idempotencyKey,
    description: payout.description,
    metadata: payout.metadata as PayoutView['metadata'],
    waiting_reason: payout.waitingReason,
    waiting_reasons: reasonsView(payout.waitingReason),
    failure_reason: payout.failureReason,
    failure_reasons: reasonsView(payout.failureReason),
    approved_at: time(payout.approvedAt),
    executable_at: time(payout.executableAt),
    completed_at: time(payout.completedAt),
    cancelled_at: time(payout.cancelledAt),
    created_at: payout.createdAt.toISOString(),
  }
}

export function payoutResultView(assets: AssetRegistry, result: CreatedPayout | ServiceError): PayoutResult {
  if (!(result instanceof ServiceError))
    return {
      outcome: result.replayed ? 'replayed' : 'created',
      payout: payoutView(assets, result.payout),
      error: null,
    }
  const { code, message, details } = result
  const error = details === undefined ? { code, message } : { code, message, details: [...details] }
  return { outcome: 'refused', payout: null, error }
}
