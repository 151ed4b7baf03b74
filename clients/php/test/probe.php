<?php

// Does what the tests ask for, one JSON object a line, through the client.
declare(strict_types=1);

use Sluice\Client;
use Sluice\Exception\ApiException;
use Sluice\Exception\ConnectionFailedException;
use Sluice\Model;
use Sluice\Page;
use Sluice\Rows;
use Sluice\Timing;
use Sluice\WebhookEvent;
use Sluice\Webhooks;

require __DIR__ . '/../autoload.php';

/** Every notice counts: it would be on a shop's pages. */
set_error_handler(static function (int $_, string $text, string $file, int $line): bool {
    throw new ErrorException("$text at $file:$line");
});

function camel(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}

/** The options of a test as named arguments. */
function named(array $options): array
{
    $named = [];
    foreach ($options as $name => $value) {
        $named[camel($name)] = $name === 'timeout' ? (float) $value : $value;
    }
    return $named;
}

function clientOf(array $ask, ArrayObject $waits): Client
{
    // Every wait is written down instead of waited for; the chance is the lowest.
    $timing = new Timing(
        static function (float $seconds) use ($waits): void {
            $waits->append($seconds);
        },
        static fn (): float => 0.0,
        static fn (): int => 1_800_000_000,
    );
    return new Client(...named($ask['client']), timing: $timing);
}

function call(array $ask, ArrayObject $waits): array
{
    [$resource, $method] = array_map('camel', explode('.', $ask['method']));
    $arguments = named($ask['options'] ?? []);
    foreach (['fields', 'query'] as $name) {
        if (isset($ask[$name]) && $ask[$name] !== []) {
            $arguments[$name] = $ask[$name];
        }
    }
    $subject = isset($ask['subject']) ? [$ask['subject']] : [];
    $answer = clientOf($ask, $waits)->$resource->$method(...$subject, ...$arguments);
    if ($answer instanceof Model) {
        $data = $answer->toArray();
        return ['data' => $data, 'request_id' => $answer->requestId(), 'replayed' => $answer->replayed()];
    }
    $rows = array_map(static fn (Model $row): array => $row->toArray(), iterator_to_array($answer, false));
    if (!$answer instanceof Rows) {
        return ['data' => $rows];
    }
    $more = $answer instanceof Page ? $answer->pagination->has_more : null;
    return ['data' => $rows, 'request_id' => $answer->requestId, 'has_more' => $more];
}

/** Everything that shows the client's inside. */
function shown(array $ask, ArrayObject $waits): array
{
    $client = clientOf($ask, $waits);
    ob_start();
    var_dump($client, $client->invoices);
    $texts = [ob_get_clean(), print_r($client, true), print_r((array) $client->invoices, true), json_encode($client)];
    $writers = [
        static fn (Client $one): string => serialize($one),
        static fn (Client $one): string => var_export($one, true),
        static fn (Client $one): string => print_r(clone $one, true),
    ];
    foreach ($writers as $write) {
        try {
            $texts[] = $write($client);
        } catch (LogicException $error) {
            $texts[] = $error->getMessage();
        }
    }
    return ['data' => $texts];
}

function verify(array $ask): array
{
    return shownEvent(
        Webhooks::verify($ask['body'], $ask['headers'], $ask['secret'], ...named($ask['options'] ?? [])),
    );
}

function sign(array $ask): array
{
    $headers = Webhooks::sign($ask['body'], $ask['secret'], eventId: $ask['id'], timestamp: $ask['timestamp']);
    return ['data' => $headers];
}

/** The last event of the service as a webhook. */
function typed(array $ask, ArrayObject $waits): array
{
    return shownEvent(Webhooks::typed(clientOf($ask, $waits)->events->list(['limit' => 1])->data[0]));
}

function shownEvent(WebhookEvent $event): array
{
    $of = is_object($event->data) ? (new ReflectionClass($event->data))->getShortName() : get_debug_type($event->data);
    return ['data' => ['class' => (new ReflectionClass($event))->getShortName(), 'event' => $event->event, 'of' => $of]];
}

/** Reads an invoice by its properties, as code would. */
function fields(array $ask, ArrayObject $waits): array
{
    $invoice = clientOf($ask, $waits)->invoices->get($ask['subject']);
    try {
        $invoice->status = 'paid';
        $changed = true;
    } catch (LogicException) {
        $changed = false;
    }
    try {
        $unknown = $invoice->no_such_field;
    } catch (OutOfBoundsException) {
        $unknown = null;
    }
    $again = unserialize(serialize($invoice));
    return [
        'data' => [
            'status' => $invoice->status,
            'hashes' => array_map(static fn (Model\Payment $payment): string => $payment->tx_hash, $invoice->payments),
            'new_field' => isset($invoice->new_field) ? $invoice->new_field : null,
            'has_unknown' => isset($invoice->no_such_field) || $unknown !== null,
            'changed' => $changed,
            'same_again' => $again == $invoice && json_encode($again) === json_encode($invoice),
            'shown' => print_r($invoice, true),
        ],
    ];
}

function shownError(Throwable $error): array
{
    $class = (new ReflectionClass($error))->getShortName();
    // The frames of the client with all arguments; those of this file know the key anyway.
    $frames = array_filter($error->getTrace(), static fn (array $at): bool => str_starts_with($at['class'] ?? '', 'Sluice\\'));
    $result = [
        'class' => preg_replace('/Exception$/', 'Error', $class),
        'message' => $error->getMessage(),
        'frames' => print_r(array_map(static fn (array $at): array => $at['args'] ?? [], $frames), true),
        'cause' => $error->getPrevious() === null ? null : print_r($error->getPrevious(), true),
    ];
    if ($error instanceof ApiException) {
        $result['code'] = $error->errorCode;
        $result['status'] = $error->status;
        $result['details'] = $error->details;
        $result['request_id'] = $error->requestId;
        $result['retry_after'] = $error->retryAfter;
    }
    if ($error instanceof ConnectionFailedException) {
        $result['timed_out'] = $error->timedOut;
    }
    return $result;
}

while (($line = fgets(STDIN)) !== false) {
    $waits = new ArrayObject();
    try {
        $ask = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
        $result = $ask['do']($ask, $waits);
    } catch (Throwable $failure) {
        $result = ['error' => shownError($failure)];
    }
    echo json_encode($result + ['waits' => $waits->getArrayCopy()], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
}
