<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $currency
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $available Funds that can be spent. Negative when a deposit was reversed after it had been spent.
 * @property-read string $pending Seen on the chain but not credited yet.
 * @property-read string $reserved Held by open payouts and refunds.
 * @property-read string $total_received A decimal without exponent, sign or trailing zeros.
 * @property-read string $total_fees A decimal without exponent, sign or trailing zeros.
 * @property-read string $total_paid_out A decimal without exponent, sign or trailing zeros.
 * @property-read string|null $total_in_base_currency Available plus reserved funds, in the merchant's base currency at the current rate. Null without a rate.
 * @property-read string|null $base_currency The currency of `total_in_base_currency`, here and in `networks`. Null when that is.
 * @property-read list<NetworkBalance> $networks The same amounts by network.
 */
final class Balance extends Model
{
    protected const NESTED = ['networks' => NetworkBalance::class];
}
