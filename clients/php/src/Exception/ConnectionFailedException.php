<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** No complete answer arrived. Whether the service acted on the request is unknown. */
final class ConnectionFailedException extends SluiceException
{
    public function __construct(string $message, public readonly bool $timedOut)
    {
        parent::__construct($message);
    }
}
