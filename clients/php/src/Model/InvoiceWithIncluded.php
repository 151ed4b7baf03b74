<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $merchant_id
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read 'pending'|'paid'|'underpaid'|'overpaid'|'expired'|'cancelled' $status
 * @property-read 'api'|'static_address'|'dashboard' $source Where the invoice was created.
 * @property-read string|null $static_address_id The static address whose deposit created the invoice, if any.
 * @property-read string|null $currency The currency to pay in. Null until the payer picks the asset.
 * @property-read string|null $network Null until the payer picks the asset.
 * @property-read string|null $amount The amount to be paid. Null until the payer picks the asset; then it never changes.
 * @property-read string|null $amount_fiat The price, if the invoice was created with one.
 * @property-read string|null $fiat_currency The currency of `amount_fiat`.
 * @property-read string|null $exchange_rate The price of one unit in `fiat_currency` when `amount` was fixed. Null without a fiat price.
 * @property-read string|null $rate_locked_at When `exchange_rate` was fixed.
 * @property-read string|null $amount_in_base_currency The value of `amount` in the merchant's base currency when it was fixed. Null if there was no rate.
 * @property-read string|null $base_currency The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is.
 * @property-read string $amount_paid The confirmed amount.
 * @property-read string $amount_pending The amount seen on the chain but not confirmed yet.
 * @property-read string|null $amount_due The amount still to be paid. `0` once paid; null until the payer picks the asset.
 * @property-read string $amount_overpaid The amount confirmed beyond `amount`.
 * @property-read string $amount_refunded The amount paid back to the payer.
 * @property-read string $fee_amount The service's fee on the deposits.
 * @property-read bool $deferred Whether the payer picks the asset.
 * @property-read string|null $deposit_address The address to pay to. Null until the payer picks the asset.
 * @property-read string|null $deposit_address_tag The memo or tag that must go with the address, on networks that have one.
 * @property-read string|null $payment_uri Opens a wallet, as a link or in a QR code. Null while there is no address and once nothing more is due. On Solana it is a transfer request of Solana Pay with the reference and the description.
 * @property-read string|null $payment_reference On Solana, the key that payments of this invoice name if they were made from `payment_uri` or the payment page: `getSignaturesForAddress` finds them by it. It is the SHA-256 of `sluice payment reference 1`, a line feed and the invoice's id, in base58. Null on other networks, until the payer picks the asset, and for a static address's invoice.
 * @property-read string|null $gate_id Null until the payer picks the asset.
 * @property-read int|null $required_confirmations How many confirmations a payment needs before it counts, by the invoice's amount; a larger payment may need more. Null until the payer picks the asset.
 * @property-read string|null $description What it is for. If a deposit to a static address created it, the label that the address had then.
 * @property-read string|null $external_id Your own id for the order.
 * @property-read array<string, mixed>|null $metadata
 * @property-read string|null $redirect_url Where the payment page sends the payer afterwards; in the live environment only if it starts with `https://`.
 * @property-read string|null $checkout_url The payment page for the payer. Null for a static address's invoice.
 * @property-read string|null $idempotency_key
 * @property-read string|null $expires_at When the window ends: first the one for picking the asset, then the one for paying. Null for a static address's invoice.
 * @property-read string|null $live_at When address, amount and window were fixed. Null until the payer picks the asset.
 * @property-read string|null $paid_at When the amount was reached.
 * @property-read string|null $cancelled_at
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 * @property-read string $updated_at ISO 8601 in UTC with milliseconds.
 * @property-read list<Payment> $payments With `include=payments`, every transfer to the invoice's address, oldest first.
 * @property-read list<Refund> $refunds With `include=refunds`, the invoice's refunds, newest first.
 */
final class InvoiceWithIncluded extends Invoice
{
    protected const NESTED = ['payments' => Payment::class, 'refunds' => Refund::class];
}
