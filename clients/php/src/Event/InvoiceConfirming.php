<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * The invoice went live: address, amount and window are fixed.
 *
 * @property-read 'invoice.confirming' $event
 * @property-read Invoice $data
 */
final class InvoiceConfirming extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
