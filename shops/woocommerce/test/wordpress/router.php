<?php

// Behind `php -S`, what the rewrite rules of a web server do for WordPress.
declare(strict_types=1);

$path = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$file = realpath($_SERVER['DOCUMENT_ROOT'] . $path);
if ($file !== false && (is_file($file) || is_file("$file/index.php")) && $path !== '/') {
    return false;
}
$content = realpath(getenv('SLUICE_TEST_WORDPRESS') . $path);
if (str_starts_with($path, '/wp-content/') && $content !== false && !str_ends_with($path, '.php') && is_file($content)) {
    readfile($content);
    return true;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
chdir($_SERVER['DOCUMENT_ROOT']);
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
