<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\WooCommerce\Connection;
use Sluice\WooCommerce\Pairing;

final class PairingTest extends ShopCase
{
    private const EXCHANGE = 'POST /api/v1/shop_connections';

    protected function setUp(): void
    {
        parent::setUp();
        Connection::forget();
    }

    public function testSendsTheBrowserToSluiceWithAStateAndAChallenge(): void
    {
        [$place, $query] = explode('?', $this->begin($this->sluice->url . '/some/path?x=1'), 2);
        parse_str($query, $asked);
        $kept = get_user_meta(1, '_sluice_pairing', true);
        self::assertSame("{$this->sluice->url}/dashboard/connect", $place);
        self::assertSame([
            'app' => 'woocommerce',
            'name' => 'Blue & Bottle',
            'return' => 'https://shop.example/wp-admin/admin-post.php?action=sluice_connected',
            'webhook' => 'https://shop.example/wc-api/sluice/',
            'state' => $kept['state'],
            'challenge' => rtrim(strtr(base64_encode(hash('sha256', $kept['verifier'], true)), '+/', '-_'), '='),
        ], $asked);
        self::assertMatchesRegularExpression('/^[A-Za-z0-9_-]{43}$/D', $kept['verifier']);
        self::assertMatchesRegularExpression('/^[A-Za-z0-9_-]{43}$/D', $kept['state']);
        self::assertStringNotContainsString($kept['verifier'], $query);
        $this->begin();
        $next = get_user_meta(1, '_sluice_pairing', true);
        self::assertNotSame($kept['state'], $next['state']);
        self::assertNotSame($kept['verifier'], $next['verifier']);
    }

    public function testBeginsNothingWithoutItsNonceOrAnAddress(): void
    {
        $_POST = ['sluice_url' => $this->sluice->url];
        foreach (['', wp_create_nonce('sluice_forget')] as $nonce) {
            $_REQUEST = ['_wpnonce' => $nonce];
            self::assertSame('403', $this->leaving([Pairing::class, 'begin']));
        }
        self::assertSame('bad_url', self::outcomeIn($this->begin('http://pay.example.com')));
        self::assertSame('', get_user_meta(1, '_sluice_pairing', true));
    }

    public function testExchangesTheCodeWithItsVerifier(): void
    {
        $this->begin();
        $kept = get_user_meta(1, '_sluice_pairing', true);
        $this->exchanges();
        self::assertSame('connected', $this->finish(['state' => $kept['state'], 'code' => 'c0de']));
        [$asked] = $this->sluice->asked(self::EXCHANGE);
        self::assertSame(['code' => 'c0de', 'verifier' => $kept['verifier']], $asked['fields']);
        self::assertNull($asked['key']);
        $made = Connection::current();
        self::assertSame(
            [$this->sluice->url, 'shop_9', 'live', 'Blue Bottle', self::SECRET, 'sk_live_…cdef'],
            [$made->url, $made->id, $made->environment, $made->merchantName, $made->webhookSecret, $made->keyHint()],
        );
    }

    public function testTakesNoStateButItsOwnAndNoAttemptTwice(): void
    {
        $this->exchanges();
        self::assertSame('stale', $this->finish(['state' => '', 'code' => 'c0de']));
        $this->begin();
        $state = get_user_meta(1, '_sluice_pairing', true)['state'];
        self::assertSame('stale', $this->finish(['state' => "{$state}x", 'code' => 'c0de']));
        self::assertSame('stale', $this->finish(['state' => $state, 'code' => 'c0de']));
        foreach ([[], ['state' => [$state]], ['state' => ['']]] as $odd) {
            $this->begin();
            self::assertSame('stale', $this->finish($odd + ['code' => 'c0de']));
        }
        self::assertSame([], $this->sluice->asked(self::EXCHANGE));
        self::assertNull(Connection::current());
    }

    public function testTakesNoAttemptThatIsTooOld(): void
    {
        $this->begin();
        $kept = get_user_meta(1, '_sluice_pairing', true);
        self::assertEqualsWithDelta(time() + 900, $kept['until'], 60);
        update_user_meta(1, '_sluice_pairing', ['until' => time() - 1] + $kept);
        self::assertSame('stale', $this->finish(['state' => $kept['state'], 'code' => 'c0de']));
    }

