<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Event\Events;
use Sluice\Exception\WebhookVerificationException;
use Sluice\Model\Event;

/** Verifies webhooks, signed as Standard Webhooks (https://www.standardwebhooks.com) specify. */
final class Webhooks
{
    public const TOLERANCE_SECONDS = 5 * 60;
    private const PREFIX = 'whsec_';

    /**
     * The event of a webhook that was signed with the secret, or one of several, at most `$tolerance` seconds ago. An event
     * that this version does not know is an `UnknownEvent`.
     *
     * @param string $body The raw body as received, unparsed: `file_get_contents('php://input')`.
     * @param array<string, mixed> $headers All headers of the request: `getallheaders()`, `$_SERVER`, or those of a PSR-7
     *   request.
     * @param string|list<string> $secret
     * @throws WebhookVerificationException for every other webhook
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter]
        string|array $secret,
        int $tolerance = self::TOLERANCE_SECONDS,
        ?int $now = null,
    ): WebhookEvent {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::header($headers, 'webhook-signature');
        // A dot in the id would let the same signed bytes be read as another id and time.
        if ($id === '' || str_contains($id, '.') || $signatures === '') {
            throw new WebhookVerificationException('The request lacks webhook-id or webhook-signature.');
        }
        if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('webhook-timestamp is not a number of seconds.');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookVerificationException(
                "The webhook was signed too long ago, or this machine's clock is wrong."
            );
        }
        $genuine = false;
        foreach (self::secrets($secret) as $each) {
            $expected = self::signature($each, $id, $timestamp, $body);
            // While a secret rotates there are two signatures, separated by a space. One match is enough.
            foreach (explode(' ', $signatures) as $offered) {
                $genuine = hash_equals($expected, $offered) || $genuine;
            }
        }
        if (!$genuine) {
            throw new WebhookVerificationException('No signature of the webhook is by this secret.');
        }
        return self::event(json_decode($body, true, 512, JSON_BIGINT_AS_STRING));
    }

    /**
     * The headers of a webhook with this body, to test your own receiver.
     *
     * @param string|list<string> $secret
     * @return array<string, string>
     */
    public static function sign(
        string $body,
        #[\SensitiveParameter]
        string|array $secret,
        ?string $eventId = null,
        ?int $timestamp = null,
    ): array {
        $id = $eventId ?? 'evt_' . Body::uuid();
        $seconds = (string) ($timestamp ?? time());
        $signatures = [];
        foreach (self::secrets($secret) as $each) {
            $signatures[] = self::signature($each, $id, $seconds, $body);
        }
        return [
            'webhook-id' => $id,
            'webhook-timestamp' => $seconds,
            'webhook-signature' => implode(' ', $signatures),
        ];
    }

    /** An event of the API as the webhook that carries it, so that one function can handle both. */
    public static function typed(Event $event): WebhookEvent
    {
        $fields = array_flip(['id', 'event', 'created_at', 'environment', 'data']);
        return self::event(array_intersect_key($event->toArray(), $fields));
    }

    private static function event(mixed $raw): WebhookEvent
    {
        if (!is_array($raw) || !is_string($raw['event'] ?? null)) {
            throw new WebhookVerificationException("The webhook's body is not an event.");
        }
        $class = Events::CLASSES[$raw['event']] ?? UnknownEvent::class;
        return new $class($raw);
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $wanted): string
    {
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', strtolower(str_replace('_', '-', (string) $name)));
            if ($plain === $wanted) {
                // PSR-7 has a list of values for each name.
                $first = is_array($value) ? reset($value) : $value;
                return is_string($first) ? $first : '';
            }
        }
        return '';
    }

    /**
     * @param string|list<string> $secret
     * @return list<string>
     */
    private static function secrets(#[\SensitiveParameter] string|array $secret): array
    {
        $secrets = is_string($secret) ? [$secret] : array_values($secret);
        return $secrets === [] ? throw new \InvalidArgumentException('Pass at least one secret.') : $secrets;
    }

    private static function signature(
        #[\SensitiveParameter]
        string $secret,
        string $id,
        string $timestamp,
        string $body,
    ): string {
        $isPrefixed = str_starts_with($secret, self::PREFIX);
        $key = $isPrefixed ? base64_decode(substr($secret, strlen(self::PREFIX)), true) : false;
        if ($key === false || strlen($key) < 24 || strlen($key) > 64) {
            throw new \InvalidArgumentException('A webhook secret is whsec_ and 24 to 64 bytes in base64.');
        }
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    }
}
