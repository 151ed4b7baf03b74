<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Event;

use Sluice\WebhookEvent;

/**
 * A test of your endpoint; nothing happened.
 *
 * @property-read 'webhook.test' $event
 * @property-read array<string, mixed> $data
 */
final class WebhookTest extends WebhookEvent
{
}
