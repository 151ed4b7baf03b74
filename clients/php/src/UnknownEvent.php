<?php

declare(strict_types=1);

namespace Sluice;

/**
 * A webhook whose event this version does not know. Ignore it: new events may be added.
 *
 * @property-read array<string, mixed> $data
 */
final class UnknownEvent extends WebhookEvent
{
}
