<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $network A network's name, in lower case.
 * @property-read string $gate_id The gate that serves a network in an environment.
 * @property-read 'online'|'offline' $status
 */
final class TestGate extends Model
{
}
