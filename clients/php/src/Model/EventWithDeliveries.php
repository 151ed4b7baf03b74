<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read string $id `evt_` and a UUID.
 * @property-read string $position The event's position among all events. The number is too large for some languages, so keep it as text.
 * @property-read string $event The name of the event, from `EventName`. New names may be added; ignore those you do not know.
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 * @property-read array<string, mixed> $data The resource after the change, as the table of `EventName` shows.
 * @property-read list<Delivery> $deliveries One for each endpoint that the event was or will be sent to, oldest first.
 */
final class EventWithDeliveries extends Event
{
    protected const NESTED = ['deliveries' => Delivery::class];
}
