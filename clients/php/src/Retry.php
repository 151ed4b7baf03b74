<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Exception\ApiException;
use Sluice\Exception\ConnectionFailedException;
use Sluice\Exception\SluiceException;

/** When to send a request again, and after how long. */
final class Retry
{
    public const DEFAULT = 2;
    public const MOST = 10;

    /**
     * All waits of one call together stay within this. It is the length of the rate limit's window, so a client refused
     * for sending too much can always get through.
     */
    public const LONGEST_WAIT_SECONDS = 60.0;
    private const FIRST_BACKOFF_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8.0;

    /** Whether the same request may succeed later: 429, 5xx, or no complete answer. */
    public static function mayHelp(SluiceException $error): bool
    {
        if ($error instanceof ApiException) {
            return $error->status === 429 || $error->status >= 500;
        }
        return $error instanceof ConnectionFailedException;
    }

    /** How long to wait before retry number `$retry` (from 0). Never shorter than the service asked for. */
    public static function waitBefore(int $retry, SluiceException $error, float $random): float
    {
        $ceiling = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_BACKOFF_SECONDS * 2 ** $retry);
        // Half of it is random, so that clients which failed together do not retry together.
        $backoff = $ceiling * (0.5 + $random / 2);
        $asked = $error instanceof ApiException ? $error->retryAfter ?? 0 : 0;
        return max($backoff, (float) $asked);
    }

    /** Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or the date that some proxies send. */
    public static function afterSeconds(?string $header, int $now): ?int
    {
        if ($header === null) {
            return null;
        }
        if (preg_match('/^[0-9]{1,9}$/D', $header) === 1) {
            return (int) $header;
        }
        $date = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $header, new \DateTimeZone('UTC'));
        return $date === false ? null : max(0, $date->getTimestamp() - $now);
    }
}
