<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Exception\ApiException;
use Sluice\Exception\ConnectionFailedException;
use Sluice\Exception\SluiceException;
use Sluice\Exception\UnexpectedAnswerException;

/** Sends calls, and repeats them when that is safe and may help. */
final class Transport
{
    public const VERSION = '0.1.0';
    public const DEFAULT_TIMEOUT_SECONDS = 30.0;
    private const LONGEST_TIMEOUT_SECONDS = 600.0;

    /** @var \WeakMap<self, string>|null The keys, where no dump, cast or export of a client reaches them. */
    private static ?\WeakMap $keys = null;

    private readonly BaseUrl $base;
    private readonly float $timeout;
    private readonly int $maxRetries;

    public function __construct(
        #[\SensitiveParameter]
        string $baseUrl,
        #[\SensitiveParameter]
        ?string $apiKey,
        float $timeout,
        int $maxRetries,
        private readonly Timing $timing,
    ) {
        $this->base = BaseUrl::read($baseUrl);
        $this->timeout = self::seconds($timeout);
        $this->maxRetries = self::retries($maxRetries);
        if ($apiKey !== null) {
            if (preg_match('/^[\x21-\x7e]+$/D', $apiKey) !== 1) {
                throw new \InvalidArgumentException(
                    'The API key is empty or contains characters that no key has, such as a space or a line break.'
                );
            }
            self::$keys ??= new \WeakMap();
            self::$keys[$this] = $apiKey;
        }
    }

    /**
     * One call. The same bytes go out on every attempt, or the idempotency key would be refused.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $fields
     */
    public function send(
        Route $route,
        ?string $subject,
        array $query,
        ?array $fields,
        ?string $idempotencyKey,
        ?float $timeout,
        ?int $maxRetries,
    ): Answer {
        if ($route->needsKey && $this->key() === null) {
            throw new \InvalidArgumentException("$route->verb $route->path needs an API key; pass one to the client.");
        }
        $target = $this->base->path . $route->target($subject, $query);
        $limit = $timeout === null ? $this->timeout : self::seconds($timeout);
        $retries = $maxRetries === null ? $this->maxRetries : self::retries($maxRetries);
        $key = $route->idempotency === null ? null : $idempotencyKey ?? $fields['idempotency_key'] ?? Body::uuid();
        // Only what cannot take effect twice is sent twice.
        if ($route->verb !== 'GET' && $key === null) {
            $retries = 0;
        }
        $added = $route->idempotency === 'body' ? ['idempotency_key' => $key] : [];
        if ($route->idempotency === 'each' && $fields !== null) {
            $fields = array_map(self::keyed(...), $fields);
        }
        $body = $fields === null ? null : Body::text($fields, $added);
        $headers = $this->headers($body, $route->idempotency === 'header' ? $key : null);
        $waitLeft = Retry::LONGEST_WAIT_SECONDS;
        for ($retry = 0; ; $retry += 1) {
            try {
                return $this->read($this->attempt($route, $target, $headers, $body, $limit));
            } catch (SluiceException $error) {
                if ($retry >= $retries || !Retry::mayHelp($error)) {
                    throw $error;
                }
                $wait = Retry::waitBefore($retry, $error, ($this->timing->random)());
                // Retrying earlier than the service asks would only be refused again.
                if ($wait > $waitLeft) {
                    throw $error;
                }
            }
            $waitLeft -= $wait;
            ($this->timing->sleep)($wait);
        }
    }

    /** @param list<string> $headers */
    private function attempt(
        Route $route,
        #[\SensitiveParameter]
        string $target,
        array $headers,
        ?string $body,
        float $timeout,
    ): Reply {
        // Operations that need no key do not get it.
        $key = $route->needsKey ? ["X-API-Key: {$this->key()}"] : [];
        $head = ["$route->verb $target HTTP/1.1", "Host: {$this->base->authority}", ...$headers, ...$key];
        try {
            return Connection::exchange($this->base, implode("\r\n", $head) . "\r\n\r\n$body", $timeout);
        } catch (Broken $broken) {
            $reason = $broken->timedOut ? "no complete answer within $timeout s" : $broken->getMessage();
            $timedOut = $broken->timedOut;
        }
        // Thrown out here without the original, whose frames know the request.
        throw new ConnectionFailedException($this->clean("No answer from {$this->base->text}: $reason"), $timedOut);
    }

