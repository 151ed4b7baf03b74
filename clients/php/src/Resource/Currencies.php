<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Currency;
use Sluice\Resource;
use Sluice\Route;
use Sluice\Rows;

final class Currencies extends Resource
{
    /**
     * List supported currencies.
     *
     * - environment: Only currencies that this environment offers.
     *
     * @param array{
     *   environment?: 'live'|'test'|null,
     * } $query
     * @return Rows<Currency>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Rows {
        return $this->rows(
            Currency::class,
            new Route('GET', '/v1/currencies', false, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
