<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The state of the resource does not allow this, or the idempotency key was used for something else. */
final class ConflictException extends ApiException
{
}
