<?php

/**
 * The functions and classes of WordPress and WooCommerce that samples/woocommerce calls, with the database of the shop in the file ORDERS. As
 * in WooCommerce, a request has its own copy of an order until it clears it from the cache, a save writes what was changed and nothing else,
 * `payment_complete` goes by the copy, and a refund is recorded before the gateway is asked and removed when that refuses. Served by
 * `php -S address woocommerce.php`, by several of them for requests at once: `?step=checkout`, `return`, `webhook` or `refund` takes one step of a shop and answers
 * what came of it.
 */

declare(strict_types=1);

const ABSPATH = '/';
const DB_NAME = 'shop';
$printed = ['notices' => [], 'status' => 200];
$actions = [];

function add_action(string $name, callable $call): void
{
    global $actions;
    $actions[$name][] = $call;
}
function add_filter(string $name, callable $call): void
{
    add_action($name, $call);
}
function wc_add_notice(string $text, string $kind): void
{
    global $printed;
    $printed['notices'][] = $text;
}
function status_header(int $status): void
{
    global $printed;
    $printed['status'] = $status;
}
function wp_safe_redirect(string $address): void
{
    global $printed;
    $printed['location'] = $address;
}
function wp_die(string $text, string $title, array $options): never
{
    status_header($options['response']);
    exit;
}
function add_query_arg(array $query, string $address): string
{
    return "$address&" . http_build_query($query);
}
function absint(mixed $value): int
{
    return abs((int) $value);
}
function get_woocommerce_currency(): string
{
    return 'NGN';
}
function wc_get_order(int $id): WC_Order|false
{
    return WC_Order::find($id);
}
function clean_post_cache(int $id): void
{
    WC_Order::forget($id);
}
function get_option(string $name, mixed $otherwise = false): mixed
{
    return Database::read()['options'][$name] ?? $otherwise;
}
function add_option(string $name, string $value): bool
{
    return Database::write(static function (array &$data) use ($name, $value): bool {
        $isNew = !isset($data['options'][$name]);
        $data['options'][$name] ??= $value;
        return $isNew;
    });
}
/** As WooCommerce does it: its record comes first, the order may be changed by another request meanwhile. */
function wc_create_refund(WC_Payment_Gateway $gateway, int $orderId, ?string $amount, string $reason): true|WP_Error
{
    $id = Database::write(static function (array &$data) use ($orderId, $amount): int {
        $data['orders'][$orderId]['refunds'][] = ['amount' => $amount, 'sent' => false];
        return array_key_last($data['orders'][$orderId]['refunds']);
    });
    $result = $gateway->process_refund($orderId, $amount, $reason);
    return Database::write(static function (array &$data) use ($orderId, $id, $result): true|WP_Error {
        if ($result instanceof WP_Error) {
            unset($data['orders'][$orderId]['refunds'][$id]);
        } else {
            $data['orders'][$orderId]['refunds'][$id]['sent'] = true;
        }
        return $result;
    });
}
function wc_get_logger(): object
{
    return new class {
        public function error(string $text, array $context): void
        {
            global $printed;
            $printed['log'][] = $text;
        }
    };
}
function WC(): object
{
    return new class {
        public function api_request_url(string $name): string
        {
            return "https://shop.example/?wc-api=$name";
        }
    };
}

final class WP_Error
{
    public function __construct(public readonly string $code, public readonly string $message)
    {
    }
}

/** The file of the shop. */
final class Database
{
    public static function read(): array
    {
        return self::write(static fn (array &$data): array => $data);
    }
    public static function write(callable $change): mixed
    {
        $path = getenv('ORDERS');
        $lock = fopen("$path.lock", 'c');
        flock($lock, LOCK_EX);
        $data = json_decode(file_get_contents($path), true);
        $before = $data;
        $result = $change($data);
        if ($data !== $before) {
            // Whole for those who read it without the lock.
            file_put_contents("$path.new", json_encode($data, JSON_FORCE_OBJECT));
            rename("$path.new", $path);
        }
        fclose($lock);
        return $result;
    }
}

/** Locks of MySQL, by files. */
$wpdb = new class {
    public string $prefix = 'wp_';
    private array $locks = [];

    public function prepare(string $query, mixed ...$values): array
    {
        return [$query, ...$values];
    }
    public function get_var(array $query): string
    {
        [$text, $name, $seconds] = $query;
        if ($text !== 'SELECT GET_LOCK(%s, %d)' || strlen($name) > 64) {
            throw new LogicException($text);
        }
        $file = fopen(dirname(getenv('ORDERS')) . "/$name.lock", 'c');
        for ($until = microtime(true) + $seconds; !flock($file, LOCK_EX | LOCK_NB); usleep(5_000)) {
            if (microtime(true) > $until) {
                return '0';
            }
        }
        $this->locks[$name] = $file;
        return '1';
    }
    public function query(array $query): void
    {
        [$text, $name] = $query;
        if ($text !== 'SELECT RELEASE_LOCK(%s)') {
            throw new LogicException($text);
        }
        fclose($this->locks[$name]);
        unset($this->locks[$name]);
    }
};

