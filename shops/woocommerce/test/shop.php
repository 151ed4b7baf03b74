<?php

// A shop for the tests, behind `php -S`: the built plugin in SLUICE_TEST_PLUGIN, on stand-ins for WordPress and WooCommerce.
// Below /test/ the test does what shoppers, the checkout and the shop's staff would do.
declare(strict_types=1);

set_error_handler(static fn (int $_, string $text, string $file, int $line) => throw new ErrorException("$text $file:$line"));
const DB_NAME = 'shop';
const ABSPATH = '/';
require __DIR__ . '/kept.php';
require __DIR__ . '/wordpress.php';
require __DIR__ . '/woocommerce.php';
$wpdb = new wpdb();
Wordpress::$home = "http://{$_SERVER['HTTP_HOST']}";
Kept::$folder = getenv('SLUICE_TEST_STATE');
Wordpress::$isManager = ($_SERVER['HTTP_X_ROLE'] ?? '') !== 'customer';
Wordpress::$site = (int) ($_GET['site'] ?? 1);
$plugin = getenv('SLUICE_TEST_PLUGIN');
require "$plugin/sluice-for-woocommerce.php";

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$given = json_decode((string) file_get_contents('php://input'), true) ?? [];
[$gateway] = array_map(static fn (string $class) => new $class(), apply_filters('woocommerce_payment_gateways', []));
$answer = match (true) {
    $path === '/wc-api/sluice/' => do_action('woocommerce_api_sluice'),
    $path === '/wp-admin/admin-post.php' => do_action("admin_post_{$_REQUEST['action']}"),
    $path === '/test/settings' => (static function () use ($gateway): array {
        ob_start();
        $gateway->admin_options();
        do_action('admin_footer');
        return ['html' => ob_get_clean(), 'needs_setup' => $gateway->needs_setup()];
    })(),
    $path === '/test/connection' => get_option('sluice_connection'),
    $path === '/test/copy-connection' => update_option('sluice_connection', $given),
    $path === '/test/create' => WC_Order::create($given['id'], $given),
    $path === '/test/order' => wc_get_order($_GET['id'])->all(),
    $path === '/test/change' => (static function () use ($given): void {
        Kept::change("order {$given['id']}", static fn (array $order) => $given + $order, []);
    })(),
    $path === '/test/pay' => $gateway->process_payment($given['id']),
    $path === '/test/refund' => (static function () use ($gateway, $given): array {
        $done = $gateway->process_refund($given['id'], $given['amount'], $given['reason'] ?? 'Returned');
        return ['refused' => $done instanceof WP_Error ? $done->get_error_message() : null];
    })(),
    $path === '/test/address' => (static function () use ($given): void {
        $_POST = $given + ['sluice_refund_nonce' => wp_create_nonce('sluice_refund')];
        do_action('woocommerce_process_shop_order_meta', $given['id']);
    })(),
    $path === '/test/refresh' => do_action('woocommerce_order_action_sluice_refresh', wc_get_order($given['id'])),
    $path === '/test/thank-you' => do_action('woocommerce_thankyou_sluice', $given['id']),
    $path === '/test/uninstall' => (static function () use ($plugin): void {
        define('WP_UNINSTALL_PLUGIN', true);
        require "$plugin/uninstall.php";
    })(),
    default => http_response_code(404),
};
header('Content-Type: application/json');
echo json_encode($answer);
