<?php

// Stand-ins for the classes and functions of WooCommerce that the plugin uses, after the sources of 9.5: the same
// signatures, statuses and moves. An order is one stored value; what is not saved is lost, as there.
declare(strict_types=1);

use Automattic\WooCommerce\Caches\OrderCache;

abstract class WC_Settings_API
{
    public $id = '';
    public $settings = [];
    public $form_fields = [];

    public function init_settings()
    {
        $stored = get_option("woocommerce_{$this->id}_settings", null);
        $defaults = array_map(static fn (array $field) => $field['default'] ?? '', $this->form_fields);
        $this->settings = is_array($stored) ? $stored : $defaults;
    }
    public function get_option($key, $empty_value = null)
    {
        return $this->settings[$key] ?? $empty_value;
    }
    public function init_form_fields()
    {
    }
    public function admin_options()
    {
        echo '<table class="form-table"></table>';
    }
    public function process_admin_options()
    {
        $this->init_settings();
        foreach ($this->form_fields as $key => $field) {
            $value = $_POST["woocommerce_{$this->id}_$key"] ?? null;
            $this->settings[$key] = $field['type'] === 'checkbox'
                ? ($value === null ? 'no' : 'yes')
                : wp_kses_post(trim(stripslashes((string) $value)));
        }
        return update_option("woocommerce_{$this->id}_settings", $this->settings, 'yes');
    }
}

abstract class WC_Payment_Gateway extends WC_Settings_API
{
    public $enabled = 'yes';
    public $title;
    public $description;
    public $method_title = '';
    public $method_description = '';
    public $has_fields;
    public $supports = ['products'];

    public function init_settings()
    {
        parent::init_settings();
        $this->enabled = !empty($this->settings['enabled']) && $this->settings['enabled'] === 'yes' ? 'yes' : 'no';
    }
    public function is_available()
    {
        return $this->enabled === 'yes';
    }
    public function needs_setup()
    {
        return false;
    }
    public function process_payment($order_id)
    {
        return [];
    }
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return false;
    }
}

class WC_Order
{
    /** @var array<string, mixed> */
    private array $data;
    /** @var array<string, mixed> */
    private array $read;

    public function __construct(private readonly int $id)
    {
        $this->read = $this->data = Kept::change("order $id", null, []);
    }
    /** @param array<string, mixed> $data */
    public static function create(int $id, array $data): void
    {
        Kept::change("order $id", static fn () => $data + [
            'status' => 'pending', 'meta' => [], 'notes' => [], 'completed' => 0,
        ], []);
    }
    /** @return array<string, mixed> */
    public function all(): array
    {
        return $this->data;
    }
    public function get_id()
    {
        return $this->id;
    }
    public function get_order_number()
    {
        return (string) $this->id;
    }
    public function get_order_key($context = 'view')
    {
        return "wc_order_{$this->data['key']}";
    }
    public function get_total($context = 'view')
    {
        return $this->data['total'];
    }
    public function get_currency($context = 'view')
    {
        return $this->data['currency'];
    }
    public function get_status($context = 'view')
    {
        return $this->data['status'];
    }
    public function needs_payment()
    {
        return $this->has_status(['pending', 'failed']) && $this->get_total() > 0;
    }
    public function get_payment_method($context = 'view')
    {
        return $this->data['payment_method'] ?? 'sluice';
    }
    public function get_checkout_order_received_url()
    {
        return home_url() . "/checkout/order-received/{$this->id}/?key={$this->get_order_key()}";
    }
    public function get_meta($key = '', $single = true, $context = 'view')
    {
        return $this->data['meta'][$key] ?? '';
    }
    public function update_meta_data($key, $value, $meta_id = 0)
    {
        $this->data['meta'][$key] = $value;
    }
    public function save()
    {
        // Only what was changed. Notes are rows of their own: they do not wait for the order to be saved.
        $changed = array_filter($this->data, fn (string $name) => $this->data[$name] !== ($this->read[$name] ?? null), ARRAY_FILTER_USE_KEY);
        unset($changed['notes']);
        Kept::change("order {$this->id}", static fn (array $kept) => $changed + $kept, []);
        $this->read = $this->data;
        wc_get_container()->get(OrderCache::class)->remove($this->id);
        return $this->id;
    }
    public function has_status($status)
    {
        return in_array($this->data['status'], (array) $status, true);
    }
    public function is_paid()
    {
        return $this->has_status(['processing', 'completed']);
    }
    public function add_order_note($note, $is_customer_note = 0, $added_by_user = false)
    {
        Kept::change("order {$this->id}", static function (array $kept) use ($note): array {
            $kept['notes'][] = $note;
            return $kept;
        }, []);
        return 1;
    }
    public function update_status($new_status, $note = '', $manual = false)
    {
        if ($this->data['status'] !== $new_status) {
            $this->add_order_note(trim("$note Status changed from {$this->data['status']} to $new_status."));
        }
        $this->data['status'] = $new_status;
        $this->save();
        return true;
    }
    public function payment_complete($transaction_id = '')
    {
        // What WooCommerce answers when something that hooks into the move throws.
        if (($this->data['failures'] ?? 0) > 0) {
            $this->data['failures'] -= 1;
            Kept::change("order {$this->id}", fn (array $kept) => ['failures' => $this->data['failures']] + $kept, []);
            return false;
        }
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->data['transaction_id'] = $transaction_id;
            $this->data['completed'] += 1;
            $this->update_status('processing');
        }
        return true;
    }
}

