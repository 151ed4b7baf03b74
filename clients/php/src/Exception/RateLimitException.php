<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** Too many requests; wait for `$retryAfter` seconds. */
final class RateLimitException extends ApiException
{
}
