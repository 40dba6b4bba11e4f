<?php

/**
 * The functions and classes of WordPress and WooCommerce that samples/woocommerce calls, with orders in the file ORDERS. Served by
 * `php -S address woocommerce.php`: `?step=checkout`, `return`, `webhook` or `refund` takes one step of a shop and answers what came of it.
 */

declare(strict_types=1);

const ABSPATH = '/';
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
    return WC_Order::all()[$id] ?? false;
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

final class WC_Order
{
    private static ?array $orders = null;

    private function __construct(private readonly int $id, private array $fields)
    {
    }
    public static function all(): array
    {
        return self::$orders ??= array_map(
            static fn (array $fields): self => new self($fields['id'], $fields),
            json_decode(file_get_contents(getenv('ORDERS')), true),
        );
    }
    public function save(): void
    {
        $orders = array_map(static fn (self $order): array => $order->fields, self::all());
        file_put_contents(getenv('ORDERS'), json_encode($orders, JSON_FORCE_OBJECT));
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
    }
    public function is_paid(): bool
    {
        return $this->fields['status'] === 'processing';
    }
    public function payment_complete(string $transaction): void
    {
        $this->fields['paid'] = ($this->fields['paid'] ?? 0) + 1;
        $this->update_status('processing');
    }
    public function update_status(string $status): void
    {
        $this->fields['status'] = $status;
        $this->save();
    }
    public function add_order_note(string $text): void
    {
        $this->fields['notes'][] = $text;
        $this->save();
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
        $refunded = $gateway->process_refund((int) $_GET['order'], $_GET['amount'], 'a size too small');
        $printed['result'] = $refunded instanceof WP_Error ? $refunded->message : $refunded;
        break;
}
