<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Invoice;
use Sluice\Model\StaticAddress;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

final class Addresses extends Resource
{
    /**
     * Create a static address.
     *
     * - currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
     * - network: Required if the currency has several networks and no default.
     * - label: Your own name for the address.
     *
     * @param array{
     *   currency: string,
     *   network?: string|null,
     *   label?: string|null,
     * } $fields
     */
    public function create(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): StaticAddress {
        return $this->one(
            StaticAddress::class,
            new Route('POST', '/v1/addresses', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List static addresses.
     *
     * - currency: Only addresses of this currency, in upper or lower case. An unknown code matches nothing.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - search: Only addresses that contain this text in `label` or `address`. Letters from A to Z match in upper and
     * lower case.
     * - order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
     * the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     * - cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
     * neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
     * than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
     *
     * @param array{
     *   currency?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   search?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return Page<StaticAddress>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            StaticAddress::class,
            new Route('GET', '/v1/addresses', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page.
     *
     * - currency: Only addresses of this currency, in upper or lower case. An unknown code matches nothing.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - search: Only addresses that contain this text in `label` or `address`. Letters from A to Z match in upper and
     * lower case.
     * - order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
     * the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     * - cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
     * neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
     * than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
     *
     * @param array{
     *   currency?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   search?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return \Generator<int, StaticAddress>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            StaticAddress::class,
            new Route('GET', '/v1/addresses', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get a static address.
     */
    public function get(
        string $addressId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): StaticAddress {
        return $this->one(
            StaticAddress::class,
            new Route('GET', '/v1/addresses/{addressID}', true, null),
            subject: $addressId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List the invoices of a static address.
     *
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
     * the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     * - cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
     * neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
     * than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
     *
     * @param array{
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return Page<Invoice>
     */
    public function listInvoices(
        string $addressId,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            Invoice::class,
            new Route('GET', '/v1/addresses/{addressID}/invoices', true, null),
            subject: $addressId,
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `listInvoices`, page after page; `limit` is the size of a page.
     *
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - order: Whether the newest or the oldest rows come first. A request that looks at 100,000 rows only looks at
     * the first ones in this order. With `oldest_first` an `offset` beyond 100,000 is refused: page by `cursor`.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     * - cursor: Only rows after the one with this id: send `next_cursor` of the page before. Unlike `offset`, it
     * neither repeats nor skips a row when others are created meanwhile, and a page deep in the list costs no more
     * than the first. An unknown id is refused, and so is an `offset` above 0 beside it.
     *
     * @param array{
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return \Generator<int, Invoice>
     */
    public function invoices(
        string $addressId,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            Invoice::class,
            new Route('GET', '/v1/addresses/{addressID}/invoices', true, null),
            subject: $addressId,
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
