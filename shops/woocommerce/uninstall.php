<?php

// Runs when the plugin is deleted. Orders keep their notes and the ids of their invoices: they belong to the books.
declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('sluice_connection');
delete_option('woocommerce_sluice_settings');
delete_metadata('user', 0, '_sluice_pairing', '', true);
