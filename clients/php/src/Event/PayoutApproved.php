<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\Payout;
use Sluice\WebhookEvent;

/**
 * The payout was approved.
 *
 * @property-read 'payout.approved' $event
 * @property-read Payout $data
 */
final class PayoutApproved extends WebhookEvent
{
    protected const NESTED = ['data' => Payout::class];
}
