<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Automattic\WooCommerce\Caches\OrderCache;
use PHPUnit\Framework\TestCase;
use Sluice\WooCommerce\Connection;

/** A shop that is connected to a scripted Sluice, with one order. */
abstract class ShopCase extends TestCase
{
    protected const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
    protected const KEY = 'sk_test_0123456789abcdef';
    protected const ORDER = 7;

    protected ScriptedSluice $sluice;
    private string $folder;

    protected function setUp(): void
    {
        $this->sluice = ScriptedSluice::running();
        $this->sluice->forget();
        $this->folder = sys_get_temp_dir() . '/sluice-shop-' . bin2hex(random_bytes(6));
        mkdir($this->folder, 0700);
        \Kept::$folder = $this->folder;
        wc_get_container()->get(OrderCache::class)->flush();
        \Wordpress::$hooks = [];
        \Wordpress::$home = 'https://shop.example';
        \Wordpress::$isManager = true;
        $GLOBALS['wpdb'] = new \wpdb();
        [$_GET, $_POST, $_REQUEST] = [[], [], []];
        add_filter('wp_redirect', static fn (string $location) => throw new Left($location));
        add_filter('wp_die_handler', static fn () => static fn ($text, $title, $args) => throw new Left("{$args['response']}"));
        $this->connect();
    }

    protected function tearDown(): void
    {
        array_map('unlink', glob("{$this->folder}/*"));
        rmdir($this->folder);
    }

    /** @param array<string, mixed> $more */
    protected function connect(array $more = []): Connection
    {
        update_option(Connection::OPTION, $more + [
            'url' => $this->sluice->url,
            'id' => 'shop_1',
            'environment' => 'test',
            'merchant_name' => 'Blue Bottle',
            'api_key' => self::KEY,
            'webhook_secret' => self::SECRET,
        ]);
        return Connection::current();
    }

    /** @param array<string, mixed> $more */
    protected function order(array $more = []): \WC_Order
    {
        \WC_Order::create(self::ORDER, $more + ['total' => '49.90', 'currency' => 'EUR', 'key' => 'k']);
        return $this->stored();
    }

    /** The order as the next request reads it. */
    protected function stored(): \WC_Order
    {
        wc_get_container()->get(OrderCache::class)->flush();
        return wc_get_order(self::ORDER);
    }

    /** An order that waits for `inv_1`. */
    protected function billed(string $status = 'pending'): \WC_Order
    {
        $meta = ['_sluice_invoice_id' => 'inv_1', '_sluice_invoices' => ['inv_1']];
        return $this->order(['status' => $status, 'meta' => $meta]);
    }

    /** @param array<string, mixed> $more */
    protected function invoice(array $more = [], string $id = 'inv_1'): void
    {
        $this->sluice->has("GET /api/v1/invoices/$id", $more + self::invoiceFields($id));
    }

    /** @return array<string, mixed> */
    protected static function invoiceFields(string $id): array
    {
        return [
            'id' => $id,
            'external_id' => (string) self::ORDER,
            'status' => 'pending',
            'amount' => '0.001',
            'amount_paid' => '0',
            'amount_pending' => '0',
            'amount_due' => '0.001',
            'amount_overpaid' => '0',
            'amount_fiat' => '49.90',
            'fiat_currency' => 'EUR',
            'currency' => 'BTC',
            'network' => 'bitcoin',
            'checkout_url' => "https://pay.example/pay/$id",
        ];
    }

    protected function notes(): string
    {
        return implode("\n", $this->stored()->all()['notes']);
    }

    /** Where the plugin ends the request. */
    protected function leaving(callable $work): string
    {
        try {
            $work();
        } catch (Left $left) {
            return $left->getMessage();
        }
        $this->fail('The request went on.');
    }
}
