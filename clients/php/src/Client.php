<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Resource\Resources;

/** A client for one Sluice. */
final class Client extends Resources
{
    /**
     * @param string $baseUrl Origin and `/api`, such as `https://pay.example.com/api`.
     * @param string|null $apiKey Not needed for currencies and rates. Sent only with operations that need it.
     * @param float $timeout The time limit of one attempt, from connecting to the last byte of the answer, in seconds.
     * @param int $maxRetries How often a request that is safe to repeat is sent again, 0 to 10.
     * @param Timing|null $timing For tests.
     */
    public function __construct(
        #[\SensitiveParameter]
        string $baseUrl,
        #[\SensitiveParameter]
        ?string $apiKey = null,
        float $timeout = Transport::DEFAULT_TIMEOUT_SECONDS,
        int $maxRetries = Retry::DEFAULT,
        ?Timing $timing = null,
    ) {
        $this->attach(new Transport($baseUrl, $apiKey, $timeout, $maxRetries, $timing ?? Timing::real()));
    }
}
