<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Model\Invoice;

/** What an order costs, in the spelling that Sluice takes, with any number of decimals in the shop. */
final class Price
{
    public static function of(\WC_Order $order): string
    {
        return self::plain((string) $order->get_total());
    }

    /** Whether an invoice asks for exactly what the order costs now. */
    public static function isAskedBy(Invoice $invoice, \WC_Order $order): bool
    {
        return self::of($order) === self::plain((string) $invoice->amount_fiat)
            && $order->get_currency() === $invoice->fiat_currency;
    }

    /** The same number in one spelling: `49.90` and `49.9` are equal, and so are `1500.00` and `1500`. */
    public static function plain(string $amount): string
    {
        return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
    }
}
