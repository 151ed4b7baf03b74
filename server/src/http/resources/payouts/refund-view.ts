import type { Refund as RefundView } from '@sluice/sdk/contract'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { type Refund, refundStatusOf } from '../../../domain/payouts.ts'
import { baseValue, reasonsView, time } from '../values.ts'

export function refundView(assets: AssetRegistry, { id, invoiceId, createdAt, payout }: Refund): RefundView {
  const amount = (units: bigint) => formatDecimal(units, payout.decimals)
  return {
    id,
    invoice_id: invoiceId,
    payout_id: payout.id,
    currency: payout.currency,
    network: payout.network,
    amount: amount(payout.amountUnits),
    ...baseValue(payout),
    refund_fee: amount(payout.feeUnits),
    network_fee: amount(payout.networkFeeUnits),
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    allow_program_address: payout.allowProgramAddress,
    status: refundStatusOf[payout.status],
    environment: payout.environment,
    tx_hash: payout.txHash,
    explorer_url: explorerUrl(networkIn(assets, payout.network), payout.environment, payout.txHash),
    waiting_reason: payout.waitingReason,
    waiting_reasons: reasonsView(payout.waitingReason),
    failure_reason: payout.failureReason,
    failure_reasons: reasonsView(payout.failureReason),
    description: payout.description,
    metadata: payout.metadata as RefundView['metadata'],
    completed_at: time(payout.completedAt),
    created_at: createdAt.toISOString(),
  }
}
