<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** What an order shows in the shop's admin: where a refund goes, and an action that asks Sluice for the current state. */
final class RefundFields
{
    public const ADDRESS = '_sluice_refund_address';
    public const TAG = '_sluice_refund_tag';

    public static function show(\WC_Order $order): void
    {
        if ($order->get_payment_method() !== Plugin::ID) {
            return;
        }
        echo '<h3>' . esc_html__('Refund address', 'sluice-for-woocommerce') . '</h3>';
        wp_nonce_field('sluice_refund', 'sluice_refund_nonce');
        self::field(self::ADDRESS, __('Address that the customer gave you', 'sluice-for-woocommerce'), $order);
        self::field(self::TAG, __('Memo or tag, if the address needs one', 'sluice-for-woocommerce'), $order);
    }

    public static function save(int|string $orderId): void
    {
        $order = wc_get_order($orderId);
        $nonce = sanitize_text_field(wp_unslash($_POST['sluice_refund_nonce'] ?? ''));
        $mayEdit = current_user_can('edit_shop_orders') && wp_verify_nonce($nonce, 'sluice_refund') !== false;
        if (!$order instanceof \WC_Order || !$mayEdit) {
            return;
        }
        foreach ([self::ADDRESS, self::TAG] as $name) {
            $order->update_meta_data($name, sanitize_text_field(wp_unslash($_POST[$name] ?? '')));
        }
        $order->save();
    }

    /**
     * @param array<string, string> $actions
     * @return array<string, string>
     */
    public static function offerRefresh(array $actions, ?\WC_Order $order = null): array
    {
        if ($order?->get_payment_method() === Plugin::ID) {
            $actions['sluice_refresh'] = __('Ask Sluice for the payment', 'sluice-for-woocommerce');
        }
        return $actions;
    }

    public static function refresh(\WC_Order $order): void
    {
        Orders::refresh($order->get_id());
    }

    private static function field(string $name, string $label, \WC_Order $order): void
    {
        printf(
            '<p class="form-field form-field-wide"><label for="%1$s">%2$s</label><input type="text" id="%1$s" name="%1$s" value="%3$s" maxlength="256" autocomplete="off" /></p>',
            esc_attr($name),
            esc_html($label),
            esc_attr((string) $order->get_meta($name)),
        );
    }
}
