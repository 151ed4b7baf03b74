<?php

declare(strict_types=1);

namespace Sluice;

/**
 * A webhook, as the service sends it.
 *
 * @property-read string $id The same on every attempt: remember it, because the same event may arrive more than once.
 * @property-read string $event The name of the event.
 * @property-read string $created_at
 * @property-read 'live'|'test' $environment
 */
abstract class WebhookEvent extends Model
{
}
