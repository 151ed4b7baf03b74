<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Client;
use Sluice\Exception\SluiceException;

/**
 * Connects the shop by one click: the browser goes to Sluice's dashboard and comes back with a code, which this server
 * exchanges for the key and the webhook secret. Only this server knows the verifier, so the code alone is worthless.
 */
final class Pairing
{
    private const META = '_sluice_pairing';
    private const GOOD_SECONDS = 15 * 60;

    /** `admin-post.php?action=sluice_connect` */
    public static function begin(): void
    {
        self::demandManager();
        check_admin_referer('sluice_connect');
        $url = self::originOf(wp_unslash($_POST['sluice_url'] ?? ''));
        if ($url === null) {
            self::backWith('bad_url');
        }
        $verifier = self::random();
        $state = self::random();
        $begun = ['url' => $url, 'verifier' => $verifier, 'state' => $state, 'until' => time() + self::GOOD_SECONDS];
        update_user_meta(get_current_user_id(), self::META, $begun);
        $name = trim(wp_specialchars_decode((string) get_option('blogname'), ENT_QUOTES));
        $query = [
            'app' => 'woocommerce',
            'name' => mb_substr($name === '' ? 'WooCommerce' : $name, 0, 100),
            'return' => admin_url('admin-post.php?action=sluice_connected'),
            'webhook' => WC()->api_request_url(Plugin::ID),
            'state' => $state,
            'challenge' => self::base64Url(hash('sha256', $verifier, true)),
        ];
        // Another host, which the person has just typed: wp_safe_redirect would refuse it.
        wp_redirect($url . '/dashboard/connect?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
        exit;
    }

    /** `admin-post.php?action=sluice_connected`, where the browser comes back to. The state stands in for a nonce. */
    public static function finish(): void
    {
        self::demandManager();
        $begun = get_user_meta(get_current_user_id(), self::META, true);
        // In any case this attempt is over.
        delete_user_meta(get_current_user_id(), self::META);
        $isOurs = is_array($begun) && $begun['until'] >= time() && hash_equals($begun['state'], self::given('state'));
        if (!$isOurs) {
            self::backWith('stale');
        }
        if (!isset($_GET['code'])) {
            self::backWith('declined');
        }
        try {
            $sluice = new Client($begun['url'] . '/api');
            $exchange = ['code' => self::given('code'), 'verifier' => $begun['verifier']];
            Connection::store($begun['url'], $sluice->shopConnections->create($exchange));
        } catch (SluiceException $error) {
            wc_get_logger()->error('The code was not exchanged: ' . $error->getMessage(), ['source' => Plugin::ID]);
            self::backWith('failed');
        }
        self::backWith('connected');
    }

    /** `admin-post.php?action=sluice_forget` */
    public static function forget(): void
    {
        self::demandManager();
        check_admin_referer('sluice_forget');
        Connection::forget();
        self::backWith('forgotten');
    }

    /** What became of it, in words; null where the page was opened without an attempt. */
    public static function outcome(string $code): ?string
    {
        return match ($code) {
            'connected' => __('The shop is connected.', 'sluice-for-woocommerce'),
            'declined' => __('The shop was not connected: it was declined at Sluice.', 'sluice-for-woocommerce'),
            'stale' => __('This attempt to connect is not known or took too long. Connect again.', 'sluice-for-woocommerce'),
            'failed' => __('Sluice did not accept the code. Connect again; the log of WooCommerce says why.', 'sluice-for-woocommerce'),
            'bad_url' => __('Enter the address of your Sluice, such as https://pay.example.com.', 'sluice-for-woocommerce'),
            'forgotten' => __('Key and secret were deleted here. Disconnect the shop in the dashboard of Sluice too.', 'sluice-for-woocommerce'),
            default => null,
        };
    }

    /** The origin of a typed address; null if it is none. Plain http is for a Sluice on this machine only. */
    public static function originOf(mixed $typed): ?string
    {
        $parts = is_string($typed) ? parse_url(trim($typed)) : false;
        $host = $parts['host'] ?? '';
        $scheme = $parts['scheme'] ?? '';
        $isHere = in_array($host, ['127.0.0.1', 'localhost', '[::1]'], true);
        if ($host === '' || isset($parts['user']) || ($scheme !== 'https' && !($scheme === 'http' && $isHere))) {
            return null;
        }
        return "$scheme://$host" . (isset($parts['port']) ? ":{$parts['port']}" : '');
    }

    // Anybody writes addresses: a parameter may be an array.
    private static function given(string $name): string
    {
        $value = wp_unslash($_GET[$name] ?? '');
        return is_string($value) ? $value : '';
    }

    private static function demandManager(): void
    {
        if (!current_user_can('manage_woocommerce')) {
            wp_die(esc_html__('You may not connect this shop.', 'sluice-for-woocommerce'), '', ['response' => 403]);
        }
    }

    private static function backWith(string $outcome): never
    {
        $page = 'admin.php?page=wc-settings&tab=checkout&section=' . Plugin::ID . "&sluice=$outcome";
        wp_safe_redirect(admin_url($page));
        exit;
    }

    private static function random(): string
    {
        return self::base64Url(random_bytes(32));
    }

    private static function base64Url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
