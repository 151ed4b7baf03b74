<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Invoice;
use Sluice\Model\InvoiceWithIncluded;
use Sluice\Model\InvoiceWithPayments;
use Sluice\Page;
use Sluice\Resource;
use Sluice\Route;

final class Invoices extends Resource
{
    /**
     * Create an invoice.
     *
     * - currency: The currency to be paid in, in upper or lower case; never a fiat code. Required with `amount`.
     * - network: Required if the currency has several networks and no default.
     * - amount: The amount to be paid, in `currency`. Not together with `amount_fiat`.
     * - amount_fiat: The price, in `fiat_currency`. Not together with `amount`.
     * - fiat_currency: A fiat code that has a rate, in upper or lower case.
     * - deferred: True lets the payer pick the asset; only with a fiat price and without `currency`.
     * - description: Free text.
     * - external_id: Your own id for the order.
     * - metadata: Your own key-value pairs. At most 50; keys of 1 to 64 characters, strings of at most 1000. A number
     * that a double cannot hold exactly, such as an integer beyond 2^53, is refused: send it as a string.
     * - redirect_url: Where the payment page sends the payer afterwards. In the live environment it must start with
     * `https://`.
     * - expires_in: How long the payer has to pay, in seconds; default 1800. For a deferred invoice the time starts
     * when the asset is picked.
     * - idempotency_key: Prevents duplicates. Valid forever, within the merchant and the environment.
     *
     * @param array{
     *   currency?: string|null,
     *   network?: string|null,
     *   amount?: string|null,
     *   amount_fiat?: string|null,
     *   fiat_currency?: string|null,
     *   deferred?: bool|null,
     *   description?: string|null,
     *   external_id?: string|null,
     *   metadata?: array<string, scalar|null>|null,
     *   redirect_url?: string|null,
     *   expires_in?: int|null,
     *   idempotency_key?: string|null,
     * } $fields
     */
    public function create(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Invoice {
        return $this->one(
            Invoice::class,
            new Route('POST', '/v1/invoices', true, 'body'),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * List invoices.
     *
     * - status: Only invoices with this status. An unknown status matches nothing.
     * - currency: Only invoices in this currency, in upper or lower case. An unknown code matches nothing.
     * - external_id: Only invoices with exactly this `external_id`.
     * - fiat_currency: Only invoices with a price in this fiat currency, in upper or lower case. An unknown code
     * matches nothing.
     * - amount_min: Only invoices with at least this `amount`, in `currency`; without `currency`, at least this
     * `amount_fiat`, in `fiat_currency`. One of the two is required with it.
     * - amount_max: Only invoices with at most this amount, as with `amount_min`.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - metadata_key: Only rows whose `metadata` has this key.
     * - metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
     * Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
     * - search: Only rows that contain this text in `description`, `external_id` or a value of `metadata`. Letters
     * from A to Z match in upper and lower case.
     * - include: What to add to each invoice, separated by commas: `payments`, `refunds`. `refunds` requires the
     * permission `refunds:read`.
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
     *   external_id?: string|null,
     *   fiat_currency?: string|null,
     *   amount_min?: string|null,
     *   amount_max?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   metadata_key?: string|null,
     *   metadata_value?: string|null,
     *   search?: string|null,
     *   include?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return Page<InvoiceWithIncluded>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            InvoiceWithIncluded::class,
            new Route('GET', '/v1/invoices', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Every row of `list`, page after page; `limit` is the size of a page.
     *
     * - status: Only invoices with this status. An unknown status matches nothing.
     * - currency: Only invoices in this currency, in upper or lower case. An unknown code matches nothing.
     * - external_id: Only invoices with exactly this `external_id`.
     * - fiat_currency: Only invoices with a price in this fiat currency, in upper or lower case. An unknown code
     * matches nothing.
     * - amount_min: Only invoices with at least this `amount`, in `currency`; without `currency`, at least this
     * `amount_fiat`, in `fiat_currency`. One of the two is required with it.
     * - amount_max: Only invoices with at most this amount, as with `amount_min`.
     * - created_after: Only rows created at this time or later.
     * - created_before: Only rows created before this time.
     * - metadata_key: Only rows whose `metadata` has this key.
     * - metadata_value: Only rows whose `metadata` has this value under `metadata_key`, which is required with it.
     * Numbers, booleans and null are compared as text: `true` finds `true` and `"true"`.
     * - search: Only rows that contain this text in `description`, `external_id` or a value of `metadata`. Letters
     * from A to Z match in upper and lower case.
     * - include: What to add to each invoice, separated by commas: `payments`, `refunds`. `refunds` requires the
     * permission `refunds:read`.
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
     *   external_id?: string|null,
     *   fiat_currency?: string|null,
     *   amount_min?: string|null,
     *   amount_max?: string|null,
     *   created_after?: string|null,
     *   created_before?: string|null,
     *   metadata_key?: string|null,
     *   metadata_value?: string|null,
     *   search?: string|null,
     *   include?: string|null,
     *   order?: 'newest_first'|'oldest_first'|null,
     *   limit?: int|null,
     *   offset?: int|null,
     *   cursor?: string|null,
     * } $query
     * @return \Generator<int, InvoiceWithIncluded>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            InvoiceWithIncluded::class,
            new Route('GET', '/v1/invoices', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get an invoice.
     *
     * - include: What to add to the invoice, separated by commas: `refunds`. `refunds` requires the permission
     * `refunds:read`.
     *
     * @param array{
     *   include?: string|null,
     * } $query
     */
    public function get(
        string $invoiceId,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): InvoiceWithPayments {
        return $this->one(
            InvoiceWithPayments::class,
            new Route('GET', '/v1/invoices/{invoiceID}', true, null),
            subject: $invoiceId,
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Cancel an invoice.
     */
    public function cancel(
        string $invoiceId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Invoice {
        return $this->one(
            Invoice::class,
            new Route('POST', '/v1/invoices/{invoiceID}/cancel', true, null),
            subject: $invoiceId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
