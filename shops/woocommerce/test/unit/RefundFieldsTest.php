<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\WooCommerce\RefundFields;

final class RefundFieldsTest extends ShopCase
{
    public function testShowsTheAddressEscaped(): void
    {
        $order = $this->order(['meta' => ['_sluice_refund_address' => '"><script>alert(1)</script>', '_sluice_refund_tag' => '42']]);
        $html = self::shown($order);
        self::assertStringContainsString('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"', $html);
        self::assertStringContainsString('name="_sluice_refund_tag" value="42"', $html);
        self::assertStringNotContainsString('<script>', $html);
        self::assertStringContainsString('value="' . wp_create_nonce('sluice_refund') . '"', $html);
    }

    public function testShowsAndOffersNothingForOrdersThatWerePaidOtherwise(): void
    {
        $order = $this->order(['payment_method' => 'cod']);
        self::assertSame('', self::shown($order));
        self::assertSame(['a' => 'b'], RefundFields::offerRefresh(['a' => 'b'], $order));
        self::assertSame(['a' => 'b'], RefundFields::offerRefresh(['a' => 'b']));
        $own = RefundFields::offerRefresh(['a' => 'b'], $this->order());
        self::assertSame(['a', 'sluice_refresh'], array_keys($own));
    }

    public function testSavesWhatTheStaffEntered(): void
    {
        $this->order();
        $this->save(['_sluice_refund_address' => ' bc1q<b>x</b> ', '_sluice_refund_tag' => addslashes("it's")]);
        self::assertSame(['bc1qx', "it's"], $this->kept());
        $this->save([]);
        self::assertSame(['', ''], $this->kept());
    }

    public function testSavesNothingWithoutTheNonceOrTheCapability(): void
    {
        $fields = ['_sluice_refund_address' => 'bc1qthief'];
        $this->order();
        $this->save($fields, '');
        $this->save($fields, wp_create_nonce('sluice_connect'));
        \Wordpress::$isManager = false;
        $this->save($fields);
        self::assertSame(['', ''], $this->kept());
    }

    public function testAnOrderThatDoesNotExistIsNoError(): void
    {
        $this->save(['_sluice_refund_address' => 'bc1q']);
        self::assertFalse(wc_get_order(self::ORDER));
    }

    /** @param array<string, string> $fields */
    private function save(array $fields, ?string $nonce = null): void
    {
        $_POST = $fields + ['sluice_refund_nonce' => $nonce ?? wp_create_nonce('sluice_refund')];
        RefundFields::save(self::ORDER);
    }

    /** @return list<string> */
    private function kept(): array
    {
        $order = $this->stored();
        return [$order->get_meta('_sluice_refund_address'), $order->get_meta('_sluice_refund_tag')];
    }

    private static function shown(\WC_Order $order): string
    {
        ob_start();
        RefundFields::show($order);
        return ob_get_clean();
    }
}
