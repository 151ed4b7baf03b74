<?php

// Runs when the plugin is deleted. Orders keep their notes and the ids of their invoices: they belong to the books.
declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

$forget = static function (): void {
    delete_option('sluice_connection');
    delete_option('woocommerce_sluice_settings');
};
$forget();
// A plugin is deleted once for all sites of a network, and each of them may be a shop with secrets of its own.
foreach (is_multisite() ? get_sites(['fields' => 'ids', 'number' => 0]) : [] as $site) {
    switch_to_blog((int) $site);
    $forget();
    restore_current_blog();
}
delete_metadata('user', 0, '_sluice_pairing', '', true);
