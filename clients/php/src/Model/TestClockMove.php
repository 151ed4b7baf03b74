<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read string $now The time in your test environment right after the move.
 * @property-read int $ahead_seconds How far it was ahead of the real time then.
 * @property-read int $advanced_seconds By how much this move advanced it.
 * @property-read TestClockDue $due How much the move made due.
 */
final class TestClockMove extends TestClock
{
    protected const NESTED = ['due' => TestClockDue::class];
}
