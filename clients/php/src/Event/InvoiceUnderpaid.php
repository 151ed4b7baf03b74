<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * Less than the amount is confirmed.
 *
 * @property-read 'invoice.underpaid' $event
 * @property-read Invoice $data
 */
final class InvoiceUnderpaid extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
