<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $name
 * @property-read bool $required
 */
final class TagRule extends Model
{
}
