<?php

// Stand-ins for the functions of WordPress that the plugin calls, with their signatures and what they promise.
declare(strict_types=1);

final class Wordpress
{
    /** @var array<string, list<callable>> */
    public static array $hooks = [];
    public static string $home = '';
    public static bool $isManager = true;
    /** The site of a network that options belong to. */
    public static int $site = 1;
}

final class WP_Error
{
    public function __construct(private readonly string $code = '', private readonly string $message = '')
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

/** The database's named locks, which belong to a connection. */
final class wpdb
{
    public string $prefix = 'wp_';
    /** @var array<string, resource> */
    private array $locks = [];

    public function prepare(string $query, mixed ...$values): string
    {
        return json_encode([$query, $values]);
    }

    public function get_var(string $query): ?string
    {
        [$text, [$name, $seconds]] = json_decode($query, true);
        if ($text !== 'SELECT GET_LOCK(%s, %d)' || strlen($name) > 64) {
            throw new LogicException($text);
        }
        $file = fopen(Kept::$folder . "/lock-$name", 'c');
        for ($end = microtime(true) + $seconds; !flock($file, LOCK_EX | LOCK_NB);) {
            if (microtime(true) > $end) {
                return '0';
            }
            usleep(5_000);
        }
        $this->locks[$name] = $file;
        return '1';
    }

    public function query(string $query): int
    {
        [, [$name]] = json_decode($query, true);
        fclose($this->locks[$name]);
        unset($this->locks[$name]);
        return 1;
    }
}

function add_action(string $hook, callable $callback, int $priority = 10, int $args = 1): bool
{
    Wordpress::$hooks[$hook][] = $callback;
    return true;
}
function add_filter(string $hook, callable $callback, int $priority = 10, int $args = 1): bool
{
    return add_action($hook, $callback);
}
function do_action(string $hook, mixed ...$args): void
{
    foreach (Wordpress::$hooks[$hook] ?? [] as $callback) {
        $callback(...$args);
    }
}
function apply_filters(string $hook, mixed $value, mixed ...$args): mixed
{
    foreach (Wordpress::$hooks[$hook] ?? [] as $callback) {
        $value = $callback($value, ...$args);
    }
    return $value;
}

function get_option(string $name, mixed $default = false): mixed
{
    $kept = 'option ' . Wordpress::$site . " $name";
    return $name === 'blogname' ? 'Blue &amp; Bottle' : Kept::change($kept, null, $default);
}
function update_option(string $name, mixed $value, mixed $autoload = null): bool
{
    return Kept::change('option ' . Wordpress::$site . " $name", static fn () => $value) === $value;
}
function delete_option(string $name): bool
{
    return Kept::change('option ' . Wordpress::$site . " $name", static fn () => false) === false;
}
function is_multisite(): bool
{
    return true;
}
/** @return list<int> */
function get_sites(array $args = []): array
{
    return [1, 2];
}
function switch_to_blog(int $site): bool
{
    Wordpress::$site = $site;
    return true;
}
function restore_current_blog(): bool
{
    Wordpress::$site = 1;
    return true;
}
function get_user_meta(int $user, string $key = '', bool $single = false): mixed
{
    return Kept::change("user $user $key", null, '');
}
function update_user_meta(int $user, string $key, mixed $value): int|bool
{
    Kept::change("user $user $key", static fn () => $value, '');
    return true;
}
function delete_user_meta(int $user, string $key): bool
{
    Kept::change("user $user $key", static fn () => '', '');
    return true;
}
function delete_metadata(string $type, int $id, string $key, mixed $value = '', bool $all = false): bool
{
    return delete_user_meta(get_current_user_id(), $key);
}
function get_current_user_id(): int
{
    return 1;
}
function current_user_can(string $capability): bool
{
    return Wordpress::$isManager;
}
function wp_create_nonce(string $action): string
{
    return substr(hash('sha256', "nonce $action"), 0, 10);
}
function wp_verify_nonce(string $nonce, string $action): int|false
{
    return hash_equals(wp_create_nonce($action), $nonce) ? 1 : false;
}
function check_admin_referer(string $action, string $name = '_wpnonce'): int|false
{
    return wp_verify_nonce((string) ($_REQUEST[$name] ?? ''), $action) ?: wp_die('The link you followed has expired.', '', ['response' => 403]);
}
function wp_nonce_field(string $action, string $name = '_wpnonce'): void
{
    printf('<input type="hidden" name="%s" value="%s" />', $name, wp_create_nonce($action));
}
function wp_die(string $message = '', string $title = '', array $args = []): never
{
    apply_filters('wp_die_handler', static function (string $message, string $title, array $args): never {
        http_response_code($args['response'] ?? 500);
        echo $message;
        exit;
    })($message, $title, $args);
}

function wp_redirect(string $location, int $status = 302): bool
{
    header('Location: ' . apply_filters('wp_redirect', $location, $status), true, $status);
    return true;
}
function wp_safe_redirect(string $location, int $status = 302): bool
{
    return wp_redirect(str_starts_with($location, Wordpress::$home) ? $location : admin_url(), $status);
}
function home_url(string $path = ''): string
{
    return Wordpress::$home . $path;
}
function admin_url(string $path = ''): string
{
    return Wordpress::$home . "/wp-admin/$path";
}
function plugins_url(string $path, string $file): string
{
    return Wordpress::$home . "/wp-content/plugins/sluice-for-woocommerce/$path";
}
function plugin_basename(string $file): string
{
    return basename(dirname($file)) . '/' . basename($file);
}
function status_header(int $status): void
{
    http_response_code($status);
}
function nocache_headers(): void
{
    header('Cache-Control: no-store');
}

function load_plugin_textdomain(string $domain, mixed $deprecated = false, mixed $path = false): bool
{
    return false;
}
function __(string $text, string $domain): string
{
    return $text;
}
function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}
function esc_attr(string $text): string
{
    return esc_html($text);
}
function esc_url(string $url): string
{
    return esc_html($url);
}
function esc_html__(string $text, string $domain): string
{
    return esc_html($text);
}
function wp_unslash(mixed $value): mixed
{
    return is_string($value) ? stripslashes($value) : $value;
}
function sanitize_text_field(string $text): string
{
    return trim(strip_tags($text));
}
function sanitize_key(string $key): string
{
    return preg_replace('/[^a-z0-9_\-]/', '', strtolower($key));
}
function wp_specialchars_decode(string $text, int|string $quotes = ENT_NOQUOTES): string
{
    return htmlspecialchars_decode($text, ENT_QUOTES);
}
function clean_post_cache(int $post): void
{
}
function wp_register_script(string $handle, string $source, array $needs = [], mixed $version = false, mixed $args = []): bool
{
    return true;
}
if (!function_exists('mb_substr')) {
    // WordPress has it too, where PHP comes without the extension.
    function mb_substr(string $text, int $start, ?int $length = null): string
    {
        return iconv_substr($text, $start, $length ?? PHP_INT_MAX, 'UTF-8');
    }
}
