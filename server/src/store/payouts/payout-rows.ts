import type { Payout } from '../../domain/payouts.ts'
import { traceparentOf } from '../../tracing/span.ts'
import { sql } from '../sql.ts'

/** The columns of a payout, named as in the domain. */
export const payoutColumns = sql`
  payouts.id, payouts.merchant_id as "merchantId", payouts.environment, payouts.status, payouts.currency,
  payouts.network, payouts.gate_id as "gateId", payouts.decimals, payouts.amount_units as "amountUnits",
  payouts.fee_units as "feeUnits", payouts.network_fee_units as "networkFeeUnits",
  payouts.reserve_raises as "reserveRaises", payouts.base_currency as "baseCurrency",
  payouts.amount_in_base_currency as "amountInBaseCurrency", payouts.destination,
  payouts.destination_tag as "destinationTag", payouts.allow_program_address as "allowProgramAddress",
  payouts.description, payouts.metadata,
  payouts.idempotency_key as "idempotencyKey", payouts.created_by as "createdBy", payouts.refund_id as "refundId",
  payouts.waiting_reason as "waitingReason", payouts.failure_reason as "failureReason",
  payouts.spend_id as "spendId", payouts.tx_hash as "txHash", payouts.approved_at as "approvedAt",
  payouts.executable_at as "executableAt", payouts.completed_at as "completedAt",
  payouts.cancelled_at as "cancelledAt", payouts.created_at as "createdAt", payouts.updated_at as "updatedAt"`

/** A payout to be inserted. Nothing has happened to it yet, and the database sets its times. */
export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'merchantId'
  | 'environment'
  | 'currency'
  | 'network'
  | 'gateId'
  | 'decimals'
  | 'amountUnits'
  | 'feeUnits'
  | 'networkFeeUnits'
  | 'baseCurrency'
  | 'amountInBaseCurrency'
  | 'destination'
  | 'destinationTag'
  | 'allowProgramAddress'
  | 'description'
  | 'metadata'
  | 'idempotencyKey'
  | 'createdBy'
  | 'refundId'
> & { readonly requestHash: Buffer | null }

/** The columns that an insert of payouts sets. */
export const insertedPayoutColumns = sql.raw(
  [
    'id',
    'merchant_id',
    'environment',
    'status',
    'currency',
    'network',
    'gate_id',
    'decimals',
    'amount_units',
    'fee_units',
    'network_fee_units',
    'base_currency',
    'amount_in_base_currency',
    'destination',
    'destination_tag',
    'allow_program_address',
    'description',
    'metadata',
    'idempotency_key',
    'request_hash',
    'created_by',
    'refund_id',
    'traceparent',
  ].join(', '),
)

/** The row of a new payout, for `json_populate_recordset(null::payouts, …)`. */
export function payoutRecord(payout: NewPayout): Record<string, unknown> {
  return {
    id: payout.id,
    merchant_id: payout.merchantId,
    environment: payout.environment,
    status: 'pending_approval',
    currency: payout.currency,
    network: payout.network,
    gate_id: payout.gateId,
    decimals: payout.decimals,
    amount_units: payout.amountUnits.toString(),
    fee_units: payout.feeUnits.toString(),
    network_fee_units: payout.networkFeeUnits.toString(),
    base_currency: payout.baseCurrency,
    amount_in_base_currency: payout.amountInBaseCurrency?.toString(),
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    allow_program_address: payout.allowProgramAddress,
    description: payout.description,
    metadata: payout.metadata,
    idempotency_key: payout.idempotencyKey,
    request_hash: hashText(payout.requestHash),
    created_by: payout.createdBy,
    refund_id: payout.refundId,
    traceparent: traceparentOf(payout.id),
  }
}

/** A request's hash in the form in which `bytea` reads it from JSON. */
export function hashText(hash: Buffer | null): string | null {
  return hash === null ? null : `\\x${hash.toString('hex')}`
}
