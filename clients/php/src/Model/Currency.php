<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $code
 * @property-read string $name
 * @property-read 'native'|'token' $kind A network's native currency, or a token issued on one or more networks.
 * @property-read list<'live'|'test'> $environments The environments that offer the currency.
 * @property-read string|null $default_network The network used when a request names none. Null if a request must name one.
 * @property-read list<CurrencyNetwork> $networks
 */
final class Currency extends Model
{
    protected const NESTED = ['networks' => CurrencyNetwork::class];
}
