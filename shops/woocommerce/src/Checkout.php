<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Exception\ConflictException;
use Sluice\Exception\NotFoundException;
use Sluice\Exception\SluiceException;
use Sluice\Model\Invoice;

/** The payer's way to pay for an order. Only one invoice of an order can be paid at a time. */
final class Checkout
{
    private const ATTEMPTS = '_sluice_attempts';
    private const MOST_TRIES = 5;

    /**
     * Where the payer goes: to the payment page of the open invoice if there is one for this price, else of a new one. An
     * order that turns out to be paid, or to wait for a person, leads to its own page.
     *
     * @throws SluiceException|OrderBusy
     */
    public static function url(\WC_Order $order, Connection $connection): string
    {
        return OrderLock::with($order->get_id(), static function (\WC_Order $order) use ($connection): string {
            $open = self::openInvoice($order, $connection);
            if ($open !== null) {
                return $open->checkout_url;
            }
            if ($order->needs_payment()) {
                return self::newInvoice($order, $connection)->checkout_url;
            }
            if ($order->is_paid() || $order->has_status('on-hold')) {
                return $order->get_checkout_order_received_url();
            }
            throw new OrderBusy("Order {$order->get_id()} is {$order->get_status()} and cannot be paid.");
        });
    }

    private static function openInvoice(\WC_Order $order, Connection $connection): ?Invoice
    {
        $id = $order->get_meta(Orders::INVOICE);
        if (!is_string($id) || $id === '') {
            return null;
        }
        try {
            $invoice = $connection->client()->invoices->get($id);
        } catch (NotFoundException) {
            // It was created under another connection.
            return null;
        }
        Orders::apply($order, $invoice);
        if (!in_array($invoice->status, ['pending', 'underpaid'], true)) {
            return null;
        }
        if (Price::isAskedBy($invoice, $order)) {
            return $invoice;
        }
        self::end($order, $invoice, $connection);
        return null;
    }

    /** Cancels an invoice of a former price. Throws if a payment is on its way: a second one would be one too many. */
    private static function end(\WC_Order $order, Invoice $invoice, Connection $connection): void
    {
        // First, so that the end of this invoice is never taken for the end of the order.
        $order->update_meta_data(Orders::INVOICE, '');
        $order->save();
        try {
            $connection->client()->invoices->cancel($invoice->id);
        } catch (ConflictException) {
            $order->update_meta_data(Orders::INVOICE, $invoice->id);
            $order->save();
            throw new OrderBusy("A payment was seen for a former price of order {$order->get_id()}.");
        }
    }

    private static function newInvoice(\WC_Order $order, Connection $connection): Invoice
    {
        for ($try = 1; $try <= self::MOST_TRIES; $try += 1) {
            $invoice = self::invoiceOf(self::attempt($order, $try > 1), $order, $connection);
            // One that has ended was asked for before, when the answer was lost.
            if ($invoice?->status === 'pending') {
                $all = array_diff((array) $order->get_meta(Orders::INVOICES), ['']);
                $order->update_meta_data(Orders::INVOICES, [...$all, $invoice->id]);
                $order->update_meta_data(Orders::INVOICE, $invoice->id);
                $order->save();
                return $invoice;
            }
        }
        throw new OrderBusy("Order {$order->get_id()} got no new invoice.");
    }

    /** The number of an attempt to get an invoice, stored before it is used: when the answer is lost, the next try gets the same one. */
    private static function attempt(\WC_Order $order, bool $another): int
    {
        $last = (array) ($order->get_meta(self::ATTEMPTS) ?: ['number' => 0, 'price' => '']);
        $price = Price::of($order) . ' ' . $order->get_currency() . ' ' . $order->get_meta(Orders::INVOICE);
        if ($last['price'] !== $price || $another) {
            $last = ['number' => $last['number'] + 1, 'price' => $price];
            $order->update_meta_data(self::ATTEMPTS, $last);
            $order->save();
        }
        return $last['number'];
    }

    private static function invoiceOf(int $attempt, \WC_Order $order, Connection $connection): ?Invoice
    {
        try {
            return $connection->client()->invoices->create([
                'amount_fiat' => Price::of($order),
                'fiat_currency' => $order->get_currency(),
                'deferred' => true,
                'external_id' => (string) $order->get_id(),
                /* translators: %s: number of the order */
                'description' => sprintf(__('Order %s', 'sluice-for-woocommerce'), $order->get_order_number()),
                'metadata' => ['order_number' => (string) $order->get_order_number()],
                'redirect_url' => $order->get_checkout_order_received_url(),
                'idempotency_key' => hash('sha256', $order->get_order_key()) . "-$attempt",
            ]);
        } catch (ConflictException $error) {
            // The answer was lost, and the order reads differently now, as in another language. No one has seen that invoice.
            if ($error->errorCode === 'idempotency_key_mismatch') {
                return null;
            }
            throw $error;
        }
    }
}
