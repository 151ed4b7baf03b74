// This file is generated from the contract.
import type { Environment, InvoiceStatus, ErrorCode, PayoutStatus, RefundStatus, LedgerEntryType, SuspenseReason, DeliveryStatus, EventName, GateStatus, Role, SecondFactor, Power, KeyPermission, ApprovalKind, CheckoutPhase } from './contract.generated.ts'

export const environmentValues = ['live', 'test'] as const satisfies readonly Environment[]
export const invoiceStatusValues = ['pending', 'paid', 'underpaid', 'overpaid', 'expired', 'cancelled'] as const satisfies readonly InvoiceStatus[]
export const errorCodeValues = ['validation_error', 'invalid_state', 'unauthorized', 'forbidden', 'step_up_required', 'second_factor_required', 'password_change_required', 'not_found', 'conflict', 'idempotency_key_mismatch', 'amount_too_small', 'insufficient_balance', 'invalid_destination', 'refund_exceeds_credited', 'webhook_target_refused', 'rate_limited', 'internal_error', 'service_unavailable', 'gate_offline', 'rate_unavailable'] as const satisfies readonly ErrorCode[]
export const payoutStatusValues = ['pending_approval', 'approved', 'processing', 'completed', 'failed', 'cancelled'] as const satisfies readonly PayoutStatus[]
export const refundStatusValues = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const satisfies readonly RefundStatus[]
export const ledgerEntryTypeValues = ['deposit', 'late_deposit', 'fee', 'payout', 'payout_fee', 'network_fee', 'refund', 'refund_fee', 'release', 'reversal', 'adjustment'] as const satisfies readonly LedgerEntryType[]
export const suspenseReasonValues = ['dust', 'missing_tag', 'unknown_tag', 'wrong_currency', 'wrong_network', 'unassigned_address', 'recovered'] as const satisfies readonly SuspenseReason[]
export const deliveryStatusValues = ['pending', 'succeeded', 'failed'] as const satisfies readonly DeliveryStatus[]
export const eventNameValues = ['invoice.confirming', 'invoice.payment_detected', 'invoice.paid', 'invoice.underpaid', 'invoice.overpaid', 'invoice.expired', 'invoice.cancelled', 'invoice.late_deposit', 'invoice.deposit_reversed', 'invoice.deposit_restored', 'balance.credited', 'payout.approved', 'payout.processing', 'payout.completed', 'payout.failed', 'payout.cancelled', 'refund.completed', 'refund.failed', 'webhook.test'] as const satisfies readonly EventName[]
export const gateStatusValues = ['online', 'offline'] as const satisfies readonly GateStatus[]
export const roleValues = ['owner', 'admin', 'finance', 'developer', 'viewer'] as const satisfies readonly Role[]
export const secondFactorValues = ['totp', 'recovery_code', 'passkey'] as const satisfies readonly SecondFactor[]
export const powerValues = ['invoices:read', 'invoices:write', 'payouts:read', 'payouts:write', 'refunds:read', 'refunds:write', 'balances:read', 'addresses:read', 'addresses:write', 'webhooks:read', 'webhooks:write', 'events:read', 'test:write', 'payouts:approve', 'keys:read', 'keys:write', 'team:read', 'team:write', 'settings:read', 'settings:write', 'policy:read', 'policy:write', 'audit:read'] as const satisfies readonly Power[]
export const keyPermissionValues = ['invoices:read', 'invoices:write', 'payouts:read', 'payouts:write', 'refunds:read', 'refunds:write', 'balances:read', 'addresses:read', 'addresses:write', 'webhooks:read', 'webhooks:write', 'events:read', 'test:write'] as const satisfies readonly KeyPermission[]
export const approvalKindValues = ['any', 'passkey'] as const satisfies readonly ApprovalKind[]
export const checkoutPhaseValues = ['choose', 'pay', 'closing', 'detected', 'confirming', 'underpaid', 'paid', 'overpaid', 'expired', 'cancelled'] as const satisfies readonly CheckoutPhase[]
