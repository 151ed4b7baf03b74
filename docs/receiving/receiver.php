<?php

// Receives Sluice's webhooks, on PHP 8. To try it:  SLUICE_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;

/** Whether this body was signed with the secret within five minutes of our clock. Pass the raw bytes, unparsed. */
function is_genuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || strlen($key) < 24) {
        throw new RuntimeException('Set SLUICE_WEBHOOK_SECRET to the secret of the endpoint: whsec_…');
    }
    if ($id === '' || preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is rotated there are two signatures, separated by a space. One match is enough.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = (string) file_get_contents('php://input');
$genuine = $_SERVER['REQUEST_METHOD'] === 'POST' && is_genuine(
    (string) getenv('SLUICE_WEBHOOK_SECRET'),
    $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    $body,
);
if (!$genuine) {
    http_response_code(400);
    return;
}

$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);

// The same event may arrive more than once: store $event['id'] under a unique index in your database, in the transaction
// that makes the changes for the event, and do nothing if it is already there.
error_log($event['event'] . ' ' . $event['id']);

// Respond at once, and do the slow part afterwards.
http_response_code(204);
