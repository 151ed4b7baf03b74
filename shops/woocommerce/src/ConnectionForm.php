<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** The part of the settings that connects the shop. It stands inside WooCommerce's form, so its buttons name their own. */
final class ConnectionForm
{
    public static function show(?Connection $connection): void
    {
        echo '<h3>' . esc_html__('Connection', 'sluice-for-woocommerce') . '</h3>';
        if ($connection === null) {
            self::connect();
        } else {
            self::connected($connection);
        }
    }

    private static function connect(): void
    {
        echo '<p>' . esc_html__('Enter the address of your Sluice, and allow this shop there. No key has to be copied.', 'sluice-for-woocommerce') . '</p>';
        printf(
            '<p><label for="sluice_url">%s</label> <input type="url" id="sluice_url" name="sluice_url" placeholder="https://pay.example.com" form="sluice-connection" required /></p>',
            esc_html__('Address of Sluice', 'sluice-for-woocommerce'),
        );
        self::button('sluice_connect', __('Connect', 'sluice-for-woocommerce'));
    }

    private static function connected(Connection $connection): void
    {
        printf(
            '<p>%s</p><p><code>%s</code></p>',
            esc_html(sprintf(
                /* translators: 1: name of the business, 2: address of Sluice, 3: test or live */
                __('Connected to %1$s at %2$s (%3$s).', 'sluice-for-woocommerce'),
                $connection->merchantName,
                $connection->url,
                $connection->environment,
            )),
            esc_html($connection->keyHint()),
        );
        if ($connection->environment === 'test') {
            printf('<p><strong>%s</strong></p>', esc_html__('This is the test environment: orders are paid with no real money.', 'sluice-for-woocommerce'));
        }
        self::button('sluice_forget', __('Forget this connection', 'sluice-for-woocommerce'));
    }

    // A form within a form does not exist in HTML; a control can belong to another one by its id.
    private static function button(string $action, string $label): void
    {
        printf('<button type="submit" class="button" form="sluice-connection">%s</button>', esc_html($label));
        add_action('admin_footer', static function () use ($action): void {
            printf('<form id="sluice-connection" method="post" action="%s">', esc_url(admin_url('admin-post.php')));
            printf('<input type="hidden" name="action" value="%s" />', esc_attr($action));
            wp_nonce_field($action);
            echo '</form>';
        });
    }
}
