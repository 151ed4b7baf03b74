import type { Environment } from '../domain/environment.ts'
import type { Invoice, InvoiceSource, InvoiceStatus } from '../domain/invoices.ts'
import type { GateId } from '../domain/networks/network.ts'
import { sql } from './sql.ts'

/** An invoice as the database gives it. */
export type InvoiceRow = {
  readonly id: string
  readonly merchant_id: string
  readonly environment: Environment
  readonly status: InvoiceStatus
  readonly source: InvoiceSource
  readonly static_address_id: string | null
  readonly deferred: boolean
  readonly currency: string | null
  readonly network: string
  readonly gate_id: GateId
  readonly decimals: number
  readonly amount_units: bigint
  readonly required_confirmations: number
  readonly keychain: string
  readonly deposit_position: bigint
  readonly deposit_address: string
  readonly deposit_address_tag: string | null
  readonly amount_fiat: bigint | null
  readonly fiat_currency: string | null
  readonly exchange_rate: bigint | null
  readonly rate_locked_at: Date | null
  readonly base_currency: string
  readonly amount_in_base_currency: bigint | null
  readonly tolerance_bps: number
  readonly fee_bps: number
  readonly paid_units: bigint
  readonly settled_units: bigint
  readonly pending_units: bigint
  readonly refunded_units: bigint
  readonly fee_units: bigint
  readonly description: string | null
  readonly external_id: string | null
  readonly metadata: Record<string, unknown> | null
  readonly redirect_url: string | null
  readonly link: string | null
  readonly idempotency_key: string | null
  readonly window_seconds: number | null
  readonly expires_at: Date | null
  readonly due_at: Date | null
  readonly live_at: Date
  readonly paid_at: Date | null
  readonly cancelled_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columnNames = [
  'id',
  'merchant_id',
  'environment',
  'status',
  'source',
  'static_address_id',
  'deferred',
  'currency',
  'network',
  'gate_id',
  'decimals',
  'amount_units',
  'required_confirmations',
  'keychain',
  'deposit_position',
  'deposit_address',
  'deposit_address_tag',
  'amount_fiat',
  'fiat_currency',
  'exchange_rate',
  'rate_locked_at',
  'base_currency',
  'amount_in_base_currency',
  'tolerance_bps',
  'fee_bps',
  'paid_units',
  'settled_units',
  'pending_units',
  'refunded_units',
  'fee_units',
  'description',
  'external_id',
  'metadata',
  'redirect_url',
  'link',
  'idempotency_key',
  'window_seconds',
  'expires_at',
  'due_at',
  'live_at',
  'paid_at',
  'cancelled_at',
  'created_at',
  'updated_at',
]

/** The columns of an InvoiceRow. */
export const invoiceColumns = sql.raw(columnNames.map((name) => `invoices.${name}`).join(', '))

// What an insert sets beyond what it can later read back.
const insertedNames = [...columnNames, 'request_hash', 'created_by']

/** The columns that an insert of invoices sets. */
export const insertedColumns = sql.raw(insertedNames.join(', '))

export type NewInvoice = Invoice & {
  readonly requestHash: Buffer | null
  /** In whose name; null when a deposit makes it. */
  readonly createdBy: string | null
}

/** The row of a new invoice, for `json_populate_recordset(null::invoices, …)`. */
export function invoiceRecord(invoice: NewInvoice): Record<string, unknown> {
  const { asset } = invoice
  return {
    id: invoice.id,
    merchant_id: invoice.merchantId,
    environment: invoice.environment,
    status: invoice.status,
    source: invoice.source,
    static_address_id: invoice.staticAddressId,
    deferred: invoice.deferred,
    ...(asset !== null && assetRecord(asset)),
    amount_fiat: invoice.amountFiat?.toString(),
    fiat_currency: invoice.fiatCurrency,
    base_currency: invoice.baseCurrency,
    amount_in_base_currency: invoice.amountInBaseCurrency?.toString(),
    tolerance_bps: invoice.toleranceBps,
    fee_bps: invoice.feeBps,
    paid_units: 0,
    settled_units: 0,
    pending_units: 0,
    refunded_units: 0,
    fee_units: 0,
    description: invoice.description,
    external_id: invoice.externalId,
    metadata: invoice.metadata,
    redirect_url: invoice.redirectUrl,
    link: invoice.link,
    idempotency_key: invoice.idempotencyKey,
    request_hash: invoice.requestHash === null ? null : `\\x${invoice.requestHash.toString('hex')}`,
    created_by: invoice.createdBy,
    window_seconds: invoice.windowSeconds,
    expires_at: invoice.expiresAt,
    due_at: invoice.dueAt,
    created_at: invoice.createdAt,
    updated_at: invoice.updatedAt,
  }
}

export function assetRecord(asset: NonNullable<Invoice['asset']>): Record<string, unknown> {
  return {
    currency: asset.currency,
    network: asset.network,
    gate_id: asset.gateId,
    decimals: asset.decimals,
    amount_units: asset.amountUnits.toString(),
    required_confirmations: asset.requiredConfirmations,
    keychain: asset.keychain,
    deposit_position: asset.depositPosition.toString(),
    deposit_address: asset.depositAddress,
    deposit_address_tag: asset.depositAddressTag,
    exchange_rate: asset.exchangeRate?.toString(),
    rate_locked_at: asset.rateLockedAt,
    live_at: asset.liveAt,
  }
}

export function invoiceFrom(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    status: row.status,
    source: row.source,
    staticAddressId: row.static_address_id,
    deferred: row.deferred,
    asset:
      row.currency === null
        ? null
        : {
            currency: row.currency,
            network: row.network,
            gateId: row.gate_id,
            decimals: row.decimals,
            amountUnits: row.amount_units,
            requiredConfirmations: row.required_confirmations,
            keychain: row.keychain,
            depositPosition: row.deposit_position,
            depositAddress: row.deposit_address,
            depositAddressTag: row.deposit_address_tag,
            exchangeRate: row.exchange_rate,
            rateLockedAt: row.rate_locked_at,
            liveAt: row.live_at,
          },
    amountFiat: row.amount_fiat,
    fiatCurrency: row.fiat_currency,
    baseCurrency: row.base_currency,
    amountInBaseCurrency: row.amount_in_base_currency,
    toleranceBps: row.tolerance_bps,
    feeBps: row.fee_bps,
    paidUnits: row.paid_units,
    settledUnits: row.settled_units,
    pendingUnits: row.pending_units,
    refundedUnits: row.refunded_units,
    feeUnits: row.fee_units,
    description: row.description,
    externalId: row.external_id,
    metadata: row.metadata,
    redirectUrl: row.redirect_url,
    link: row.link,
    idempotencyKey: row.idempotency_key,
    windowSeconds: row.window_seconds,
    expiresAt: row.expires_at,
    dueAt: row.due_at,
    paidAt: row.paid_at,
    cancelledAt: row.cancelled_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
