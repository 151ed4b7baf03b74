<?php

// Behind `php -S`: what the test wrote down for a request, or 404 as Sluice says it.
declare(strict_types=1);

$folder = getenv('SLUICE_TEST_STATE');
if ($_SERVER['REQUEST_URI'] === '/ready') {
    echo 'yes';
    return;
}
$request = "{$_SERVER['REQUEST_METHOD']} {$_SERVER['REQUEST_URI']}";
$asked = [
    'request' => $request,
    'key' => $_SERVER['HTTP_X_API_KEY'] ?? null,
    'idempotency' => $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? null,
    'fields' => json_decode(file_get_contents('php://input'), true),
];
file_put_contents("$folder/asked", json_encode($asked) . "\n", FILE_APPEND);
$file = "$folder/" . hash('sha256', $request);
[$status, $body] = is_file($file) ? unserialize(file_get_contents($file)) : [404, [
    'error' => ['code' => 'not_found', 'message' => 'There is no such thing.', 'details' => []],
    'meta' => ['request_id' => 'req_1'],
]];
http_response_code($status);
header('Content-Type: application/json');
echo json_encode($body);
