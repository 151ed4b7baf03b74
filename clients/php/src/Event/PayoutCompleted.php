<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Payout;
use Sluice\WebhookEvent;

/**
 * The payout is confirmed on the chain.
 *
 * @property-read 'payout.completed' $event
 * @property-read Payout $data
 */
final class PayoutCompleted extends WebhookEvent
{
    protected const NESTED = ['data' => Payout::class];
}
