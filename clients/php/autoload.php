<?php

// Loads the client's classes where Composer is not used: require 'clients/php/autoload.php';
declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Sluice\\')) {
        $path = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Sluice\\'))) . '.php';
        if (is_file($path)) {
            require $path;
        }
    }
});
