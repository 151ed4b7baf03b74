<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $now The time in your test environment.
 * @property-read int $ahead_seconds How far it is ahead of the real time.
 */
class TestClock extends Model
{
}
