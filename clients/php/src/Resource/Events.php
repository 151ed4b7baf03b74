<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Event;
use Sluice\Model\EventWithDeliveries;
use Sluice\Model\RedeliveredEvents;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

final class Events extends Resource
{
    /**
     * List events.
     *
     * - event: Only events of this name. An unknown name matches nothing.
     * - created_after: Only events created at this time or later.
     * - created_before: Only events created before this time.
     * - resource_id: Only events about the invoice, payout or refund with this id. `balance.credited` belongs to its
     * invoice, or to the payment released from suspense.
     * - after: Only events after this position, in ascending order. `0` is before the first.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   event?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   resource_id?: string|null,
     *   after?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return Page<Event>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            Event::class,
            new Route('GET', '/v1/events', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page. With `after` it goes upwards from that
     * position and misses none, even while new rows arrive.
     *
     * - event: Only events of this name. An unknown name matches nothing.
     * - created_after: Only events created at this time or later.
     * - created_before: Only events created before this time.
     * - resource_id: Only events about the invoice, payout or refund with this id. `balance.credited` belongs to its
     * invoice, or to the payment released from suspense.
     * - after: Only events after this position, in ascending order. `0` is before the first.
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false. Where a filter makes a
     * request look at 100,000 rows only, an offset beyond those is refused: page by `cursor`.
     *
     * @param array{
     *   event?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   resource_id?: string|null,
     *   after?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return \Generator<int, Event>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->everyOrAfter(
            Event::class,
            new Route('GET', '/v1/events', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Redeliver a time range.
     *
     * - endpoint_id: The endpoint to send to.
     * - created_after: Only events created at this time or later.
     * - created_before: Only events created before this time.
     * - only_failed: True leaves out events that were delivered, are still being sent, or were never for this
     * endpoint.
     * - events: Only events with these names; if left out, all that the endpoint's own `events` select.
     *
     * @param array{
     *   endpoint_id: string,
     *   created_after: string,
     *   created_before: string,
     *   only_failed?: bool|null,
     *   events?: list<'invoice.confirming'|'invoice.payment_detected'|'invoice.paid'|'invoice.underpaid'|'invoice.overpaid'|'invoice.expired'|'invoice.cancelled'|'invoice.late_deposit'|'invoice.deposit_reversed'|'invoice.deposit_restored'|'balance.credited'|'payout.approved'|'payout.processing'|'payout.completed'|'payout.failed'|'payout.cancelled'|'refund.completed'|'refund.failed'|'webhook.test'>|null,
     * } $fields
     */
    public function redeliverRange(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): RedeliveredEvents {
        return $this->one(
            RedeliveredEvents::class,
            new Route('POST', '/v1/events/redeliver', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get an event.
     */
    public function get(
        string $eventId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): EventWithDeliveries {
        return $this->one(
            EventWithDeliveries::class,
            new Route('GET', '/v1/events/{eventID}', true, null),
            subject: $eventId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Redeliver an event.
     *
     * - endpoint_id: The endpoint to send to; if left out, every enabled one that has a delivery of the event.
     *
     * @param array{
     *   endpoint_id?: string|null,
     * } $fields
     */
    public function redeliver(
        string $eventId,
        array $fields = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): EventWithDeliveries {
        return $this->one(
            EventWithDeliveries::class,
            new Route('POST', '/v1/events/{eventID}/redeliver', true, null),
            subject: $eventId,
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
