<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Exception\SluiceException;

defined('ABSPATH') || exit;

/** The payment method: sends the payer to Sluice's payment page, and requests refunds. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = Plugin::ID;
        $this->has_fields = false;
        $this->method_title = __('Sluice', 'sluice-for-woocommerce');
        $this->method_description = __('Cryptocurrency, paid to your own Sluice.', 'sluice-for-woocommerce');
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => [
                'title' => __('Enable', 'sluice-for-woocommerce'),
                'type' => 'checkbox',
                'label' => __('Offer cryptocurrency at checkout', 'sluice-for-woocommerce'),
                'default' => 'no',
            ],
            'title' => [
                'title' => __('Title', 'sluice-for-woocommerce'),
                'type' => 'text',
                'default' => __('Cryptocurrency', 'sluice-for-woocommerce'),
            ],
            'description' => [
                'title' => __('Description', 'sluice-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('Pay with Bitcoin, Ethereum and others. You choose the currency on the next page.', 'sluice-for-woocommerce'),
            ],
        ];
    }

    public function is_available(): bool
    {
        return parent::is_available() && Connection::current() !== null;
    }

    public function needs_setup(): bool
    {
        return Connection::current() === null;
    }

    public function admin_options(): void
    {
        $outcome = Pairing::outcome(sanitize_key(wp_unslash($_GET['sluice'] ?? '')));
        if ($outcome !== null) {
            echo '<div class="notice notice-info inline"><p>' . esc_html($outcome) . '</p></div>';
        }
        parent::admin_options();
        ConnectionForm::show(Connection::current());
    }

    /**
     * @param int $order_id
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        $connection = Connection::current();
        try {
            if (!$order instanceof \WC_Order || $connection === null) {
                throw new OrderBusy('The shop is not connected to Sluice.');
            }
            return ['result' => 'success', 'redirect' => Checkout::url($order, $connection)];
        } catch (SluiceException | OrderBusy $error) {
            wc_get_logger()->error("Order $order_id cannot be paid: {$error->getMessage()}", ['source' => Plugin::ID]);
            wc_add_notice(__('Cryptocurrency cannot be used right now. Try again, or choose another way to pay.', 'sluice-for-woocommerce'), 'error');
            return ['result' => 'failure'];
        }
    }

    /**
     * @param int $order_id
     * @param float|string|null $amount
     * @param string $reason
     * @return bool|\WP_Error
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        $order = wc_get_order($order_id);
        $connection = Connection::current();
        if (!$order instanceof \WC_Order || $connection === null || $amount === null) {
            return new \WP_Error('sluice_not_connected', __('The shop is not connected to Sluice.', 'sluice-for-woocommerce'));
        }
        try {
            Refunds::request($order, wc_format_decimal($amount, wc_get_price_decimals()), (string) $reason, $connection);
            return true;
        } catch (SluiceException | OrderBusy | RefundRefused | \InvalidArgumentException $error) {
            return new \WP_Error('sluice_refund', $error->getMessage());
        }
    }
}
