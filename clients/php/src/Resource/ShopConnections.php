<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\ShopConnection;
use Sluice\Resource;
use Sluice\Route;

final class ShopConnections extends Resource
{
    /**
     * Exchange a code for a connection.
     *
     * - code: The code from the return URL. It works once, for 5 minutes.
     * - verifier: The shop's secret, whose SHA-256 was the `challenge` of the pairing.
     *
     * @param array{
     *   code: string,
     *   verifier: string,
     * } $fields
     */
    public function create(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): ShopConnection {
        return $this->one(
            ShopConnection::class,
            new Route('POST', '/v1/shop_connections', false, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
