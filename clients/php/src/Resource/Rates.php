<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Rate;
use Sluice\Resource;
use Sluice\Route;
use Sluice\Rows;

final class Rates extends Resource
{
    /**
     * List exchange rates.
     *
     * - currency: Only these currencies, separated by commas. An unknown code matches nothing.
     * - fiat_currency: Only these fiat currencies, separated by commas. An unknown code matches nothing.
     *
     * @param array{
     *   currency?: string|list<string>|null,
     *   fiat_currency?: string|list<string>|null,
     * } $query
     * @return Rows<Rate>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Rows {
        return $this->rows(
            Rate::class,
            new Route('GET', '/v1/rates', false, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
