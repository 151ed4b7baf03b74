<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Exception\SluiceException;
use Sluice\Model\Invoice;

/**
 * Orders and their invoices. What happens to an order depends on the invoice as Sluice shows it now, and never on which
 * webhook arrived: webhooks may repeat, overtake each other, or be lost. So the same invoice has the same effect once.
 */
final class Orders
{
    public const INVOICE = '_sluice_invoice_id';
    public const INVOICES = '_sluice_invoices';
    /** What the order knows of each invoice. */
    private const SEEN = '_sluice_seen';
    /** The invoice that paid for the order. */
    public const PAID = '_sluice_paid';
    /** The same, once its payment has left the blockchain. */
    private const REVERSED = '_sluice_reversed';
    /** The invoice for whose confirmations the order waits. */
    private const AWAITED = '_sluice_awaited';

    /** Brings an order up to date with its invoices and refunds. For hooks, which must not fail: what goes wrong is logged. */
    public static function refresh(int|string $orderId): void
    {
        $order = wc_get_order($orderId);
        $connection = Connection::current();
        if ($connection === null || !$order instanceof \WC_Order) {
            return;
        }
        $settles = [self::INVOICES => self::settle(...), Refunds::REFUNDS => Refunds::settle(...)];
        foreach ($settles as $list => $settle) {
            foreach (array_diff((array) $order->get_meta($list), ['']) as $id) {
                try {
                    $settle($id, $connection);
                } catch (SluiceException | OrderBusy $error) {
                    wc_get_logger()->warning("Order $orderId was not refreshed: {$error->getMessage()}", ['source' => Plugin::ID]);
                }
            }
        }
    }

    /**
     * Reads an invoice and brings its order up to date. An invoice that belongs to no order of this shop is ignored.
     *
     * @throws SluiceException|OrderBusy when that should be tried again
     */
    public static function settle(string $invoiceId, Connection $connection): void
    {
        $orderId = $connection->client()->invoices->get($invoiceId)->external_id;
        $found = is_string($orderId) && ctype_digit($orderId) ? wc_get_order((int) $orderId) : false;
        if (!$found instanceof \WC_Order) {
            return;
        }
        OrderLock::with($found->get_id(), static function (\WC_Order $order) use ($invoiceId, $connection): void {
            // The shop's own note of its invoices decides: anything can be written into an external_id.
            if (!in_array($invoiceId, (array) $order->get_meta(self::INVOICES), true)) {
                return;
            }
            // Read under the lock: another process may have acted on a newer state meanwhile.
            self::apply($order, $connection->client()->invoices->get($invoiceId));
        });
    }

    /** What a state of an invoice means for its order, under the order's lock. The same state has its effect once. */
    public static function apply(\WC_Order $order, Invoice $invoice): void
    {
        $state = implode(' ', [
            $invoice->status, $invoice->amount_paid, $invoice->amount_pending, $invoice->amount_overpaid,
        ]);
        $seen = $order->get_meta(self::SEEN) ?: [];
        if (($seen[$invoice->id] ?? '') === $state) {
            return;
        }
        // Saved together with what it causes: neither is lost without the other.
        $order->update_meta_data(self::SEEN, [$invoice->id => $state] + $seen);
        $isTheirs = in_array($invoice->id, [$order->get_meta(self::INVOICE), $order->get_meta(self::AWAITED)], true);
        $hasMoney = Price::plain($invoice->amount_paid) !== '0';
        match (true) {
            in_array($invoice->status, ['paid', 'overpaid'], true) => self::paid($order, $invoice),
            $order->get_meta(self::PAID) === $invoice->id => self::reversed($order, $invoice),
            $invoice->status === 'underpaid' => self::hold($order, sprintf(
                /* translators: 1: amount paid, 2: amount still due, 3: currency */
                __('Too little was paid: %1$s %3$s, %2$s %3$s are missing. The payer can still pay the rest.', 'sluice-for-woocommerce'),
                $invoice->amount_paid,
                $invoice->amount_due,
                $invoice->currency,
            )),
            // Expired or cancelled, but money came: too little in time, or a payment that was late.
            $hasMoney => self::hold($order, sprintf(
                /* translators: 1: amount, 2: currency */
                __('%1$s %2$s arrived, but the invoice has ended. Refund it or accept it by hand.', 'sluice-for-woocommerce'),
                $invoice->amount_paid,
                $invoice->currency,
            )),
            $invoice->status !== 'pending' => $isTheirs ? self::ended($order, $invoice) : null,
            Price::plain($invoice->amount_pending) !== '0' => self::detected($order, $invoice),
            default => null,
        };
        $order->save();
    }

