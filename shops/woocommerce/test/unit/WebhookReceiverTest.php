<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\Webhooks;
use Sluice\WooCommerce\Connection;
use Sluice\WooCommerce\WebhookReceiver;

final class WebhookReceiverTest extends ShopCase
{
    private const OTHER_SECRET = 'whsec_OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=';
    private array $server;

    protected function setUp(): void
    {
        parent::setUp();
        $this->server = $_SERVER;
        $this->billed();
        $this->invoice(['status' => 'paid', 'amount_paid' => '0.001']);
    }

    protected function tearDown(): void
    {
        $_SERVER = $this->server;
        parent::tearDown();
    }

    public function testTakesAGoodSignatureAndActsOnWhatSluiceSays(): void
    {
        self::assertSame(204, $this->deliver(self::event('invoice.expired')));
        self::assertSame('processing', $this->stored()->all()['status']);
    }

    public function testTakesAReplayWithoutDoingItTwice(): void
    {
        $headers = Webhooks::sign(self::event(), self::SECRET);
        self::assertSame(204, $this->deliver(self::event(), $headers));
        $before = $this->stored()->all();
        self::assertSame(204, $this->deliver(self::event(), $headers));
        self::assertSame($before, $this->stored()->all());
    }

    /** @return iterable<string, array{string, array<string, string>}> */
    public static function forgeries(): iterable
    {
        $event = self::event();
        $good = Webhooks::sign($event, self::SECRET);
        yield 'no headers' => [$event, []];
        yield 'another secret' => [$event, Webhooks::sign($event, self::OTHER_SECRET)];
        yield 'another body' => ["$event ", $good];
        yield 'another id' => [$event, ['webhook-id' => 'evt_other'] + $good];
        yield 'another time' => [$event, ['webhook-timestamp' => (string) (time() - 1)] + Webhooks::sign($event, self::SECRET, null, time())];
        yield 'an empty signature' => [$event, ['webhook-signature' => ''] + $good];
        yield 'a signature without its version' => [$event, ['webhook-signature' => substr($good['webhook-signature'], 3)] + $good];
        yield 'signed six minutes ago' => [$event, Webhooks::sign($event, self::SECRET, null, time() - 360)];
        yield 'signed in six minutes' => [$event, Webhooks::sign($event, self::SECRET, null, time() + 360)];
        yield 'signed, but no event' => ['[]', Webhooks::sign('[]', self::SECRET)];
        yield 'signed, but no JSON' => ['paid!', Webhooks::sign('paid!', self::SECRET)];
    }

    /**
     * @dataProvider forgeries
     * @param array<string, string> $headers
     */
    public function testRefuses(string $body, array $headers): void
    {
        self::assertSame(400, $this->deliver($body, $headers));
        self::assertSame([], $this->sluice->asked());
        self::assertSame('pending', $this->stored()->all()['status']);
    }

    public function testTakesEitherSignatureWhileTheSecretRotates(): void
    {
        $both = Webhooks::sign(self::event(), [self::OTHER_SECRET, self::SECRET]);
        self::assertSame(204, $this->deliver(self::event(), $both));
        self::assertSame('processing', $this->stored()->all()['status']);
    }

    /** @return iterable<string, array{string}> */
    public static function strangers(): iterable
    {
        yield 'the other environment' => [self::event('invoice.paid', 'inv_1', 'live')];
        yield 'an event that says nothing about orders' => [self::event('payout.completed')];
        yield 'an event of a later version' => [self::event('voucher.paid')];
        yield 'an id that is none' => [self::event('invoice.paid', ['inv_1'])];
    }

    /** @dataProvider strangers */
    public function testAnswersButDoesNothingFor(string $body): void
    {
        self::assertSame(204, $this->deliver($body));
        self::assertSame([], $this->sluice->asked());
    }

    public function testDoesNotAskAgainForWhatSluiceDoesNotKnow(): void
    {
        self::assertSame(204, $this->deliver(self::event('invoice.paid', 'inv_9')));
        self::assertSame(204, $this->deliver(self::event('refund.completed', 'ref_9')));
    }

    public function testAsksForItAgainWhenSluiceCannotBeAsked(): void
    {
        $this->sluice->refuses('GET /api/v1/invoices/inv_1', 401, 'unauthorized');
        self::assertSame(503, $this->deliver(self::event()));
        $this->connect(['url' => 'http://127.0.0.1:1']);
        self::assertSame(503, $this->deliver(self::event()));
        Connection::forget();
        self::assertSame(503, $this->deliver(self::event()));
    }

    public function testNotesTheEndOfARefundOnce(): void
    {
        $this->order(['meta' => ['_sluice_refunds' => ['ref_1']]]);
        $this->refund('completed');
        foreach ([1, 2] as $_) {
            self::assertSame(204, $this->deliver(self::event('refund.completed', 'ref_1')));
        }
        self::assertSame('The refund of 0.001 BTC is confirmed on the blockchain: abc.', $this->notes());
        foreach (['failed', 'cancelled'] as $count => $status) {
            $this->refund($status);
            self::assertSame(204, $this->deliver(self::event("refund.$status", 'ref_1')));
            self::assertSame($count + 1, substr_count($this->notes(), 'was not sent. Delete it in this order'));
        }
    }

    public function testIgnoresARefundThatTheShopDidNotRequest(): void
    {
        $this->refund('completed');
        self::assertSame(204, $this->deliver(self::event('refund.completed', 'ref_1')));
        self::assertSame('', $this->notes());
        $this->refund('completed', 'order-8');
        self::assertSame(204, $this->deliver(self::event('refund.completed', 'ref_1')));
    }

    private function refund(string $status, string $order = '7'): void
    {
        $this->sluice->has('GET /api/v1/refunds/ref_1', [
            'id' => 'ref_1', 'status' => $status, 'amount' => '0.001', 'currency' => 'BTC', 'tx_hash' => 'abc',
            'metadata' => ['order' => $order],
        ]);
    }

    private static function event(string $name = 'invoice.paid', mixed $id = 'inv_1', string $environment = 'test'): string
    {
        return json_encode([
            'id' => 'evt_1', 'event' => $name, 'created_at' => '2026-01-01T00:00:00.000Z',
            'environment' => $environment, 'data' => ['id' => $id],
        ]);
    }

    /** @param array<string, string>|null $headers */
    private function deliver(string $body, ?array $headers = null): int
    {
        $_SERVER = $this->server;
        foreach ($headers ?? Webhooks::sign($body, self::SECRET) as $name => $value) {
            $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $judge = new \ReflectionMethod(WebhookReceiver::class, 'statusFor');
        return $judge->invoke(null, $body);
    }
}
