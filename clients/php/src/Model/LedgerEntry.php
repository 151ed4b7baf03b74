<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read int $id Rises by one within this merchant, environment and currency.
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read 'deposit'|'late_deposit'|'fee'|'payout'|'payout_fee'|'network_fee'|'refund'|'refund_fee'|'release'|'reversal'|'adjustment' $entry_type
 * @property-read 'credit'|'debit' $direction Whether `available` rose or fell.
 * @property-read string $amount The amount of the change; always above zero.
 * @property-read string|null $amount_in_base_currency The value of `amount` in the merchant's base currency, at the rate that was recorded with the invoice, payout or refund that caused the entry. Null for an adjustment, and where no such rate was recorded.
 * @property-read string|null $base_currency The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is.
 * @property-read string $balance_after The currency's `available` after this entry.
 * @property-read 'invoice'|'payout'|'refund'|null $reference_type The kind of resource that caused the entry. Null for an adjustment.
 * @property-read string|null $reference_id The id of the resource that caused the entry. Null for an adjustment.
 * @property-read string|null $description
 * @property-read list<Reason> $reasons Dashboard only: `description` sentence by sentence, each with a code for messages in other languages. Never returned to a key.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
final class LedgerEntry extends Model
{
    protected const NESTED = ['reasons' => Reason::class];
}
