<?php

declare(strict_types=1);

namespace Sluice;

/** Time and randomness, passed in so that tests control them. */
final class Timing
{
    /**
     * @param \Closure(float): void $sleep Waits this many seconds.
     * @param \Closure(): float $random From 0 up to 1.
     * @param \Closure(): int $now Seconds since 1970.
     */
    public function __construct(
        public readonly \Closure $sleep,
        public readonly \Closure $random,
        public readonly \Closure $now,
    ) {
    }

    public static function real(): self
    {
        return new self(
            static function (float $seconds): void {
                usleep((int) ceil($seconds * 1_000_000));
            },
            static fn (): float => random_int(0, 999_999) / 1_000_000,
            static fn (): int => time(),
        );
    }
}
