<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Resource;

use Sluice\Model\Invoice;
use Sluice\Model\Payout;
use Sluice\Model\TestChainTip;
use Sluice\Model\TestClock;
use Sluice\Model\TestClockMove;
use Sluice\Model\TestDeposit;
use Sluice\Model\TestGate;
use Sluice\Resource;
use Sluice\Route;

final class Test extends Resource
{
    /**
     * Make a test deposit.
     *
     * - address: One of your own deposit addresses.
     * - address_tag: The memo or tag, on networks that have one.
     * - amount: A decimal greater than 0, without sign or exponent, with no more decimals than its currency has.
     * - currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
     * - network: Required if the currency has several networks and no default.
     *
     * @param array{
     *   address: string,
     *   address_tag?: string|null,
     *   amount: string,
     *   currency: string,
     *   network?: string|null,
     * } $fields
     */
    public function createDeposit(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestDeposit {
        return $this->one(
            TestDeposit::class,
            new Route('POST', '/v1/test/deposits', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Mine test blocks.
     *
     * - network: A network's name, in upper or lower case.
     * - count: How many blocks to mine.
     *
     * @param array{
     *   network: string,
     *   count: int,
     * } $fields
     */
    public function mineBlocks(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestChainTip {
        return $this->one(
            TestChainTip::class,
            new Route('POST', '/v1/test/blocks', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Reorganise a test chain.
     *
     * - network: A network's name, in upper or lower case.
     * - depth: How many blocks to replace.
     * - drop: Transactions that never return, by hash. Each must pay you.
     *
     * @param array{
     *   network: string,
     *   depth: int,
     *   drop?: list<string>|null,
     * } $fields
     */
    public function reorganiseChain(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestChainTip {
        return $this->one(
            TestChainTip::class,
            new Route('POST', '/v1/test/reorgs', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Take a test network offline or online.
     *
     * - network: A network's name, in upper or lower case.
     *
     * @param array{
     *   network: string,
     *   status: 'online'|'offline',
     * } $fields
     */
    public function setGate(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestGate {
        return $this->one(
            TestGate::class,
            new Route('POST', '/v1/test/gates', true, null),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Read the test clock.
     */
    public function getClock(
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestClock {
        return $this->one(
            TestClock::class,
            new Route('GET', '/v1/test/clock', true, null),
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Advance the test clock.
     *
     * - advance_seconds: By how much; at most 366 days. In all, a clock can be 3,660 days ahead of the real time.
     * - advance_to: To this time, rounded up to a whole second from the clock's own; at most 366 days ahead of it.
     * - idempotency_key: Prevents moving the clock twice. Valid forever, within the merchant.
     *
     * @param array{
     *   advance_seconds?: int|null,
     *   advance_to?: string|null,
     *   idempotency_key?: string|null,
     * } $fields
     */
    public function advanceClock(
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): TestClockMove {
        return $this->one(
            TestClockMove::class,
            new Route('POST', '/v1/test/clock', true, 'body'),
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Pick a deferred invoice's asset.
     *
     * - currency: A cryptocurrency's code, in upper or lower case; never a fiat code.
     * - network: Required if the currency has several networks and no default.
     *
     * @param array{
     *   currency: string,
     *   network?: string|null,
     * } $fields
     */
    public function activateInvoice(
        string $invoiceId,
        array $fields,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Invoice {
        return $this->one(
            Invoice::class,
            new Route('POST', '/v1/test/invoices/{invoiceID}/activate', true, null),
            subject: $invoiceId,
            fields: $fields,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * End an invoice's payment window.
     */
    public function expireInvoice(
        string $invoiceId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Invoice {
        return $this->one(
            Invoice::class,
            new Route('POST', '/v1/test/invoices/{invoiceID}/expire', true, null),
            subject: $invoiceId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Approve a payout.
     */
    public function approvePayout(
        string $payoutId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('POST', '/v1/test/payouts/{payoutID}/approve', true, null),
            subject: $payoutId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Reject a payout.
     */
    public function rejectPayout(
        string $payoutId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('POST', '/v1/test/payouts/{payoutID}/reject', true, null),
            subject: $payoutId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }

    /**
     * Make a payout fail.
     */
    public function failPayout(
        string $payoutId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Payout {
        return $this->one(
            Payout::class,
            new Route('POST', '/v1/test/payouts/{payoutID}/fail', true, null),
            subject: $payoutId,
            timeout: $timeout,
            maxRetries: $maxRetries,
        );
    }
}
