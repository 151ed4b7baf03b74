<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Client;
use Sluice\Exception\SluiceException;
use Sluice\Model\Refund;

/** Refunds from the shop's admin. Sluice sends them once a person has approved them in its dashboard. */
final class Refunds
{
    public const REFUNDS = '_sluice_refunds';
    private const MOST_REFUNDS = 100;

    /**
     * Requests a refund of this part of the order's price, in the currency that was paid. Throws with words for the admin.
     *
     * @throws SluiceException|OrderBusy|RefundRefused
     */
    public static function request(\WC_Order $order, string $amount, string $reason, Connection $connection): void
    {
        OrderLock::with($order->get_id(), static function (\WC_Order $order) use ($amount, $reason, $connection): void {
            $address = trim((string) $order->get_meta(RefundFields::ADDRESS));
            if ($address === '') {
                throw new RefundRefused(__(
                    'Ask the customer where to send the refund, and enter that address in the order under “Refund address”. The address that the payment came from may belong to an exchange.',
                    'sluice-for-woocommerce',
                ));
            }
            $client = $connection->client();
            $invoice = $client->invoices->get((string) ($order->get_meta(Orders::PAID) ?: $order->get_meta(Orders::INVOICE)));
            if ($invoice->currency === null || $invoice->amount === null || $invoice->amount_fiat === null) {
                throw new RefundRefused(__('Nothing was paid for this order yet.', 'sluice-for-woocommerce'));
            }
            $decimals = self::decimalsOf($connection, $invoice->currency, (string) $invoice->network);
            $units = Proportion::of($invoice->amount, $amount, $invoice->amount_fiat, $decimals);
            $tag = trim((string) $order->get_meta(RefundFields::TAG));
            $refunds = array_diff((array) $order->get_meta(self::REFUNDS), ['']);
            $fields = [
                'invoice_id' => $invoice->id,
                'currency' => $invoice->currency,
                'network' => $invoice->network,
                'amount' => $units,
                'destination' => $address,
                'description' => mb_substr($reason, 0, 1000),
                'metadata' => ['order' => (string) $order->get_id()],
            ] + ($tag === '' ? [] : ['destination_tag' => $tag]);
            // The same request when it is repeated, since the answer may have been lost; another one for the next refund.
            $key = hash('sha256', json_encode([$order->get_order_key(), count($refunds), $fields], JSON_THROW_ON_ERROR));
            $refund = self::unknown($client, $fields, $refunds) ?? $client->refunds->create($fields, idempotencyKey: $key);
            $order->update_meta_data(self::REFUNDS, [...$refunds, $refund->id]);
            $order->save();
            $order->add_order_note(sprintf(
                /* translators: 1: amount, 2: currency, 3: address */
                __('A refund of %1$s %2$s to %3$s was requested. It is sent once someone approves it in the dashboard of Sluice.', 'sluice-for-woocommerce'),
                $refund->amount,
                $refund->currency,
                $refund->destination,
            ));
        });
    }

    /**
     * A refund of this order that Sluice has and the shop does not know, since an answer was lost. It is taken for this request
     * if it pays the same to the same address, with any stated reason. Another one has to be looked at first.
     *
     * @param array<string, mixed> $fields
     * @param list<string> $known
     */
    private static function unknown(Client $client, array $fields, array $known): ?Refund
    {
        $query = ['invoice_id' => $fields['invoice_id'], 'limit' => self::MOST_REFUNDS];
        foreach ($client->refunds->list($query) as $refund) {
            $isOver = in_array($refund->status, ['failed', 'cancelled'], true);
            $isTheirs = ($refund->metadata['order'] ?? null) === $fields['metadata']['order'];
            if ($isOver || !$isTheirs || in_array($refund->id, $known, true)) {
                continue;
            }
            $isSame = $refund->amount === $fields['amount'] && $refund->destination === $fields['destination']
                && ($refund->destination_tag ?? '') === ($fields['destination_tag'] ?? '');
            if ($isSame) {
                return $refund;
            }
            throw new RefundRefused(sprintf(
                /* translators: 1: amount, 2: currency, 3: address */
                __('Sluice has a refund of this order that the shop does not know: %1$s %2$s to %3$s. Reject it in the dashboard of Sluice, or refund exactly that first.', 'sluice-for-woocommerce'),
                $refund->amount,
                $refund->currency,
                $refund->destination,
            ));
        }
        return null;
    }

    /**
     * Notes the end of a refund in its order, once.
     *
     * @throws SluiceException|OrderBusy when that should be tried again
     */
    public static function settle(string $refundId, Connection $connection): void
    {
        $refund = $connection->client()->refunds->get($refundId);
        $orderId = $refund->metadata['order'] ?? '';
        $found = ctype_digit((string) $orderId) ? wc_get_order((int) $orderId) : false;
        if (!$found instanceof \WC_Order) {
            return;
        }
        OrderLock::with($found->get_id(), static function (\WC_Order $order) use ($refund): void {
            $told = "_sluice_refund_{$refund->id}";
            $isTheirs = in_array($refund->id, (array) $order->get_meta(self::REFUNDS), true);
            if (!$isTheirs || $order->get_meta($told) === $refund->status) {
                return;
            }
            $text = self::said($refund);
            if ($text !== null) {
                $order->update_meta_data($told, $refund->status);
                $order->save();
                $order->add_order_note($text);
            }
        });
    }

    private static function said(Refund $refund): ?string
    {
        return match ($refund->status) {
            'completed' => sprintf(
                /* translators: 1: amount, 2: currency, 3: transaction */
                __('The refund of %1$s %2$s is confirmed on the blockchain: %3$s.', 'sluice-for-woocommerce'),
                $refund->amount,
                $refund->currency,
                $refund->tx_hash,
            ),
            'failed', 'cancelled' => sprintf(
                /* translators: 1: amount, 2: currency */
                __('The refund of %1$s %2$s was not sent. Delete it in this order, and refund again.', 'sluice-for-woocommerce'),
                $refund->amount,
                $refund->currency,
            ),
            default => null,
        };
    }

    private static function decimalsOf(Connection $connection, string $currency, string $network): int
    {
        foreach ($connection->client()->currencies->list(['environment' => $connection->environment]) as $each) {
            foreach ($each->code === $currency ? $each->networks : [] as $on) {
                if ($on->network === $network && $on->environment === $connection->environment) {
                    return $on->decimals;
                }
            }
        }
        throw new RefundRefused(__('Sluice does not know this currency any more.', 'sluice-for-woocommerce'));
    }
}
