<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read string $amount The exact amount that the recipient gets.
 * @property-read string|null $amount_in_base_currency The value of `amount` in the merchant's base currency at creation. Null without a rate.
 * @property-read string|null $base_currency The currency of `amount_in_base_currency`, which stays when the merchant changes theirs. Null when that is.
 * @property-read string $network_fee The amount reserved for the network fee, and once completed the fee that the network took; in `currency`.
 * @property-read string $fee_amount The service's fee. Zero for a refund's payout, because the refund has its own fee.
 * @property-read string $destination The destination address, in the service's canonical form for this network.
 * @property-read string|null $destination_tag
 * @property-read bool $allow_program_address Whether a program controls the destination, which the request allowed explicitly.
 * @property-read 'pending_approval'|'approved'|'processing'|'completed'|'failed'|'cancelled' $status
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string|null $tx_hash Its transaction; null until there is one.
 * @property-read string|null $explorer_url The transaction at a public explorer of its network. Null in the test environment, which has none, and while there is no transaction.
 * @property-read string|null $idempotency_key
 * @property-read string|null $description
 * @property-read array<string, mixed>|null $metadata
 * @property-read string|null $waiting_reason Why it does not proceed at present, in words; null if nothing holds it up.
 * @property-read list<Reason> $waiting_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $failure_reason Why it failed.
 * @property-read list<Reason> $failure_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $approved_at When it had all the approvals it needs.
 * @property-read string|null $executable_at When it is sent at the earliest; null before approval.
 * @property-read string|null $completed_at When it was confirmed on the chain.
 * @property-read string|null $cancelled_at When it was cancelled or rejected.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
final class Payout extends Model
{
    protected const NESTED = ['waiting_reasons' => Reason::class, 'failure_reasons' => Reason::class];
}
