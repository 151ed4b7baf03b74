<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Invoice;
use Sluice\WebhookEvent;

/**
 * A payment that had left the chain is confirmed again.
 *
 * @property-read 'invoice.deposit_restored' $event
 * @property-read Invoice $data
 */
final class InvoiceDepositRestored extends WebhookEvent
{
    protected const NESTED = ['data' => Invoice::class];
}
