<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $invoice_id The invoice that is refunded.
 * @property-read string $payout_id The payout that sends it.
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read string $amount The exact amount that the recipient gets.
 * @property-read string|null $amount_in_base_currency The value of `amount` in the merchant's base currency at creation. Null without a rate.
 * @property-read string|null $base_currency The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is.
 * @property-read string $refund_fee The service's fee.
 * @property-read string $network_fee The amount reserved for the network fee, and once completed the fee that the network took; in `currency`.
 * @property-read string $destination The destination address, in the service's canonical form for this network.
 * @property-read string|null $destination_tag
 * @property-read bool $allow_program_address Whether a program controls the destination, which the request allowed explicitly.
 * @property-read 'pending'|'processing'|'completed'|'failed'|'cancelled' $status
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string|null $tx_hash Its transaction; null until there is one.
 * @property-read string|null $explorer_url The transaction at a public explorer of its network. Null in the test environment, which has none, and while there is no transaction.
 * @property-read string|null $waiting_reason Why it does not proceed at present, in words; null if nothing holds it up.
 * @property-read list<Reason> $waiting_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $failure_reason Why it failed.
 * @property-read list<Reason> $failure_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $description
 * @property-read array<string, mixed>|null $metadata
 * @property-read string|null $completed_at When it was confirmed on the chain.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
final class Refund extends Model
{
    protected const NESTED = ['waiting_reasons' => Reason::class, 'failure_reasons' => Reason::class];
}
