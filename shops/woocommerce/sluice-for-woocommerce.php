<?php
/**
 * Plugin Name: Sluice for WooCommerce
 * Description: Accept cryptocurrency through your own Sluice. Connects by one click.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.3
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: sluice-for-woocommerce
 * Domain Path: /languages
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

require_once __DIR__ . '/vendor/sluice/autoload.php';
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Sluice\\WooCommerce\\')) {
        $path = __DIR__ . '/src/' . substr($class, strlen('Sluice\\WooCommerce\\')) . '.php';
        if (is_file($path)) {
            require $path;
        }
    }
});

Sluice\WooCommerce\Plugin::start(__FILE__);
