<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $network A network's name, in lower case.
 * @property-read string $currency
 * @property-read string $amount A decimal without exponent, sign or trailing zeros.
 * @property-read string|null $amount_in_base_currency The value of `amount` at the current rate, in your base currency; for an operator, in that of the merchant whose address was paid. Null without a rate, and if no merchant is known.
 * @property-read string|null $base_currency The currency of `amount_in_base_currency`. Null when that is.
 * @property-read string $address The address that was paid.
 * @property-read string|null $address_tag
 * @property-read string $tx_hash
 * @property-read string|null $explorer_url The transaction at a public explorer of its network. Null in the test environment, which has none, and while there is no transaction.
 * @property-read 'dust'|'missing_tag'|'unknown_tag'|'wrong_currency'|'wrong_network'|'unassigned_address'|'recovered' $reason
 * @property-read 'pending'|'held'|'released'|'gone' $status `pending`: not confirmed yet. `held`: confirmed, but not credited to any merchant. `released`: the operator credited it to a merchant. `gone`: it is no longer on the chain.
 * @property-read int $confirmations
 * @property-read int $required_confirmations
 * @property-read string|null $invoice_id The invoice whose address was paid, if it is yours.
 * @property-read string|null $static_address_id The static address that was paid, if it is yours.
 * @property-read string $seen_at ISO 8601 in UTC with milliseconds.
 * @property-read string|null $released_at
 */
final class SuspensePayment extends Model
{
}
