<?php

// The settings of a WordPress for one test, in place of Debian's: a folder, a socket and an address of its own.
declare(strict_types=1);

$folder = getenv('SLUICE_TEST_WORDPRESS');
$url = getenv('SLUICE_TEST_URL');
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('SLUICE_TEST_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define("{$name}_KEY", hash('sha256', "$name key $folder"));
    define("{$name}_SALT", hash('sha256', "$name salt $folder"));
}
define('WP_HOME', $url);
define('WP_SITEURL', $url);
define('WP_CONTENT_DIR', "$folder/wp-content");
define('WP_TEMP_DIR', "$folder/temporary");
define('FS_METHOD', 'direct');
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', "$folder/debug.log");
// Nothing here talks to the outside.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', getenv('SLUICE_TEST_ROOT') . '/');
require ABSPATH . 'wp-settings.php';
