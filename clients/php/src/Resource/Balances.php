<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Balance;
use Sluice\Model\LedgerEntry;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;
use Sluice\Rows;

final class Balances extends Resource
{
    /**
     * List balances.
     *
     * @return Rows<Balance>
     */
    public function list(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Rows {
        return $this->rows(
            Balance::class,
            new Route('GET', '/v1/balances', true, null),
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List ledger entries.
     *
     * - entry_type: Only entries of this type. An unknown type matches nothing.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   entry_type?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return Page<LedgerEntry>
     */
    public function listLedger(
        string $currency,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            LedgerEntry::class,
            new Route('GET', '/v1/balances/{currency}/ledger', true, null),
            subject: $currency,
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `listLedger`, page after page; `limit` is the size of a page.
     *
     * - entry_type: Only entries of this type. An unknown type matches nothing.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   entry_type?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return \Generator<int, LedgerEntry>
     */
    public function ledger(
        string $currency,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            LedgerEntry::class,
            new Route('GET', '/v1/balances/{currency}/ledger', true, null),
            subject: $currency,
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
