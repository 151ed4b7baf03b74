<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\WooCommerce\Checkout;
use Sluice\WooCommerce\Connection;
use Sluice\WooCommerce\OrderBusy;
use Sluice\WooCommerce\Orders;

final class OrdersTest extends ShopCase
{
    private const CANCEL = 'POST /api/v1/invoices/inv_1/cancel';
    private const PAID = ['status' => 'paid', 'amount_paid' => '0.001', 'amount_due' => '0'];
    private const LATE = ['status' => 'expired', 'amount_paid' => '0.001'];

    /** @return iterable<string, array{string, array<string, string>, string, string}> */
    public static function decisions(): iterable
    {
        $seen = ['amount_pending' => '0.001'];
        $little = ['status' => 'underpaid', 'amount_paid' => '0.0004', 'amount_due' => '0.0006'];
        $much = ['status' => 'overpaid', 'amount_paid' => '0.003', 'amount_overpaid' => '0.002'];
        yield 'nothing happened' => ['pending', [], 'pending', ''];
        yield 'a payment was seen' => ['pending', $seen, 'on-hold', 'A payment of 0.001 BTC was seen'];
        yield 'a payment was seen after all' => ['failed', $seen, 'on-hold', 'A payment of 0.001 BTC was seen'];
        yield 'a payment was seen for a cancelled order' => ['cancelled', $seen, 'cancelled', ''];
        yield 'a zero is a zero in any spelling' => ['pending', ['amount_pending' => '0.000'], 'pending', ''];
        yield 'paid' => ['pending', self::PAID, 'processing', ''];
        yield 'paid while on hold' => ['on-hold', self::PAID, 'processing', ''];
        yield 'paid after it failed' => ['failed', self::PAID, 'processing', ''];
        yield 'paid, and completed by hand before' => ['completed', self::PAID, 'completed', 'had been paid otherwise'];
        yield 'paid, and refunded before' => ['refunded', self::PAID, 'refunded', 'had been paid otherwise'];
        yield 'paid, but cancelled' => ['cancelled', self::PAID, 'on-hold', 'cancelled or changed meanwhile'];
        yield 'paid another price' => ['pending', ['amount_fiat' => '49.91'] + self::PAID, 'on-hold', 'changed meanwhile'];
        yield 'paid another price, but completed by hand' => ['completed', ['amount_fiat' => '49.91'] + self::PAID, 'completed', 'had been paid otherwise'];
        yield 'paid another price, but refunded' => ['refunded', ['amount_fiat' => '49.91'] + self::PAID, 'refunded', 'had been paid otherwise'];
        yield 'paid in another currency' => ['pending', ['fiat_currency' => 'USD'] + self::PAID, 'on-hold', 'changed meanwhile'];
        yield 'paid the price in another spelling' => ['pending', ['amount_fiat' => '49.9'] + self::PAID, 'processing', ''];
        yield 'paid too much' => ['pending', $much, 'processing', '0.002 BTC more than asked were paid'];
        yield 'paid too little' => ['pending', $little, 'on-hold', '0.0004 BTC, 0.0006 BTC are missing'];
        yield 'paid too little while on hold' => ['on-hold', $little, 'on-hold', 'Too little was paid'];
        yield 'paid too little, but refunded' => ['refunded', $little, 'refunded', 'Too little was paid'];
        yield 'expired' => ['pending', ['status' => 'expired'], 'failed', 'The time to pay is over'];
        yield 'expired while on hold for something else' => ['on-hold', ['status' => 'expired'], 'on-hold', 'The time to pay is over'];
        yield 'expired, but completed by hand' => ['completed', ['status' => 'expired'], 'completed', ''];
        yield 'cancelled' => ['pending', ['status' => 'cancelled'], 'cancelled', 'was cancelled at Sluice'];
        yield 'paid too late' => ['failed', self::LATE, 'on-hold', '0.001 BTC arrived, but the invoice has ended'];
        yield 'paid after it was cancelled' => ['cancelled', ['status' => 'cancelled'] + self::LATE, 'on-hold', 'the invoice has ended'];
    }

    /**
     * @dataProvider decisions
     * @param array<string, string> $fields
     */
    public function testFollowsItsInvoice(string $before, array $fields, string $after, string $note): void
    {
        $this->billed($before);
        $this->invoice($fields);
        $this->settle();
        self::assertSame($after, $this->stored()->all()['status']);
        self::assertStringContainsString($note, $this->notes());
        if ($note === '' && $before === $after) {
            self::assertSame('', $this->notes());
        }
    }

    public function testIsPaidOnceHoweverOftenTheEventComes(): void
    {
        $this->billed();
        $this->invoice(self::PAID);
        $this->settle();
        $before = $this->stored()->all();
        self::assertSame([1, 'inv_1'], [$before['completed'], $before['transaction_id']]);
        $this->settle();
        self::assertSame($before, $this->stored()->all());
    }

