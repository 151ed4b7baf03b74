<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\Exception\SluiceException;
use Sluice\WooCommerce\Connection;
use Sluice\WooCommerce\RefundRefused;
use Sluice\WooCommerce\Refunds;

final class RefundsTest extends ShopCase
{
    private const REQUEST = 'POST /api/v1/refunds';

    protected function setUp(): void
    {
        parent::setUp();
        $networks = [
            ['network' => 'lightning', 'environment' => 'test', 'decimals' => 11],
            ['network' => 'bitcoin', 'environment' => 'live', 'decimals' => 2],
            ['network' => 'bitcoin', 'environment' => 'test', 'decimals' => 8],
        ];
        $this->sluice->has('GET /api/v1/currencies?environment=test', [['code' => 'BTC', 'networks' => $networks]]);
        $this->sluice->lists('GET /api/v1/refunds?invoice_id=inv_1&limit=100', []);
        $this->invoice(['status' => 'paid', 'amount_paid' => '0.001']);
    }

    public function testAsksForTheShareInTheCurrencyThatWasPaid(): void
    {
        $this->paid();
        $this->request('16.63', str_repeat('ü', 1001));
        [$asked] = $this->sluice->asked(self::REQUEST);
        self::assertEquals([
            'invoice_id' => 'inv_1',
            'currency' => 'BTC',
            'network' => 'bitcoin',
            'amount' => '0.00033326',
            'destination' => 'bc1qcustomer',
            'description' => str_repeat('ü', 1000),
            'metadata' => ['order' => '7'],
        ], $asked['fields']);
        self::assertSame(['ref_1'], array_values(array_filter($this->stored()->get_meta('_sluice_refunds'))));
        self::assertStringContainsString('A refund of 0.0005 BTC to bc1qcustomer was requested', $this->notes());
    }

    public function testSendsTheTagAlong(): void
    {
        $this->paid(['_sluice_refund_tag' => ' 42 ']);
        $this->request();
        self::assertSame('42', $this->sluice->asked(self::REQUEST)[0]['fields']['destination_tag']);
    }

    public function testRepeatsARequestWhoseAnswerWasLostButNotOneThatWasAnswered(): void
    {
        $this->paid();
        $this->sluice->refuses(self::REQUEST, 422, 'insufficient_funds');
        try {
            Refunds::request($this->stored(), '10.00', 'Returned', Connection::current());
            self::fail('It was refused.');
        } catch (SluiceException) {
            self::assertSame('', $this->notes());
        }
        $this->request();
        $this->request();
        [$first, $again, $next] = array_column($this->sluice->asked(self::REQUEST), 'idempotency');
        self::assertSame($first, $again);
        self::assertNotSame($again, $next);
    }

    /** @return iterable<string, array{array<string, string>, array<string, mixed>, string}> */
    public static function refusals(): iterable
    {
        yield 'no address' => [['_sluice_refund_address' => ' '], [], 'Ask the customer where to send the refund'];
        yield 'no currency chosen' => [[], ['currency' => null, 'network' => null, 'amount' => null], 'Nothing was paid'];
        yield 'no price' => [[], ['amount_fiat' => null], 'Nothing was paid'];
        yield 'an unknown currency' => [[], ['currency' => 'DOGE'], 'does not know this currency any more'];
        yield 'an unknown network' => [[], ['network' => 'liquid'], 'does not know this currency any more'];
    }

    /**
     * @dataProvider refusals
     * @param array<string, string> $meta
     * @param array<string, mixed> $invoice
     */
    public function testRefuses(array $meta, array $invoice, string $why): void
    {
        $this->paid($meta);
        $this->invoice($invoice);
        try {
            $this->request();
            self::fail('It was requested.');
        } catch (RefundRefused $refused) {
            self::assertStringContainsString($why, $refused->getMessage());
        }
        self::assertSame([], $this->sluice->asked(self::REQUEST));
    }

    /** @param array<string, string> $meta */
    private function paid(array $meta = []): void
    {
        $kept = ['_sluice_invoice_id' => 'inv_1', '_sluice_invoices' => ['inv_1'], '_sluice_refund_address' => ' bc1qcustomer '];
        $this->order(['status' => 'processing', 'meta' => $meta + $kept]);
    }

    private function request(string $amount = '10.00', string $reason = 'Returned'): void
    {
        $made = ['id' => 'ref_1', 'amount' => '0.0005', 'currency' => 'BTC', 'destination' => 'bc1qcustomer'];
        $this->sluice->has(self::REQUEST, $made);
        Refunds::request($this->stored(), $amount, $reason, Connection::current());
    }
}