final class WC_Order
{
    /** The copies of this request. */
    private static array $orders = [];
    private array $changes = ['meta' => []];

    private function __construct(private readonly int $id, private array $fields)
    {
    }
    public static function find(int $id): self|false
    {
        $fields = Database::read()['orders'][$id] ?? null;
        return self::$orders[$id] ??= $fields === null ? false : new self($id, $fields);
    }
    public static function forget(int $id): void
    {
        unset(self::$orders[$id]);
    }
    public function read_meta_data(bool $again): void
    {
        $this->fields['meta'] = Database::read()['orders'][$this->id]['meta'];
    }
    public function save(): void
    {
        Database::write(function (array &$data): void {
            $meta = [...$data['orders'][$this->id]['meta'], ...$this->changes['meta']];
            $data['orders'][$this->id] = [...$data['orders'][$this->id], ...$this->changes, 'meta' => $meta];
        });
        $this->changes = ['meta' => []];
    }
    public function get_refunds(): array
    {
        $refunds = Database::read()['orders'][$this->id]['refunds'] ?? [];
        return array_map(static fn (array $refund): object => new class ($refund) {
            public function __construct(private readonly array $refund)
            {
            }
            public function get_amount(): string
            {
                return (string) $this->refund['amount'];
            }
            public function get_refunded_payment(): bool
            {
                return $this->refund['sent'];
            }
        }, $refunds);
    }
    public function get_id(): int
    {
        return $this->id;
    }
    public function get_total(): string
    {
        return $this->fields['total'];
    }
    public function get_currency(): string
    {
        return 'NGN';
    }
    public function get_billing_email(): string
    {
        return 'ada@example.com';
    }
    public function get_order_key(): string
    {
        return "wc_order_{$this->id}";
    }
    public function get_meta(string $name): string
    {
        return $this->fields['meta'][$name] ?? '';
    }
    public function update_meta_data(string $name, string $value): void
    {
        $this->fields['meta'][$name] = $value;
        $this->changes['meta'][$name] = $value;
    }
    public function is_paid(): bool
    {
        return $this->fields['status'] === 'processing';
    }
    public function payment_complete(string $transaction): void
    {
        if (!in_array($this->fields['status'], ['on-hold', 'pending', 'failed', 'cancelled'], true)) {
            return;
        }
        $this->update_status('processing');
        // What hooks of other plugins do then: mails, stock, licences.
        Database::write(function (array &$data): void {
            $data['orders'][$this->id]['paid'] = ($data['orders'][$this->id]['paid'] ?? 0) + 1;
        });
    }
    public function update_status(string $status): void
    {
        $this->fields['status'] = $status;
        $this->changes['status'] = $status;
        $this->save();
    }
    public function add_order_note(string $text): void
    {
        Database::write(function (array &$data) use ($text): void {
            $data['orders'][$this->id]['notes'][] = $text;
        });
    }
}

abstract class WC_Payment_Gateway
{
    public string $id;
    public string $title;
    public string $method_title;
    public string $method_description;
    public array $supports;
    public array $form_fields;

    public function init_settings(): void
    {
    }
    public function is_available(): bool
    {
        return true;
    }
    public function process_admin_options(): void
    {
    }
    public function get_option(string $name): string
    {
        return match ($name) {
            'url' => getenv('SWITCHYARD_URL'),
            'api_key' => getenv('SWITCHYARD_API_KEY'),
            'webhook_secret' => getenv('WEBHOOK_SECRET'),
            default => '',
        };
    }
    public function get_return_url(WC_Order $order): string
    {
        return "https://shop.example/checkout/order-received/{$order->get_id()}";
    }
}

register_shutdown_function(static function (): void {
    global $printed;
    echo json_encode($printed);
});

require getenv('PLUGIN') . '/switchyard.php';
foreach ($actions['plugins_loaded'] as $load) {
    $load();
}
[$class] = $actions['woocommerce_payment_gateways'][0]([]);
$gateway = new $class();
switch ($_GET['step'] ?? '') {
    case 'checkout':
        $printed['result'] = $gateway->process_payment((int) $_GET['order']);
        break;
    case 'return':
        $actions['woocommerce_api_switchyard_return'][0]();
        break;
    case 'webhook':
        $actions['woocommerce_api_switchyard_webhook'][0]();
        break;
    case 'refund':
        $refunded = wc_create_refund($gateway, (int) $_GET['order'], $_GET['amount'] ?? null, 'a size too small');
        $printed['result'] = $refunded instanceof WP_Error ? $refunded->message : $refunded;
        break;
}