    /** The items of a list, each with an idempotency key. */
    private static function keyed(mixed $value): mixed
    {
        if (!is_array($value) || !array_is_list($value)) {
            return $value;
        }
        return array_map(
            static function (mixed $item): mixed {
                if (!is_array($item)) {
                    return $item;
                }
                $sent = array_filter($item, static fn (mixed $field): bool => $field !== null);
                return $sent + ['idempotency_key' => Body::uuid()];
            },
            $value,
        );
    }

    /** @return list<string> */
    private function headers(?string $body, ?string $idempotencyKey): array
    {
        $headers = ['Accept: application/json', 'User-Agent: sluice-php/' . self::VERSION, 'Connection: close'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        // Some servers want the length even of nothing.
        $headers[] = 'Content-Length: ' . strlen($body ?? '');
        if ($idempotencyKey !== null) {
            if (preg_match('/^[\x20-\x7e]+$/D', $idempotencyKey) !== 1) {
                throw new \InvalidArgumentException('An idempotency key that goes into a header is printable ASCII.');
            }
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        return $headers;
    }

    private function read(#[\SensitiveParameter] Reply $reply): Answer
    {
        $body = json_decode($reply->body, true, 512, JSON_BIGINT_AS_STRING);
        $body = is_array($body) ? $body : [];
        $meta = is_array($body['meta'] ?? null) ? $body['meta'] : [];
        $requestId = $meta['request_id'] ?? $reply->headers['x-request-id'] ?? null;
        $requestId = is_string($requestId) ? $requestId : null;
        $ok = $reply->status >= 200 && $reply->status < 300;
        if ($ok && $requestId !== null && array_key_exists('data', $body)) {
            $pagination = is_array($meta['pagination'] ?? null) ? $meta['pagination'] : null;
            $replayed = ($reply->headers['idempotent-replayed'] ?? '') === 'true';
            return new Answer($body['data'], $requestId, $pagination, $replayed);
        }
        $error = is_array($body['error'] ?? null) ? $body['error'] : [];
        $code = $error['code'] ?? null;
        $message = $error['message'] ?? null;
        $named = $requestId === null ? null : $this->clean($requestId);
        $retryAfter = Retry::afterSeconds($reply->headers['retry-after'] ?? null, ($this->timing->now)());
        if ($ok || !is_string($code) || !is_string($message)) {
            $oddity = self::oddity($reply->status);
            throw new UnexpectedAnswerException($oddity, 'unexpected_answer', $reply->status, [], $named, $retryAfter);
        }
        $details = is_array($error['details'] ?? null) ? array_filter($error['details'], 'is_string') : [];
        $details = array_map($this->clean(...), array_values($details));
        $class = ApiException::classOf($code, $reply->status);
        throw new $class($this->clean($message), $this->clean($code), $reply->status, $details, $named, $retryAfter);
    }

    // The body stays out: it may be a whole page, and a proxy may repeat parts of the request that must not be printed.
    private static function oddity(int $status): string
    {
        $what = $status >= 300 && $status < 400
            ? 'a redirect, which is not followed because it could carry the API key elsewhere'
            : "status $status and a body that is not from Sluice";
        return "The server answered with $what. Check that the base URL is the one that ends in /api.";
    }

    private function key(): ?string
    {
        return self::$keys[$this] ?? null;
    }

    private function clean(string $text): string
    {
        $key = $this->key();
        return $key === null ? $text : str_replace($key, '[API key]', $text);
    }

    private static function seconds(float $timeout): float
    {
        if ($timeout > 0 && $timeout <= self::LONGEST_TIMEOUT_SECONDS) {
            return $timeout;
        }
        throw new \InvalidArgumentException('The timeout is a number of seconds above 0, up to 600.');
    }

    private static function retries(int $count): int
    {
        if ($count >= 0 && $count <= Retry::MOST) {
            return $count;
        }
        throw new \InvalidArgumentException('The number of retries is from 0 to 10.');
    }

    public function __clone()
    {
        throw new \LogicException('A client cannot be copied; share it.');
    }

    /** @return array<never> */
    public function __serialize(): array
    {
        throw new \LogicException('A client cannot be serialised, because its API key must not be written down.');
    }
}
