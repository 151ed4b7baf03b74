<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\SuspensePayment;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

final class Suspense extends Resource
{
    /**
     * List payments in suspense.
     *
     * - reason: Only payments that are in suspense for this reason.
     * - invoice_id: Only payments to this invoice's address.
     * - tx_hash: Only payments of this transaction.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   reason?: 'dust'|'missing_tag'|'unknown_tag'|'wrong_currency'|'wrong_network'|'unassigned_address'|'recovered'|null,
     *   invoice_id?: string|null,
     *   tx_hash?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return Page<SuspensePayment>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            SuspensePayment::class,
            new Route('GET', '/v1/suspense', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page.
     *
     * - reason: Only payments that are in suspense for this reason.
     * - invoice_id: Only payments to this invoice's address.
     * - tx_hash: Only payments of this transaction.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   reason?: 'dust'|'missing_tag'|'unknown_tag'|'wrong_currency'|'wrong_network'|'unassigned_address'|'recovered'|null,
     *   invoice_id?: string|null,
     *   tx_hash?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return \Generator<int, SuspensePayment>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            SuspensePayment::class,
            new Route('GET', '/v1/suspense', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
