<?php

return [
    'sluice' => [
        'url' => env('SLUICE_URL', 'http://127.0.0.1:8080/api'),
        'key' => env('SLUICE_API_KEY'),
        'webhook_secret' => env('SLUICE_WEBHOOK_SECRET'),
    ],
];
