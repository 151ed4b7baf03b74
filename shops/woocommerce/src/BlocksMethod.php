<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

defined('ABSPATH') || exit;

/** The payment method in the checkout block. */
final class BlocksMethod extends AbstractPaymentMethodType
{
    protected $name = Plugin::ID;

    public function __construct(private readonly string $file)
    {
    }

    public function initialize(): void
    {
        $this->settings = (array) get_option('woocommerce_sluice_settings', []);
    }

    public function is_active(): bool
    {
        return $this->get_setting('enabled') === 'yes' && Connection::current() !== null;
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('sluice-blocks', plugins_url('assets/blocks.js', $this->file), $needs, '0.1.0', true);
        return ['sluice-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title', __('Cryptocurrency', 'sluice-for-woocommerce')),
            'description' => $this->get_setting('description'),
            'supports' => ['products', 'refunds'],
        ];
    }
}
