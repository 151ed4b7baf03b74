<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $network A network's name, in lower case.
 * @property-read int $height
 * @property-read string $hash
 */
final class TestChainTip extends Model
{
}
