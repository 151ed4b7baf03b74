<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Payout;
use Sluice\WebhookEvent;

/**
 * The payout was submitted to its network.
 *
 * @property-read 'payout.processing' $event
 * @property-read Payout $data
 */
final class PayoutProcessing extends WebhookEvent
{
    protected const NESTED = ['data' => Payout::class];
}
