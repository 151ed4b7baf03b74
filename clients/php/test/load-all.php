<?php

// Loads every class of the client, so that none has a mistake that only its first use would show.
declare(strict_types=1);

set_error_handler(static function (int $_, string $text, string $file, int $line): bool {
    throw new ErrorException("$text at $file:$line");
});
require __DIR__ . '/../autoload.php';

$folder = dirname(__DIR__) . '/src';
$count = 0;
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS)) as $file) {
    $class = 'Sluice\\' . str_replace('/', '\\', substr((string) $file, strlen($folder) + 1, -strlen('.php')));
    if (!class_exists($class)) {
        exit("$file does not hold $class\n");
    }
    $count += 1;
}
echo "$count classes\n";
