<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Payout;
use Sluice\WebhookEvent;

/**
 * The payout failed, and its funds were released.
 *
 * @property-read 'payout.failed' $event
 * @property-read Payout $data
 */
final class PayoutFailed extends WebhookEvent
{
    protected const NESTED = ['data' => Payout::class];
}
