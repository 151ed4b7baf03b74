<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Payout;
use Sluice\Model\PayoutResult;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;
use Sluice\Rows;

final class Payouts extends Resource
{
    /**
     * Create a payout.
     *
     * - currency: The currency to pay in, in upper or lower case.
     * - network: Required if the currency has several networks and no default.
     * - amount: The exact amount that the recipient gets.
     * - destination: An address of exactly this network.
     * - destination_tag: The memo or tag, on networks that have one. On Solana at most 512 bytes in UTF-8, without
     * control characters.
     * - allow_program_address: Only for Solana: allows an address that a program controls, such as the vault of a
     * multisig wallet. It has no private key, and cannot be told from an address that no one can ever spend from.
     * Without this it is refused with `invalid_destination`. Programs, token mints and the service's own accounts are
     * always refused.
     * - description: Free text.
     * - metadata: Your own key-value pairs. At most 50; keys of 1 to 64 characters, strings of at most 1000. A number
     * that a double cannot hold exactly, such as an integer beyond 2^53, is refused: send it as a string.
     * - idempotency_key: Prevents duplicates. Valid forever, within the merchant and the environment.
     *
     * @param array{
     *   currency: string,
     *   network?: string|null,
     *   amount: string,
     *   destination: string,
     *   destination_tag?: string|null,
     *   allow_program_address?: bool|null,
     *   description?: string|null,
     *   metadata?: array<string, scalar|null>|null,
     *   idempotency_key?: string|null,
     * } $fields
     */
    public function create(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('POST', '/v1/payouts', true, 'body'),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List payouts.
     *
     * - status: Only payouts with this status. An unknown status matches nothing.
     * - currency: Only payouts in this currency, in upper or lower case. An unknown code matches nothing.
     * - amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
     * - amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - metadata_key: Only rows whose `metadata` has this key.
     * - metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
     * Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
     * - search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
     * from A to Z match in upper and lower case.
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
     *   status?: string|null,
     *   currency?: string|null,
     *   amount_min?: string|null,
     *   amount_max?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   metadata_key?: string|null,
     *   metadata_value?: string|null,
     *   search?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return Page<Payout>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            Payout::class,
            new Route('GET', '/v1/payouts', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page.
     *
     * - status: Only payouts with this status. An unknown status matches nothing.
     * - currency: Only payouts in this currency, in upper or lower case. An unknown code matches nothing.
     * - amount_min: Only rows with at least this `amount`, in `currency`, which is required with it.
     * - amount_max: Only rows with at most this `amount`, in `currency`, which is required with it.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - metadata_key: Only rows whose `metadata` has this key.
     * - metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
     * Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
     * - search: Only rows that contain this text in `description`, `destination` or a value of `metadata`. Letters
     * from A to Z match in upper and lower case.
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
     *   status?: string|null,
     *   currency?: string|null,
     *   amount_min?: string|null,
     *   amount_max?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   metadata_key?: string|null,
     *   metadata_value?: string|null,
     *   search?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return \Generator<int, Payout>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            Payout::class,
            new Route('GET', '/v1/payouts', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Create several payouts.
     *
     * @param array{
     *   payouts: list<array<string, mixed>>,
     * } $fields
     * @return Rows<PayoutResult>
     */
    public function createMany(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Rows {
        return $this->rows(
            PayoutResult::class,
            new Route('POST', '/v1/payouts/batch', true, 'each'),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get a payout.
     */
    public function get(
        string $payoutId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('GET', '/v1/payouts/{payoutID}', true, null),
            subject: $payoutId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Cancel a payout.
     */
    public function cancel(
        string $payoutId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('POST', '/v1/payouts/{payoutID}/cancel', true, null),
            subject: $payoutId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
