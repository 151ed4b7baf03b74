<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * A payment to an expired or cancelled invoice is confirmed.
 *
 * @property-read 'invoice.late_deposit' $event
 * @property-read Invoice $data
 */
final class InvoiceLateDeposit extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
