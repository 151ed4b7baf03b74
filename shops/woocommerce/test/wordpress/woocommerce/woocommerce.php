<?php
/**
 * Plugin Name: WooCommerce
 * Description: A stand-in for tests. It answers where WooCommerce 9.5 answers, with its nonces and capabilities.
 * Version: 9.5.0
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

require_once __DIR__ . '/../../kept.php';
require_once __DIR__ . '/../../woocommerce.php';
require_once __DIR__ . '/blocks.php';
Kept::$folder = getenv('SLUICE_TEST_STATE');

function stand_in_gateway(): WC_Payment_Gateway
{
    static $gateways = null;
    $gateways ??= array_map(static fn ($class) => new $class(), apply_filters('woocommerce_payment_gateways', []));
    return $gateways[0];
}

register_activation_hook(__FILE__, static function (): void {
    add_role('shop_manager', 'Shop manager', ['read' => true]);
    foreach (['administrator', 'shop_manager'] as $role) {
        get_role($role)->add_cap('manage_woocommerce');
        get_role($role)->add_cap('edit_shop_orders');
    }
    delete_option('rewrite_rules');
});

add_action('init', static function (): void {
    do_action('before_woocommerce_init');
    add_rewrite_endpoint('wc-api', EP_ALL);
    do_action('woocommerce_init');
}, 0);

// Callbacks of payment services.
add_action('parse_request', static function (WP $wp): void {
    $name = strtolower(sanitize_key((string) ($_GET['wc-api'] ?? $wp->query_vars['wc-api'] ?? '')));
    if ($name === '') {
        return;
    }
    ob_start();
    nocache_headers();
    stand_in_gateway();
    status_header(has_action("woocommerce_api_$name") ? 200 : 400);
    do_action("woocommerce_api_$name");
    ob_end_clean();
    die('-1');
}, 0);

// The checkout block's request, and what the test itself asks.
add_action('rest_api_init', static function (): void {
    $route = static fn (string $space, string $path, callable $answer) => register_rest_route($space, $path, [
        'methods' => 'POST',
        'permission_callback' => '__return_true',
        'callback' => static fn (WP_REST_Request $request) => $answer($request->get_json_params()),
    ]);
    $route('wc/store/v1', '/checkout', static function (array $given): array {
        $gateway = stand_in_gateway();
        return $gateway->is_available() ? $gateway->process_payment($given['id']) : ['result' => 'unavailable'];
    });
    $route('test/v1', '/create', static fn (array $given) => WC_Order::create($given['id'], $given));
    $route('test/v1', '/order', static fn (array $given) => wc_get_order($given['id'])->all());
    $route('test/v1', '/checkout-block', static function (): array {
        $registry = new class () {
            public array $all = [];

            public function register(object $method): void
            {
                $method->initialize();
                $this->all[] = [
                    'name' => $method->get_name(),
                    'active' => $method->is_active(),
                    'data' => $method->get_payment_method_data(),
                    'scripts' => array_map(
                        static fn (string $handle) => wp_scripts()->registered[$handle]->src,
                        $method->get_payment_method_script_handles(),
                    ),
                ];
            }
        };
        do_action('woocommerce_blocks_payment_method_type_registration', $registry);
        return ['methods' => $registry->all, 'declared' => \Automattic\WooCommerce\Utilities\FeaturesUtil::$declared];
    });
});

// The page that a payer comes back to.
add_action('template_redirect', static function (): void {
    if (preg_match('~^/checkout/order-received/(\d+)/~', $_SERVER['REQUEST_URI'], $found) !== 1) {
        return;
    }
    $order = wc_get_order((int) $found[1]);
    if ($order !== false && hash_equals($order->get_order_key(), (string) wp_unslash($_GET['key'] ?? ''))) {
        status_header(200);
        do_action("woocommerce_thankyou_{$order->get_payment_method()}", $order->get_id());
        exit('Thank you. Your order has been received.');
    }
});

add_action('admin_menu', static function (): void {
    add_menu_page('Settings', 'Settings', 'manage_woocommerce', 'wc-settings', static function (): void {
        if ($_SERVER['REQUEST_METHOD'] === 'POST') {
            check_admin_referer('woocommerce-settings');
            stand_in_gateway();
            do_action('woocommerce_update_options_payment_gateways_sluice');
        }
        echo '<form method="post" id="mainform" action="" enctype="multipart/form-data">';
        stand_in_gateway()->admin_options();
        wp_nonce_field('woocommerce-settings');
        echo '</form>';
    });
    add_menu_page('Orders', 'Orders', 'edit_shop_orders', 'wc-orders', static function (): void {
        $order = wc_get_order((int) $_GET['id']);
        if ($_SERVER['REQUEST_METHOD'] === 'POST') {
            check_admin_referer("update-order_{$order->get_id()}");
            do_action('woocommerce_process_shop_order_meta', $order->get_id(), $order);
            $action = sanitize_key($_POST['wc_order_action'] ?? '');
            if ($action !== '') {
                do_action("woocommerce_order_action_$action", $order);
            }
            $order = wc_get_order($order->get_id());
        }
        echo '<form method="post" id="order">';
        wp_nonce_field("update-order_{$order->get_id()}");
        do_action('woocommerce_admin_order_data_after_billing_address', $order);
        foreach (apply_filters('woocommerce_order_actions', [], $order) as $action => $label) {
            printf('<option value="%s">%s</option>', esc_attr($action), esc_html($label));
        }
        printf('</form><i data-nonce="%s"></i>', esc_attr(wp_create_nonce('order-item')));
    });
});

// “Refund” on the order's page.
add_action('wp_ajax_woocommerce_refund_line_items', static function (): void {
    check_ajax_referer('order-item', 'security');
    if (!current_user_can('edit_shop_orders')) {
        wp_die(-1);
    }
    $amount = wc_format_decimal(sanitize_text_field(wp_unslash($_POST['refund_amount'])), wc_get_price_decimals());
    $done = stand_in_gateway()->process_refund((int) $_POST['order_id'], $amount, sanitize_text_field(wp_unslash($_POST['refund_reason'] ?? '')));
    if (is_wp_error($done)) {
        wp_send_json_error(['error' => $done->get_error_message()]);
    }
    wp_send_json_success();
});