    public function testNotesWhatIsMissingOnceHoweverOftenTheEventComes(): void
    {
        $this->billed();
        $this->invoice(['status' => 'underpaid', 'amount_paid' => '0.0004', 'amount_due' => '0.0006']);
        $this->settle();
        $this->settle();
        self::assertSame(1, substr_count($this->notes(), 'Too little was paid'));
        $this->invoice(['status' => 'underpaid', 'amount_paid' => '0.0005', 'amount_due' => '0.0005']);
        $this->settle();
        self::assertSame(2, substr_count($this->notes(), 'Too little was paid'));
    }

    public function testIsBroughtUpToDateWhenAskedTo(): void
    {
        $this->billed();
        $this->invoice(self::PAID);
        Orders::refresh('7');
        self::assertSame('processing', $this->stored()->all()['status']);
    }

    public function testIsLeftAsItIsWhereThereIsNothingToAskOrNobody(): void
    {
        Orders::refresh(8);
        $this->order();
        Orders::refresh(self::ORDER);
        self::assertSame([], $this->sluice->asked());
        $this->billed();
        $this->sluice->refuses('GET /api/v1/invoices/inv_1', 401, 'unauthorized');
        Orders::refresh(self::ORDER);
        Connection::forget();
        Orders::refresh(self::ORDER);
        self::assertSame('pending', $this->stored()->all()['status']);
    }

    public function testStopsWhenThePaymentLeavesTheChainAndGoesOnWhenItReturns(): void
    {
        $this->billed();
        $this->invoice(self::PAID);
        $this->settle();
        $this->invoice(['amount_pending' => '0.001']);
        $this->settle();
        self::assertSame('on-hold', $this->stored()->all()['status']);
        self::assertStringContainsString('0 BTC are confirmed now', $this->notes());
        $this->invoice(self::PAID);
        $this->settle();
        self::assertSame('processing', $this->stored()->all()['status']);
        self::assertStringNotContainsString('second invoice', $this->notes());
    }

    public function testStopsThoughItWasCompletedByHandBefore(): void
    {
        $this->billed('completed');
        $this->invoice(self::PAID);
        $this->settle();
        $this->invoice(['amount_pending' => '0.001']);
        $this->settle();
        self::assertSame('on-hold', $this->stored()->all()['status']);
    }

    public function testSaysThatASecondInvoiceWasPaid(): void
    {
        $meta = ['_sluice_invoice_id' => 'inv_2', '_sluice_invoices' => ['inv_1', 'inv_2']];
        $this->order(['meta' => $meta]);
        $this->invoice(self::PAID);
        $this->invoice(self::PAID, 'inv_2');
        $this->settle('inv_2');
        $this->settle('inv_1');
        self::assertStringContainsString('A second invoice of this order was paid too. Refund it. Invoice inv_1.', $this->notes());
        self::assertSame(['processing', 1, 'inv_2'], array_values(array_intersect_key(
            $this->stored()->all(),
            ['status' => 0, 'completed' => 0, 'transaction_id' => 0],
        )));
    }

    public function testAnInvoiceThatWasReplacedEndsNothing(): void
    {
        $this->order(['meta' => ['_sluice_invoice_id' => 'inv_2', '_sluice_invoices' => ['inv_1', 'inv_2']]]);
        $this->invoice(['status' => 'expired']);
        $this->settle('inv_1');
        self::assertSame('pending', $this->stored()->all()['status']);
    }

    /** @return iterable<string, array{string|null}> */
    public static function foreignIds(): iterable
    {
        yield 'another order' => ['8'];
        yield 'nobody' => [null];
        yield 'no number' => ['7 or 1=1'];
        yield 'a sign' => ['-7'];
    }

    /** @dataProvider foreignIds */
    public function testIgnoresAnInvoiceOfSomebodyElse(?string $externalId): void
    {
        $this->billed();
        $this->invoice(['external_id' => $externalId] + self::PAID);
        $this->settle();
        self::assertSame('pending', $this->stored()->all()['status']);
    }

    public function testIgnoresAnInvoiceThatTheShopDidNotMake(): void
    {
        $this->billed();
        $this->invoice(self::PAID, 'inv_3');
        $this->settle('inv_3');
        self::assertSame('pending', $this->stored()->all()['status']);
    }

    public function testBillsThePriceAndSendsThePayerBack(): void
    {
        $this->order();
        self::assertSame('https://pay.example/pay/inv_1', $this->checkoutUrl());
        [$asked] = $this->sluice->asked('POST /api/v1/invoices');
        self::assertSame(self::KEY, $asked['key']);
        self::assertEquals([
            'amount_fiat' => '49.9',
            'fiat_currency' => 'EUR',
            'deferred' => true,
            'external_id' => '7',
            'description' => 'Order 7',
            'metadata' => ['order_number' => '7'],
            'redirect_url' => 'https://shop.example/checkout/order-received/7/?key=wc_order_k',
            'idempotency_key' => hash('sha256', 'wc_order_k') . '-1',
        ], $asked['fields']);
    }

