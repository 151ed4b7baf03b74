<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Payout;
use Sluice\WebhookEvent;

/**
 * The payout was cancelled or rejected, and its funds were released.
 *
 * @property-read 'payout.cancelled' $event
 * @property-read Payout $data
 */
final class PayoutCancelled extends WebhookEvent
{
    protected const NESTED = ['data' => Payout::class];
}
