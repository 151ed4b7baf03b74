<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read int $count How many events are sent again.
 * @property-read string|null $continue_from Null if that is the whole range. Otherwise the range has more: repeat the request with this time as `created_after`.
 */
final class RedeliveredEvents extends Model
{
}
