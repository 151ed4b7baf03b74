<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $currency
 * @property-read string $fiat_currency A fiat currency by ISO 4217.
 * @property-read string $rate The price of one unit, in the fiat currency.
 * @property-read string|list<string> $source The sources of this median, separated by commas; `fixed` for the sandbox's fixed rates.
 * @property-read string $updated_at ISO 8601 in UTC with milliseconds.
 * @property-read bool $stale Too old to price a new invoice with.
 */
final class Rate extends Model
{
}
