import type { TimelineEntry } from '@sluice/web/contract'
import type { Happening, History } from '../../../app/invoices/tell-history.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import type { Environment } from '../../../domain/environment.ts'
import { confirmationsOf, paymentStatus } from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { reasonsView } from '../values.ts'

export function timelineView(
  assets: AssetRegistry,
  { happenings, names, tip }: History,
  environment: Environment,
): TimelineEntry[] {
  return happenings.map((happening) => ({
    at: happening.at.toISOString(),
    kind: happening.kind,
    event: happening.event ?? null,
    event_id: happening.eventId === undefined ? null : `evt_${happening.eventId}`,
    by: happening.by ?? null,
    by_name: happening.by == null ? null : (names.get(happening.by) ?? null),
    status: statusOf(happening),
    payment: paymentView(assets, happening.payment, tip ?? 0n, environment),
    payout: payoutView(assets, happening.refund),
    delivery: deliveryView(happening.delivery),
    details: happening.details ?? null,
    reasons: reasonsView(happening.details ?? null),
  }))
}

function statusOf({ status, payment }: Happening): string | null {
  return status ?? (payment === undefined ? null : paymentStatus(payment))
}

function paymentView(
  assets: AssetRegistry,
  payment: Happening['payment'],
  tip: bigint,
  environment: Environment,
): TimelineEntry['payment'] {
  if (payment === undefined) return null
  const { id, txHash, outputIndex, address, units, decimals, currency, network } = payment
  return {
    id,
    tx_hash: txHash,
    output_index: outputIndex,
    address,
    amount: formatDecimal(units, decimals),
    currency,
    network,
    status: paymentStatus(payment),
    confirmations: Number(confirmationsOf(payment, tip)),
    required_confirmations: payment.requiredConfirmations,
    late: payment.booking?.late ?? false,
    block_height: payment.blockHeight === null ? null : Number(payment.blockHeight),
    explorer_url: explorerUrl(networkIn(assets, network), environment, txHash),
  }
}

function payoutView(assets: AssetRegistry, refund: Happening['refund']): TimelineEntry['payout'] {
  if (refund === undefined) return null
  const { id, amountUnits, decimals, currency, network, destination, status, txHash, environment } =
    refund.payout
  return {
    id,
    refund_id: refund.id,
    amount: formatDecimal(amountUnits, decimals),
    currency,
    network,
    destination,
    status,
    tx_hash: txHash,
    explorer_url: explorerUrl(networkIn(assets, network), environment, txHash),
  }
}

function deliveryView(delivery: Happening['delivery']): TimelineEntry['delivery'] {
  if (delivery === undefined) return null
  const { id, endpointId, url, attempts, statusCode, error } = delivery
  return { id, endpoint_id: endpointId, url, attempts, status_code: statusCode, error }
}
