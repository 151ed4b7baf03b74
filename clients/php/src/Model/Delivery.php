<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * One event on its way to one endpoint. It may take several attempts.
 *
 * @property-read string $id
 * @property-read string $endpoint_id The endpoint, which may have been deleted since.
 * @property-read string $url The endpoint's URL.
 * @property-read 'pending'|'succeeded'|'failed' $status
 * @property-read int $attempts How many attempts were made, including those of earlier redeliveries.
 * @property-read string|null $next_attempt_at When the next attempt is due; null unless the delivery is pending.
 * @property-read string|null $last_attempt_at When the last attempt was made; null before the first.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 * @property-read list<DeliveryAttempt> $attempt_log Every attempt, oldest first.
 */
final class Delivery extends Model
{
    protected const NESTED = ['attempt_log' => DeliveryAttempt::class];
}
