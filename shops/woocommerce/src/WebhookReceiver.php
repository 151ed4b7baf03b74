<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Exception\NotFoundException;
use Sluice\Exception\SluiceException;
use Sluice\Exception\WebhookVerificationException;
use Sluice\Webhooks;

/** Takes signed events. An event is only a reason to look: what it says about money is read from Sluice, with the key. */
final class WebhookReceiver
{
    private const MOST_BYTES = 256 * 1024;

    /** `?wc-api=sluice`. Answers 2xx when nothing has to be sent again, 503 when it has. */
    public static function receive(): never
    {
        self::answer(self::statusFor((string) file_get_contents('php://input', false, null, 0, self::MOST_BYTES)));
    }

    private static function statusFor(string $body): int
    {
        $connection = Connection::current();
        if ($connection === null) {
            return 503;
        }
        try {
            $event = Webhooks::verify($body, $_SERVER, $connection->webhookSecret);
        } catch (WebhookVerificationException) {
            return 400;
        }
        $raw = $event->toArray();
        [$kind] = explode('.', (string) $raw['event']);
        $id = $raw['data']['id'] ?? null;
        if ($raw['environment'] !== $connection->environment || !is_string($id)) {
            return 204;
        }
        try {
            match ($kind) {
                'invoice' => Orders::settle($id, $connection),
                'refund' => Refunds::settle($id, $connection),
                default => null,
            };
            return 204;
        } catch (NotFoundException) {
            return 204;
        } catch (SluiceException | OrderBusy $error) {
            wc_get_logger()->warning("The event {$raw['id']} will be sent again: {$error->getMessage()}", ['source' => Plugin::ID]);
            return 503;
        }
    }

    private static function answer(int $status): never
    {
        nocache_headers();
        status_header($status);
        exit;
    }
}
