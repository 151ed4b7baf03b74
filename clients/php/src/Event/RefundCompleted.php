<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Refund;
use Sluice\WebhookEvent;

/**
 * The refund is confirmed on the chain.
 *
 * @property-read 'refund.completed' $event
 * @property-read Refund $data
 */
final class RefundCompleted extends WebhookEvent
{
    protected const NESTED = ['data' => Refund::class];
}