    private static function paid(\WC_Order $order, Invoice $invoice): void
    {
        $before = $order->get_meta(self::PAID);
        // What has left the blockchain pays for nothing.
        if (!in_array($before, ['', $invoice->id, $order->get_meta(self::REVERSED)], true)) {
            self::note($order, __('A second invoice of this order was paid too. Refund it.', 'sluice-for-woocommerce'), $invoice);
            return;
        }
        $order->update_meta_data(self::PAID, $invoice->id);
        $order->update_meta_data(self::REVERSED, '');
        $order->update_meta_data(self::AWAITED, '');
        if ($invoice->status === 'overpaid') {
            $text = sprintf(
                /* translators: 1: amount, 2: currency */
                __('%1$s %2$s more than asked were paid. You can refund the excess.', 'sluice-for-woocommerce'),
                $invoice->amount_overpaid,
                $invoice->currency,
            );
            self::note($order, $text, $invoice);
        }
        if ($order->is_paid() || $order->has_status('refunded')) {
            if ($before === '') {
                self::note($order, __('The invoice was paid although the order had been paid otherwise, or accepted by hand. Refund it if it was paid twice.', 'sluice-for-woocommerce'), $invoice);
            }
            return;
        }
        if ($order->has_status('cancelled') || !Price::isAskedBy($invoice, $order)) {
            $text = __('The invoice was paid, but the order was cancelled or changed meanwhile. Decide by hand.', 'sluice-for-woocommerce');
            self::hold($order, $text);
            return;
        }
        if (!$order->payment_complete($invoice->id)) {
            throw new OrderBusy("Order {$order->get_id()} could not be completed.");
        }
    }

    private static function reversed(\WC_Order $order, Invoice $invoice): void
    {
        $text = sprintf(
            /* translators: 1: amount, 2: currency */
            __('A payment left the blockchain again; %1$s %2$s are confirmed now. Do not ship, or ask the payer.', 'sluice-for-woocommerce'),
            $invoice->amount_paid,
            $invoice->currency ?? '',
        );
        $isNew = $order->get_meta(self::REVERSED) !== $invoice->id;
        // What paid stays known, so that the order becomes paid again when the payment returns.
        $order->update_meta_data(self::REVERSED, $invoice->id);
        // What the staff have decided since then stands.
        if ($isNew && !$order->has_status(['on-hold', 'refunded'])) {
            $order->update_status('on-hold', $text);
        } else {
            $order->add_order_note($text);
        }
    }

    /** Nothing was paid. A failed order can be paid again; one that waited for confirmations has taken stock, which cancelling gives back. */
    private static function ended(\WC_Order $order, Invoice $invoice): void
    {
        $isExpired = $invoice->status === 'expired';
        $text = $isExpired
            ? __('The time to pay is over, and nothing was paid.', 'sluice-for-woocommerce')
            : __('The invoice was cancelled at Sluice.', 'sluice-for-woocommerce');
        if ($order->has_status('on-hold') && $order->get_meta(self::AWAITED) === $invoice->id) {
            $order->update_status('cancelled', $text);
        } elseif ($order->has_status('on-hold')) {
            // It waits for something else: for a person, because of other money that came.
            self::note($order, $text, $invoice);
        } elseif ($order->has_status('pending')) {
            $order->update_status($isExpired ? 'failed' : 'cancelled', $text);
        }
    }

    // On hold, since WooCommerce cancels orders that stay pending for long, and a payment may take an hour to confirm.
    private static function detected(\WC_Order $order, Invoice $invoice): void
    {
        if ($order->has_status(['pending', 'failed'])) {
            $text = sprintf(
                /* translators: 1: amount, 2: currency */
                __('A payment of %1$s %2$s was seen and waits for confirmations.', 'sluice-for-woocommerce'),
                $invoice->amount_pending,
                $invoice->currency,
            );
            $order->update_meta_data(self::AWAITED, $invoice->id);
            $order->update_status('on-hold', $text);
        }
    }

    /** Lets the order wait for a person. One that is paid otherwise, or that the staff have accepted, only gets a note. */
    private static function hold(\WC_Order $order, string $text): void
    {
        $order->update_meta_data(self::AWAITED, '');
        if ($order->is_paid() || $order->has_status(['on-hold', 'refunded'])) {
            $order->add_order_note($text);
        } else {
            $order->update_status('on-hold', $text);
        }
    }

    private static function note(\WC_Order $order, string $text, Invoice $invoice): void
    {
        /* translators: %s: id of the invoice */
        $order->add_order_note($text . ' ' . sprintf(__('Invoice %s.', 'sluice-for-woocommerce'), $invoice->id));
    }
}