final class WC_Stand_In
{
    public function api_request_url($request, $ssl = null)
    {
        return home_url() . "/wc-api/$request/";
    }
}
final class WC_Logger_Stand_In
{
    public function error($message, $context = [])
    {
        file_put_contents(Kept::$folder . '/log', "$message\n", FILE_APPEND);
    }
    public function warning($message, $context = [])
    {
        $this->error($message);
    }
}
function WC(): WC_Stand_In
{
    return new WC_Stand_In();
}
function wc_get_logger(): WC_Logger_Stand_In
{
    return new WC_Logger_Stand_In();
}
/** With high-performance order storage, an order that this request has read is not read again until it is saved. */
function wc_get_order(mixed $id): WC_Order|false
{
    $cache = wc_get_container()->get(OrderCache::class);
    $order = $cache->get((int) $id);
    if ($order === null && Kept::change("order $id", null, []) !== []) {
        $order = new WC_Order((int) $id);
        $cache->set($order, (int) $id);
    }
    return $order ?? false;
}
final class WC_Order_Cache_Stand_In
{
    /** @var array<int, WC_Order> */
    private array $orders = [];

    public function get(int|string $id): ?WC_Order
    {
        return isset($this->orders[$id]) ? clone $this->orders[$id] : null;
    }
    public function set(WC_Order $order, int|string $id): bool
    {
        $this->orders[$id] = clone $order;
        return true;
    }
    public function remove(int|string $id): bool
    {
        unset($this->orders[$id]);
        return true;
    }
    /** What another request has in its cache. */
    public function flush(): bool
    {
        $this->orders = [];
        return true;
    }
}
class_alias(WC_Order_Cache_Stand_In::class, OrderCache::class);
final class WC_Container_Stand_In
{
    /** @var array<string, object> */
    private array $made = [];

    public function get(string $class): object
    {
        return $this->made[$class] ??= new $class();
    }
}
function wc_get_container(): WC_Container_Stand_In
{
    static $container = new WC_Container_Stand_In();
    return $container;
}
final class WC_Data_Store
{
    public static function load(string $type): self
    {
        return new self();
    }
    public function has_callable(string $method): bool
    {
        return false;
    }
}
function wc_add_notice(string $message, string $type = 'success'): void
{
    wc_get_logger()->error("notice: $message");
}
function wc_get_price_decimals(): int
{
    return 2;
}
function wc_format_decimal(mixed $number, mixed $decimals = false, bool $trim = false): string
{
    return number_format((float) $number, (int) $decimals, '.', '');
}
