<?php

return [
    'default' => 'sqlite',
    'migrations' => 'migrations',
    'connections' => [
        'sqlite' => ['driver' => 'sqlite', 'database' => env('DB_DATABASE', database_path('shop.sqlite')), 'prefix' => ''],
    ],
];
