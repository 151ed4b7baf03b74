<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * More than the amount is confirmed.
 *
 * @property-read 'invoice.overpaid' $event
 * @property-read Invoice $data
 */
final class InvoiceOverpaid extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
