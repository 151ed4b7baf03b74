<?php

declare(strict_types=1);

namespace Sluice;

/**
 * An answer as received; the names of its headers are in lower case.
 *
 * @internal
 */
final class Reply
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