    public function testConnectsNothingWhenItWasDeclinedOrTheCodeRefused(): void
    {
        $this->begin();
        self::assertSame('declined', $this->finish(['state' => get_user_meta(1, '_sluice_pairing', true)['state']]));
        $this->begin();
        $this->sluice->refuses(self::EXCHANGE, 400, 'invalid_code');
        $state = get_user_meta(1, '_sluice_pairing', true)['state'];
        self::assertSame('failed', $this->finish(['state' => $state, 'code' => 'c0de']));
        self::assertNull(Connection::current());
    }

    public function testForgetsOnlyWithANonce(): void
    {
        $this->connect();
        self::assertSame('403', $this->leaving([Pairing::class, 'forget']));
        $_REQUEST = ['_wpnonce' => wp_create_nonce('sluice_connect')];
        self::assertSame('403', $this->leaving([Pairing::class, 'forget']));
        self::assertNotNull(Connection::current());
        $_REQUEST = ['_wpnonce' => wp_create_nonce('sluice_forget')];
        self::assertSame('forgotten', self::outcomeIn($this->leaving([Pairing::class, 'forget'])));
        self::assertNull(Connection::current());
    }

    public function testIsForManagersOnly(): void
    {
        $this->begin();
        $state = get_user_meta(1, '_sluice_pairing', true)['state'];
        $this->exchanges();
        \Wordpress::$isManager = false;
        $_REQUEST = ['_wpnonce' => wp_create_nonce('sluice_connect')];
        self::assertSame('403', $this->leaving([Pairing::class, 'begin']));
        $_REQUEST = ['_wpnonce' => wp_create_nonce('sluice_forget')];
        self::assertSame('403', $this->leaving([Pairing::class, 'forget']));
        $_GET = ['state' => $state, 'code' => 'c0de'];
        self::assertSame('403', $this->leaving([Pairing::class, 'finish']));
        self::assertNull(Connection::current());
    }

    /** @return iterable<array{mixed, string|null}> */
    public static function addresses(): iterable
    {
        yield ['https://pay.example.com', 'https://pay.example.com'];
        yield [" https://pay.example.com/dashboard/?a=b#c \n", 'https://pay.example.com'];
        yield ['https://pay.example.com:8443/', 'https://pay.example.com:8443'];
        yield ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'];
        yield ['http://localhost', 'http://localhost'];
        yield ['http://[::1]:3000', 'http://[::1]:3000'];
        yield ['http://pay.example.com', null];
        yield ['http://127.0.0.1.example.com', null];
        yield ['https://user@pay.example.com', null];
        yield ['https://user:secret@pay.example.com', null];
        yield ['ftp://pay.example.com', null];
        yield ['javascript:alert(1)', null];
        yield ['pay.example.com', null];
        yield ['//pay.example.com', null];
        yield ['https://', null];
        yield ['', null];
        yield [['https://pay.example.com'], null];
        yield [null, null];
    }

    /** @dataProvider addresses */
    public function testReadsTheOriginOfWhatWasTyped(mixed $typed, ?string $origin): void
    {
        self::assertSame($origin, Pairing::originOf($typed));
    }

    public function testHasWordsForEveryOutcomeAndForNothingElse(): void
    {
        foreach (['connected', 'declined', 'stale', 'failed', 'bad_url', 'forgotten'] as $code) {
            self::assertNotSame('', (string) Pairing::outcome($code));
        }
        self::assertNull(Pairing::outcome(''));
        self::assertNull(Pairing::outcome('hacked'));
    }

    private function begin(?string $typed = null): string
    {
        $_REQUEST = ['_wpnonce' => wp_create_nonce('sluice_connect')];
        $_POST = ['sluice_url' => addslashes($typed ?? $this->sluice->url)];
        return $this->leaving([Pairing::class, 'begin']);
    }

    /** @param array<string, mixed> $query */
    private function finish(array $query): string
    {
        $_GET = $query;
        return self::outcomeIn($this->leaving([Pairing::class, 'finish']));
    }

    private static function outcomeIn(string $location): string
    {
        self::assertStringStartsWith('https://shop.example/wp-admin/admin.php?page=wc-settings&', $location);
        parse_str((string) parse_url($location, PHP_URL_QUERY), $query);
        return $query['sluice'];
    }

    private function exchanges(): void
    {
        $this->sluice->has(self::EXCHANGE, [
            'id' => 'shop_9',
            'environment' => 'live',
            'merchant_name' => 'Blue Bottle',
            'api_key' => 'sk_live_0123456789abcdef',
            'webhook_secret' => self::SECRET,
        ]);
    }
}
