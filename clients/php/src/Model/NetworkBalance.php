<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $network A network's name, in lower case.
 * @property-read string $available A decimal without exponent or trailing zeros; with a minus sign below zero.
 * @property-read string $pending A decimal without exponent, sign or trailing zeros.
 * @property-read string $reserved A decimal without exponent, sign or trailing zeros.
 * @property-read string $total_received A decimal without exponent, sign or trailing zeros.
 * @property-read string $total_fees A decimal without exponent, sign or trailing zeros.
 * @property-read string $total_paid_out A decimal without exponent, sign or trailing zeros.
 * @property-read string|null $total_in_base_currency
 */
final class NetworkBalance extends Model
{
}
