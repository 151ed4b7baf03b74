<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read int $count How many events are sent again.
 */
final class RedeliveredEvents extends Model
{
}
