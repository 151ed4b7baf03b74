<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $url The URL that events are sent to.
 * @property-read list<'invoice.confirming'|'invoice.payment_detected'|'invoice.paid'|'invoice.underpaid'|'invoice.overpaid'|'invoice.expired'|'invoice.cancelled'|'invoice.late_deposit'|'invoice.deposit_reversed'|'invoice.deposit_restored'|'balance.credited'|'payout.approved'|'payout.processing'|'payout.completed'|'payout.failed'|'payout.cancelled'|'refund.completed'|'refund.failed'|'webhook.test'>|null $events The names of the events that are sent; null for all, including new ones.
 * @property-read string|null $description
 * @property-read 'enabled'|'disabled' $status Nothing is sent to a disabled endpoint. One that answers 410 is disabled.
 * @property-read string|null $disabled_reason Why the endpoint is disabled, in words; null while it is enabled.
 * @property-read list<Reason> $disabled_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $disabled_at Since when the endpoint is disabled; null while it is enabled.
 * @property-read string|null $secret_rotates_until When the old secret stops signing; null if only one secret signs.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
class WebhookEndpoint extends Model
{
    protected const NESTED = ['disabled_reasons' => Reason::class];
}
