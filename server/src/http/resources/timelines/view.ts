import type { TimelineEntry } from '@sluice/web/contract'
import type { Announcement, History, Told } from '../../../app/history/happening.ts'
import { type AssetRegistry, networkIn } from '../../../domain/assets.ts'
import type { Environment } from '../../../domain/environment.ts'
import { confirmationsOf, paymentStatus } from '../../../domain/invoices.ts'
import { formatDecimal } from '../../../domain/money.ts'
import { explorerUrl } from '../../../domain/networks/network.ts'
import { reasonsView } from '../values.ts'

/** `tip` is how far the chain of the payments was followed. */
export function timelineView(
  assets: AssetRegistry,
  { happenings, names, tip = null }: History & { readonly tip?: bigint | null },
  environment: Environment,
): TimelineEntry[] {
  return happenings.map((told) => ({
    at: told.at.toISOString(),
    kind: told.kind,
    event: told.event ?? null,
    by: told.by ?? null,
    by_name: told.by == null ? null : (names.get(told.by) ?? null),
    status: statusOf(told),
    payment: paymentView(assets, told.payment, tip ?? 0n, environment),
    payout: payoutView(assets, told.payout),
    reason: told.reason ?? null,
    details: told.details ?? null,
    reasons: reasonsView(told.details ?? null),
    events: told.events.map(eventView),
  }))
}

function statusOf({ status, payment }: Told): string | null {
  return status ?? (payment === undefined ? null : paymentStatus(payment))
}

function paymentView(
  assets: AssetRegistry,
  payment: Told['payment'],
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

function payoutView(assets: AssetRegistry, payout: Told['payout']): TimelineEntry['payout'] {
  if (payout === undefined) return null
  const { id, refundId, amountUnits, decimals, currency, network, destination, status, txHash, environment } =
    payout
  return {
    id,
    refund_id: refundId,
    amount: formatDecimal(amountUnits, decimals),
    currency,
    network,
    destination,
    status,
    tx_hash: txHash,
    explorer_url: explorerUrl(networkIn(assets, network), environment, txHash),
  }
}

function eventView({ id, event, deliveries }: Announcement): TimelineEntry['events'][number] {
  return {
    id: `evt_${id}`,
    event,
    deliveries: deliveries.map(
      ({ id: deliveryId, endpointId, url, status, at, attempts, statusCode, error }) => ({
        id: deliveryId,
        endpoint_id: endpointId,
        url,
        status,
        at: at.toISOString(),
        attempts,
        status_code: statusCode,
        reasons: reasonsView(error),
      }),
    ),
  }
}
