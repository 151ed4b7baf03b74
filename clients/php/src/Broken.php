<?php

declare(strict_types=1);

namespace Sluice;

/**
 * No complete answer arrived.
 *
 * @internal
 */
final class Broken extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $timedOut = false)
    {
        parent::__construct($message);
    }
}
