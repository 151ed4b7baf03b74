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
    private const INVOICES = '_sluice_invoices';
    private const ATTEMPTS = '_sluice_attempts';
    private const SEEN = '_sluice_seen';
    private const PAID = '_sluice_paid';
    private const LOCK_SECONDS = 10;

    /** The address of the payment page: of the open invoice if the order has one for the same price, else of a new one. */
    public static function checkoutUrl(\WC_Order $order, Connection $connection): string
    {
        return self::locked($order->get_id(), static function (\WC_Order $order) use ($connection): string {
            $open = self::openInvoice($order, $connection);
            return ($open ?? self::newInvoice($order, $connection))->checkout_url;
        });
    }

    /** Brings an order up to date with its invoice. For hooks, which must not fail: what goes wrong is logged. */
    public static function refresh(int|string $orderId): void
    {
        $order = wc_get_order($orderId);
        $connection = Connection::current();
        $invoiceId = $order instanceof \WC_Order ? $order->get_meta(self::INVOICE) : '';
        if ($connection === null || $invoiceId === '') {
            return;
        }
        try {
            self::settle($invoiceId, $connection);
        } catch (SluiceException | OrderBusy $error) {
            wc_get_logger()->warning("Order $orderId was not refreshed: {$error->getMessage()}", ['source' => Plugin::ID]);
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
        self::locked($found->get_id(), static function (\WC_Order $order) use ($invoiceId, $connection): void {
            // The shop's own note of its invoices decides: anything can be written into an external_id.
            if (!in_array($invoiceId, (array) $order->get_meta(self::INVOICES), true)) {
                return;
            }
            // Read under the lock: another process may have acted on a newer state meanwhile.
            self::apply($order, $connection->client()->invoices->get($invoiceId));
        });
    }

    private static function openInvoice(\WC_Order $order, Connection $connection): ?Invoice
    {
        $id = $order->get_meta(self::INVOICE);
        if (!is_string($id) || $id === '') {
            return null;
        }
        try {
            $invoice = $connection->client()->invoices->get($id);
        } catch (\Sluice\Exception\NotFoundException) {
            // It was created under another connection.
            return null;
        }
        self::apply($order, $invoice);
        $isOpen = in_array($invoice->status, ['pending', 'underpaid'], true);
        return $isOpen && self::isSamePrice($order, $invoice) ? $invoice : null;
    }

    private static function newInvoice(\WC_Order $order, Connection $connection): Invoice
    {
        // Stored before it is used: when the answer is lost, the next try gets the same invoice.
        $attempts = (array) ($order->get_meta(self::ATTEMPTS) ?: ['number' => 0, 'price' => '']);
        $price = $order->get_total() . ' ' . $order->get_currency() . ' ' . $order->get_meta(self::INVOICE);
        if ($attempts['price'] !== $price) {
            $attempts = ['number' => $attempts['number'] + 1, 'price' => $price];
            $order->update_meta_data(self::ATTEMPTS, $attempts);
            $order->save();
        }
        $invoice = $connection->client()->invoices->create([
            'amount_fiat' => (string) $order->get_total(),
            'fiat_currency' => $order->get_currency(),
            'deferred' => true,
            'external_id' => (string) $order->get_id(),
            /* translators: %s: number of the order */
            'description' => sprintf(__('Order %s', 'sluice-for-woocommerce'), $order->get_order_number()),
            'metadata' => ['order_number' => (string) $order->get_order_number()],
            'redirect_url' => $order->get_checkout_order_received_url(),
            'idempotency_key' => hash('sha256', $order->get_order_key()) . '-' . $attempts['number'],
        ]);
        // Metadata that is missing reads as an empty string.
        $all = array_diff((array) $order->get_meta(self::INVOICES), ['']);
        $order->update_meta_data(self::INVOICES, [...$all, $invoice->id]);
        $order->update_meta_data(self::INVOICE, $invoice->id);
        $order->update_meta_data(self::SEEN, '');
        $order->save();
        return $invoice;
    }

    /** What a state of an invoice means for its order. */
    private static function apply(\WC_Order $order, Invoice $invoice): void
    {
        $seen = implode(' ', [
            $invoice->id, $invoice->status, $invoice->amount_paid, $invoice->amount_pending, $invoice->amount_overpaid,
        ]);
        if ($order->get_meta(self::SEEN) === $seen) {
            return;
        }
        // Saved together with what it causes: neither is lost without the other.
        $order->update_meta_data(self::SEEN, $seen);
        $isCurrent = $order->get_meta(self::INVOICE) === $invoice->id;
        $hasMoney = self::plain($invoice->amount_paid) !== '0';
        match (true) {
            in_array($invoice->status, ['paid', 'overpaid'], true) => self::paid($order, $invoice, $isCurrent),
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
            $invoice->status !== 'pending' => $isCurrent ? self::ended($order, $invoice->status) : null,
            self::plain($invoice->amount_pending) !== '0' => self::detected($order, $invoice),
            default => null,
        };
        $order->save();
    }

    private static function paid(\WC_Order $order, Invoice $invoice, bool $isCurrent): void
    {
        $before = $order->get_meta(self::PAID);
        $order->update_meta_data(self::PAID, $before === '' ? $invoice->id : $before);
        if ($before !== '' && $before !== $invoice->id) {
            self::note($order, __('A second invoice of this order was paid too. Refund it.', 'sluice-for-woocommerce'), $invoice);
            return;
        }
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
            return;
        }
        if ($order->has_status('cancelled') || !self::isSamePrice($order, $invoice)) {
            $text = __('The invoice was paid, but the order was cancelled or changed meanwhile. Decide by hand.', 'sluice-for-woocommerce');
            self::hold($order, $text);
            return;
        }
        $order->payment_complete($invoice->id);
    }

    private static function reversed(\WC_Order $order, Invoice $invoice): void
    {
        // Kept, so that the order becomes paid again when the payment returns.
        self::hold($order, sprintf(
            /* translators: 1: amount, 2: currency */
            __('A payment left the blockchain again; %1$s %2$s are confirmed now. Do not ship, or ask the payer.', 'sluice-for-woocommerce'),
            $invoice->amount_paid,
            $invoice->currency ?? '',
        ));
    }

    /** Nothing was paid. A failed order can be paid again; one on hold has taken stock, which cancelling gives back. */
    private static function ended(\WC_Order $order, string $status): void
    {
        $text = $status === 'expired'
            ? __('The time to pay is over, and nothing was paid.', 'sluice-for-woocommerce')
            : __('The invoice was cancelled at Sluice.', 'sluice-for-woocommerce');
        if ($order->has_status('on-hold')) {
            $order->update_status('cancelled', $text);
        } elseif ($order->has_status('pending')) {
            $order->update_status($status === 'expired' ? 'failed' : 'cancelled', $text);
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
            $order->update_status('on-hold', $text);
        }
    }

    private static function hold(\WC_Order $order, string $text): void
    {
        if ($order->has_status(['on-hold', 'refunded'])) {
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

    private static function isSamePrice(\WC_Order $order, Invoice $invoice): bool
    {
        return self::plain((string) $order->get_total()) === self::plain((string) $invoice->amount_fiat)
            && $order->get_currency() === $invoice->fiat_currency;
    }

    /** The same number in one spelling: `49.90` and `49.9` are equal. */
    private static function plain(string $amount): string
    {
        return str_contains($amount, '.') ? rtrim(rtrim($amount, '0'), '.') : $amount;
    }

    /**
     * Runs `$work` with the order as it is now, one at a time for each order over all processes.
     *
     * @template T
     * @param callable(\WC_Order): T $work
     * @return T
     */
    public static function locked(int $orderId, callable $work): mixed
    {
        global $wpdb;
        $name = substr(hash('sha256', $wpdb->prefix . DB_NAME . " sluice $orderId"), 0, 60);
        if ((string) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::LOCK_SECONDS)) !== '1') {
            throw new OrderBusy("Order $orderId is being changed elsewhere.");
        }
        try {
            clean_post_cache($orderId);
            $order = wc_get_order($orderId);
            if (!$order instanceof \WC_Order) {
                throw new OrderBusy("Order $orderId does not exist any more.");
            }
            return $work($order);
        } finally {
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }
}
