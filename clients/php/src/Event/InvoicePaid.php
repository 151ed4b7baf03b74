<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * The amount is confirmed. The only event that should release goods; at most once per invoice.
 *
 * @property-read 'invoice.paid' $event
 * @property-read Invoice $data
 */
final class InvoicePaid extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
