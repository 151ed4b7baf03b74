<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Event;
use Sluice\Model\NewlyMadeWebhookEndpoint;
use Sluice\Model\WebhookEndpoint;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

final class WebhookEndpoints extends Resource
{
    /**
     * Create a webhook endpoint.
     *
     * - url: The URL to send events to, without user and password. Redirects are not followed.
     * - events: The names of the events to send; if left out, all of them, including new ones.
     * - description: Free text.
     *
     * @param array{
     *   url: string,
     *   events?: list<'invoice.confirming'|'invoice.payment_detected'|'invoice.paid'|'invoice.underpaid'|'invoice.overpaid'|'invoice.expired'|'invoice.cancelled'|'invoice.late_deposit'|'invoice.deposit_reversed'|'invoice.deposit_restored'|'balance.credited'|'payout.approved'|'payout.processing'|'payout.completed'|'payout.failed'|'payout.cancelled'|'refund.completed'|'refund.failed'|'webhook.test'>|null,
     *   description?: string|null,
     * } $fields
     */
    public function create(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): NewlyMadeWebhookEndpoint {
        return $this->one(
            NewlyMadeWebhookEndpoint::class,
            new Route('POST', '/v1/webhook_endpoints', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List webhook endpoints.
     *
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return Page<WebhookEndpoint>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            WebhookEndpoint::class,
            new Route('GET', '/v1/webhook_endpoints', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page.
     *
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return \Generator<int, WebhookEndpoint>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            WebhookEndpoint::class,
            new Route('GET', '/v1/webhook_endpoints', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get a webhook endpoint.
     */
    public function get(
        string $endpointId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): WebhookEndpoint {
        return $this->one(
            WebhookEndpoint::class,
            new Route('GET', '/v1/webhook_endpoints/{endpointID}', true, null),
            subject: $endpointId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Delete a webhook endpoint.
     */
    public function delete(
        string $endpointId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): WebhookEndpoint {
        return $this->one(
            WebhookEndpoint::class,
            new Route('DELETE', '/v1/webhook_endpoints/{endpointID}', true, null),
            subject: $endpointId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Rotate an endpoint's secret.
     */
    public function rotateSecret(
        string $endpointId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): NewlyMadeWebhookEndpoint {
        return $this->one(
            NewlyMadeWebhookEndpoint::class,
            new Route('POST', '/v1/webhook_endpoints/{endpointID}/rotate_secret', true, null),
            subject: $endpointId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Enable a webhook endpoint.
     */
    public function enable(
        string $endpointId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): WebhookEndpoint {
        return $this->one(
            WebhookEndpoint::class,
            new Route('POST', '/v1/webhook_endpoints/{endpointID}/enable', true, null),
            subject: $endpointId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Test a webhook endpoint.
     */
    public function test(
        string $endpointId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Event {
        return $this->one(
            Event::class,
            new Route('POST', '/v1/webhook_endpoints/{endpointID}/test', true, null),
            subject: $endpointId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
