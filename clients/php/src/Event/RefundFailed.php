<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Refund;
use Sluice\WebhookEvent;

/**
 * The refund failed, and its funds were released.
 *
 * @property-read 'refund.failed' $event
 * @property-read Refund $data
 */
final class RefundFailed extends WebhookEvent
{
    protected const NESTED = ['data' => Refund::class];
}
