<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Invoice;
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
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false.
     *
     * @param array{
     *   status?: string|null,
     *   currency?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return Page<Invoice>
     */
    public function list(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        return $this->page(
            Invoice::class,
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
     * - limit: How many rows a page contains.
     * - offset: How many rows to skip. To page, raise it by `limit` until `has_more` is false.
     *
     * @param array{
     *   status?: string|null,
     *   currency?: string|null,
     *   limit?: int|null,
     *   offset?: int|null,
     * } $query
     * @return \Generator<int, Invoice>
     */
    public function all(
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        return $this->every(
            Invoice::class,
            new Route('GET', '/v1/invoices', true, null),
            query: $query,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Get an invoice.
     */
    public function get(
        string $invoiceId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): InvoiceWithPayments {
        return $this->one(
            InvoiceWithPayments::class,
            new Route('GET', '/v1/invoices/{invoiceID}', true, null),
            subject: $invoiceId,
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
