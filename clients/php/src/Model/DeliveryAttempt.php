<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read int $number Counts the delivery's attempts from 1.
 * @property-read string $at ISO 8601 in UTC with milliseconds.
 * @property-read int|null $status_code The HTTP status of the answer; null when none arrived.
 * @property-read int $duration_ms How long the attempt took, in milliseconds.
 * @property-read string|null $error Why the attempt failed, in words; null when it succeeded.
 * @property-read list<Reason> $error_reasons The same reason, sentence by sentence, each with a code for messages in other languages. Empty without one.
 * @property-read string|null $answer The first bytes of the answer's body, as text. Null if there was none, and for private hosts that the operator allows, whose answers are never shown.
 */
final class DeliveryAttempt extends Model
{
    protected const NESTED = ['error_reasons' => Reason::class];
}
