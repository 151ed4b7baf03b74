<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Payout;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

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
     * multisig wallet. It has no private key, and cannot be told from an address that nobody can ever spend from.
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
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false.
     *
     * @param array{
     *   status?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
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
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false.
     *
     * @param array{
     *   status?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
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
