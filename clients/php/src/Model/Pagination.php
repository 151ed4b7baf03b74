<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read int $total The total number of matching rows.
 * @property-read int $limit
 * @property-read int $offset
 * @property-read bool $has_more
 */
class Pagination extends Model
{
}
