<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * The invoice was cancelled before anything was paid.
 *
 * @property-read 'invoice.cancelled' $event
 * @property-read Invoice $data
 */
final class InvoiceCancelled extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
