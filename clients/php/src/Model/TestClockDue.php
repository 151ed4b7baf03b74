<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * How much the move made due.
 *
 * @property-read int $invoices Open invoices whose payment window, or time to pick an asset, ended.
 * @property-read int $payouts Approved payouts whose cooling-off period ended.
 * @property-read int $webhook_deliveries Deliveries of webhooks that waited to be retried.
 */
final class TestClockDue extends Model
{
}
