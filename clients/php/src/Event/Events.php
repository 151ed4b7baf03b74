<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

/**
 * The class of each event by its name.
 */
final class Events
{
    public const CLASSES = [
        'invoice.confirming' => InvoiceConfirming::class,
        'invoice.payment_detected' => InvoicePaymentDetected::class,
        'invoice.paid' => InvoicePaid::class,
        'invoice.underpaid' => InvoiceUnderpaid::class,
        'invoice.overpaid' => InvoiceOverpaid::class,
        'invoice.expired' => InvoiceExpired::class,
        'invoice.cancelled' => InvoiceCancelled::class,
        'invoice.late_deposit' => InvoiceLateDeposit::class,
        'invoice.deposit_reversed' => InvoiceDepositReversed::class,
        'invoice.deposit_restored' => InvoiceDepositRestored::class,
        'balance.credited' => BalanceCredited::class,
        'payout.approved' => PayoutApproved::class,
        'payout.processing' => PayoutProcessing::class,
        'payout.completed' => PayoutCompleted::class,
        'payout.failed' => PayoutFailed::class,
        'payout.cancelled' => PayoutCancelled::class,
        'refund.completed' => RefundCompleted::class,
        'refund.failed' => RefundFailed::class,
        'webhook.test' => WebhookTest::class,
    ];
}
