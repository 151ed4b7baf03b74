<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** Hooks the plugin into WordPress and WooCommerce. */
final class Plugin
{
    public const ID = 'sluice';

    public static function start(string $file): void
    {
        add_action('before_woocommerce_init', static function () use ($file): void {
            if (class_exists(\Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
                foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
                    \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, $file, true);
                }
            }
        });
        add_action('init', static function () use ($file): void {
            load_plugin_textdomain('sluice-for-woocommerce', false, dirname(plugin_basename($file)) . '/languages');
        });
        add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Gateway::class]);
        add_action('woocommerce_api_' . self::ID, [WebhookReceiver::class, 'receive']);
        add_action('admin_post_sluice_connect', [Pairing::class, 'begin']);
        add_action('admin_post_sluice_connected', [Pairing::class, 'finish']);
        add_action('admin_post_sluice_forget', [Pairing::class, 'forget']);
        // Payers come back before a webhook may have arrived.
        add_action('woocommerce_thankyou_' . self::ID, [Orders::class, 'refresh']);
        add_filter('woocommerce_order_actions', [RefundFields::class, 'offerRefresh'], 10, 2);
        add_action('woocommerce_order_action_sluice_refresh', [RefundFields::class, 'refresh']);
        add_action('woocommerce_admin_order_data_after_billing_address', [RefundFields::class, 'show']);
        add_action('woocommerce_process_shop_order_meta', [RefundFields::class, 'save']);
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry) use ($file): void {
            $registry->register(new BlocksMethod($file));
        });
    }
}
