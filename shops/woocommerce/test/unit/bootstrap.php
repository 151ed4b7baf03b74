<?php

// The plugin's sources and the client for PHP on the stand-ins. Sluice is scripted.
declare(strict_types=1);

const DB_NAME = 'shop';
const ABSPATH = '/';
require __DIR__ . '/../kept.php';
require __DIR__ . '/../wordpress.php';
require __DIR__ . '/../woocommerce.php';
require __DIR__ . '/../../../../clients/php/autoload.php';
spl_autoload_register(static function (string $class): void {
    foreach (['Sluice\\WooCommerce\\Test\\' => __DIR__, 'Sluice\\WooCommerce\\' => __DIR__ . '/../../src'] as $space => $folder) {
        $path = "$folder/" . substr($class, strlen($space)) . '.php';
        if (str_starts_with($class, $space) && is_file($path)) {
            require $path;
            return;
        }
    }
});
