<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * The window ended before a sufficient payment.
 *
 * @property-read 'invoice.expired' $event
 * @property-read Invoice $data
 */
final class InvoiceExpired extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