    public function testUsesItsOpenInvoiceAgainWhileThePriceIsTheSame(): void
    {
        $this->order();
        $this->checkoutUrl();
        $this->invoice();
        self::assertSame('https://pay.example/pay/inv_1', $this->checkoutUrl());
        self::assertCount(1, $this->sluice->asked('POST /api/v1/invoices'));
    }

    public function testAsksForTheRestOnTheSameInvoiceAndSeesWhatCameMeanwhile(): void
    {
        $this->order();
        $this->checkoutUrl();
        $this->invoice(['status' => 'underpaid', 'amount_paid' => '0.0004', 'amount_due' => '0.0006']);
        self::assertSame('https://pay.example/pay/inv_1', $this->checkoutUrl('inv_2'));
        self::assertSame('on-hold', $this->stored()->all()['status']);
        self::assertStringContainsString('Too little was paid', $this->notes());
    }

    /** @return iterable<string, array{array<string, string>, array<string, string>, list<string>}> */
    public static function unusable(): iterable
    {
        yield 'it expired' => [[], ['status' => 'expired'], []];
        yield 'the price is another' => [['total' => '60.00'], [], [self::CANCEL]];
        yield 'the currency is another' => [['currency' => 'USD'], [], [self::CANCEL]];
    }

    /**
     * @dataProvider unusable
     * @param array<string, string> $ofOrder
     * @param array<string, string> $ofInvoice
     * @param list<string> $cancelled
     */
    public function testMakesAnotherInvoiceWhen(array $ofOrder, array $ofInvoice, array $cancelled): void
    {
        $this->order();
        $this->checkoutUrl();
        \Kept::change('order ' . self::ORDER, static fn (array $order) => $ofOrder + $order, []);
        $this->invoice($ofInvoice);
        $this->sluice->has(self::CANCEL, ['status' => 'cancelled'] + self::invoiceFields('inv_1'));
        self::assertSame('https://pay.example/pay/inv_2', $this->checkoutUrl('inv_2'));
        self::assertSame($cancelled, array_column($this->sluice->asked(self::CANCEL), 'request'));
        self::assertSame(['inv_1', 'inv_2'], $this->stored()->get_meta('_sluice_invoices'));
        self::assertSame(['-1', '-2'], $this->keyEndings());
    }

    public function testMakesNoSecondInvoiceWhileAPaymentOfAFormerPriceIsOnItsWay(): void
    {
        $this->order();
        $this->checkoutUrl();
        $this->invoice(['amount_fiat' => '10.00']);
        $this->sluice->refuses(self::CANCEL, 409, 'conflict');
        try {
            $this->checkoutUrl('inv_2');
            self::fail('It can be paid twice.');
        } catch (OrderBusy) {
            self::assertSame(['-1'], $this->keyEndings());
            self::assertSame('inv_1', $this->stored()->get_meta('_sluice_invoice_id'));
        }
    }

    public function testCannotBePaidOnceItsInvoiceWasCancelled(): void
    {
        $this->order();
        $this->checkoutUrl();
        $this->invoice(['status' => 'cancelled']);
        $this->expectException(OrderBusy::class);
        $this->checkoutUrl('inv_2');
    }

    public function testMakesAnotherInvoiceWhenTheOldOneBelongsToAnotherSluice(): void
    {
        $this->billed();
        self::assertSame('https://pay.example/pay/inv_2', $this->checkoutUrl('inv_2'));
    }

    public function testRepeatsARequestWhoseAnswerWasLost(): void
    {
        $this->order();
        $this->sluice->refuses('POST /api/v1/invoices', 422, 'validation_failed');
        try {
            Checkout::url($this->stored(), Connection::current());
            self::fail('It was refused.');
        } catch (\Sluice\Exception\SluiceException) {
        }
        $this->checkoutUrl();
        self::assertSame(['-1', '-1'], $this->keyEndings());
    }

    public function testDoesNotRepeatARequestForAnotherPrice(): void
    {
        $this->order();
        $this->sluice->refuses('POST /api/v1/invoices', 422, 'validation_failed');
        try {
            Checkout::url($this->stored(), Connection::current());
            self::fail('It was refused.');
        } catch (\Sluice\Exception\SluiceException) {
        }
        \Kept::change('order ' . self::ORDER, static fn (array $order) => ['total' => '60.00'] + $order, []);
        $this->checkoutUrl();
        self::assertSame(['-1', '-2'], $this->keyEndings());
    }

    private function settle(string $id = 'inv_1'): void
    {
        Orders::settle($id, Connection::current());
    }

    private function checkoutUrl(string $made = 'inv_1'): string
    {
        $this->sluice->has('POST /api/v1/invoices', self::invoiceFields($made));
        return Checkout::url($this->stored(), Connection::current());
    }

    /** @return list<string> */
    private function keyEndings(): array
    {
        $asked = $this->sluice->asked('POST /api/v1/invoices');
        return array_map(static fn (array $each) => substr($each['fields']['idempotency_key'], 64), $asked);
    }
}
