<?php

// What the owner of a new shop does: installs WordPress, activates WooCommerce (its stand-in) and adds two people.
declare(strict_types=1);

define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = (string) preg_replace('~^http://~', '', getenv('SLUICE_TEST_URL'));
$_SERVER['PHP_SELF'] = '/wp-admin/install.php';
$root = getenv('SLUICE_TEST_ROOT');
require "$root/wp-load.php";
require "$root/wp-admin/includes/upgrade.php";

$password = getenv('SLUICE_TEST_PASSWORD');
wp_install('Blue & Bottle', 'admin', 'admin@shop.example', false, '', wp_slash($password));
update_option('permalink_structure', '/%postname%/');
$failed = activate_plugin('woocommerce/woocommerce.php');
if (is_wp_error($failed)) {
    throw new RuntimeException($failed->get_error_message());
}
foreach (['manager' => 'shop_manager', 'customer' => 'subscriber'] as $name => $role) {
    wp_insert_user(['user_login' => $name, 'user_pass' => $password, 'user_email' => "$name@shop.example", 'role' => $role]);
}
echo $wp_version;
