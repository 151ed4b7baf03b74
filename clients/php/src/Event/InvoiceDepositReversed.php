<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * A confirmed payment left the chain.
 *
 * @property-read 'invoice.deposit_reversed' $event
 * @property-read Invoice $data
 */
final class InvoiceDepositReversed extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
