<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Automattic\WooCommerce\Caches\OrderCache;

/** Lets one process at a time work on an order, under a named lock of the database. */
final class OrderLock
{
    private const SECONDS = 10;

    /**
     * Runs `$work` with the order as it is now.
     *
     * @template T
     * @param callable(\WC_Order): T $work
     * @return T
     * @throws OrderBusy when the order is being changed elsewhere, or is gone
     */
    public static function with(int $orderId, callable $work): mixed
    {
        global $wpdb;
        $name = substr(hash('sha256', $wpdb->prefix . DB_NAME . " sluice $orderId"), 0, 60);
        if ((string) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::SECONDS)) !== '1') {
            throw new OrderBusy("Order $orderId is being changed elsewhere.");
        }
        try {
            $order = self::readAgain($orderId);
            if (!$order instanceof \WC_Order) {
                throw new OrderBusy("Order $orderId does not exist any more.");
            }
            return $work($order);
        } finally {
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    // While this process waited, another has changed the order, but WordPress and WooCommerce keep what they have read.
    private static function readAgain(int $orderId): mixed
    {
        clean_post_cache($orderId);
        wc_get_container()->get(OrderCache::class)->remove($orderId);
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) {
            $store->clear_cached_data([$orderId]);
        }
        return wc_get_order($orderId);
    }
}
