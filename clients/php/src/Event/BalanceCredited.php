<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\Model\CreditedBalance;
use Sluice\WebhookEvent;

/**
 * Funds can be spent.
 *
 * @property-read 'balance.credited' $event
 * @property-read CreditedBalance $data
 */
final class BalanceCredited extends WebhookEvent
{
    protected const NESTED = ['data' => CreditedBalance::class];
}
