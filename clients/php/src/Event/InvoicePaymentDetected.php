<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * A payment was seen on the chain; it is not confirmed yet.
 *
 * @property-read 'invoice.payment_detected' $event
 * @property-read Invoice $data
 */
final class InvoicePaymentDetected extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
