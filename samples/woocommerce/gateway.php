<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

use Automattic\WooCommerce\Caches\OrderCache;
use Automattic\WooCommerce\Utilities\OrderUtil;
use Switchyard\ApiException;
use Switchyard\Client;
use Switchyard\SignatureException;
use Switchyard\SwitchyardException;
use Switchyard\Webhook;

/**
 * Sends customers to the checkout that Switchyard opens, and marks orders paid when Switchyard says so: when the customer is back, and by
 * webhook for those who never come back.
 */
final class WC_Gateway_Switchyard extends WC_Payment_Gateway
{
    /** The payment that the customer was sent to last. */
    private const PAYMENT = '_switchyard_payment_id';
    /** Every payment that this shop began for the order, with its reference, as JSON: no other completes it. */
    private const PAYMENTS = '_switchyard_payments';
    /** The payment that completed the order. */
    private const PAID = '_switchyard_paid_by';
    /** Payments that arrived beside it and were noted, as JSON. */
    private const NOTED = '_switchyard_noted';
    /** Refunds that were sent, by their keys, as JSON; and how many were refused. */
    private const REFUNDS = '_switchyard_refunds';
    private const REFUSED = '_switchyard_refunds_refused';
    /** How often the order has been tried: a payment that failed leaves its reference used. */
    private const TRIES = '_switchyard_tries';
    private const TRIES_MAX = 20;
    /** Option with a random text of this shop: shops of one merchant count their orders alike. */
    private const SITE_KEY = 'switchyard_site_key';
    private const LOCK_WAIT_SECONDS = 10;

    public function __construct()
    {
        $this->id = 'switchyard';
        $this->method_title = 'Switchyard';
        $this->method_description = 'Card, transfer and USSD, through the payment gateway that works best at the moment.';
        $this->supports = ['products', 'refunds'];
        $this->form_fields = [
            'enabled' => ['title' => 'Enabled', 'type' => 'checkbox', 'default' => 'no'],
            'title' => ['title' => 'Name at checkout', 'type' => 'text', 'default' => 'Card, transfer or USSD'],
            'url' => ['title' => 'Address of Switchyard', 'type' => 'text', 'placeholder' => 'https://pay.example.com'],
            'api_key' => ['title' => 'Secret key', 'type' => 'password'],
            'webhook_secret' => [
                'title' => 'Signing secret of the webhook endpoint',
                'type' => 'password',
                'description' => 'Of the endpoint with this address: ' . WC()->api_request_url('switchyard_webhook'),
            ],
        ];
        $this->init_settings();
        if ((string) get_option(self::SITE_KEY, '') === '') {
            add_option(self::SITE_KEY, bin2hex(random_bytes(16)));
        }
        $this->title = $this->get_option('title');
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
        add_action('woocommerce_api_switchyard_return', [$this, 'receive_customer']);
        add_action('woocommerce_api_switchyard_webhook', [$this, 'receive_webhook']);
    }

    /** Naira alone, for now. */
    public function is_available(): bool
    {
        return parent::is_available() && get_woocommerce_currency() === 'NGN';
    }

    /** Starts a payment of an order, or goes on with the one that it has. */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        $amount = self::wholeNaira($order->get_total());
        if ($amount === null) {
            wc_add_notice('This order cannot be paid here: its total is not in whole naira.', 'error');
            return ['result' => 'failure'];
        }
        try {
            $payment = $this->openPayment($order, $amount);
        } catch (SwitchyardException $error) {
            wc_get_logger()->error($error->getMessage(), ['source' => 'switchyard']);
            wc_add_notice('The payment could not be started. Please try again in a minute.', 'error');
            return ['result' => 'failure'];
        }
        if ($payment['status'] === 'SUCCESS') {
            try {
                $this->settle($order_id, $payment['paymentId']);
            } catch (SwitchyardException $error) {
                // The webhook brings it.
                wc_get_logger()->error($error->getMessage(), ['source' => 'switchyard']);
            }
            return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
        }
        if ($payment['status'] === 'PENDING') {
            return ['result' => 'success', 'redirect' => $payment['recommendedGateway']['session']['redirectUrl']];
        }
        $notice = $payment['status'] === 'INITIATED'
            ? 'The payment is still being started. Please try again in a few seconds.'
            : 'No payment can be taken at the moment. Please try again in a minute.';
        wc_add_notice($notice, 'error');
        return ['result' => 'failure'];
    }

    /** The payment that the order can be paid with: a new one where the last one has failed. */
    private function openPayment(WC_Order $order, int $amount): array
    {
        $client = $this->client();
        for ($tries = max(1, (int) $order->get_meta(self::TRIES)); $tries <= self::TRIES_MAX; $tries++) {
            $reference = self::reference($order, $tries);
            $known = self::listOf($order, self::PAYMENTS);
            try {
                $payment = $client->initiatePayment([
                    'merchantOrderId' => $reference,
                    'amount' => $amount,
                    'currency' => 'NGN',
                    'customer' => ['email' => $order->get_billing_email()],
                    'redirectUrl' => add_query_arg(
                        ['order' => $order->get_id(), 'key' => $order->get_order_key()],
                        WC()->api_request_url('switchyard_return'),
                    ),
                ], idempotencyKey: $reference);
                // Under the same key the answer is the first one again, which the payment may have outlived.
                $isKnown = isset($known[$payment['paymentId']]);
                $payment = $isKnown ? $client->getPayment($payment['paymentId']) : $payment;
            } catch (ApiException $error) {
                if ($error->statusCode === 422) {
                    // The order has changed since: it is another one to Switchyard.
                    continue;
                }
                if ($error->statusCode !== 409 || $error->paymentId === null) {
                    throw $error;
                }
                if (!isset($known[$error->paymentId])) {
                    // Another program has used the reference: its payment is none of this shop.
                    continue;
                }
                // A customer who came back after a day, when the key is forgotten.
                $isKnown = true;
                $payment = $client->getPayment($error->paymentId);
            }
            if ($isKnown && ($payment['status'] === 'FAILED' || $payment['amount'] !== $amount)) {
                continue;
            }
            return self::locked($order->get_id(), static function (WC_Order $order) use ($tries, $payment, $reference): array {
                $known = self::listOf($order, self::PAYMENTS);
                $order->update_meta_data(self::TRIES, (string) $tries);
                $order->update_meta_data(self::PAYMENT, $payment['paymentId']);
                $order->update_meta_data(self::PAYMENTS, json_encode([...$known, $payment['paymentId'] => $reference]));
                $order->save();
                return $payment;
            });
        }
        throw new SwitchyardException("Order {$order->get_id()} was tried too often");
    }

    /** The customer is back. What the address says proves nothing: ask. */
    public function receive_customer(): void
    {
        $order = wc_get_order(absint($_GET['order'] ?? 0));
        $key = $_GET['key'] ?? '';
        if (!$order || !is_string($key) || !hash_equals($order->get_order_key(), $key)) {
            wp_die('There is no such order.', '', ['response' => 404]);
        }
        try {
            $this->settle($order->get_id(), (string) $order->get_meta(self::PAYMENT));
        } catch (SwitchyardException $error) {
            // The webhook brings it.
            wc_get_logger()->error($error->getMessage(), ['source' => 'switchyard']);
        }
        wp_safe_redirect($this->get_return_url($order));
        exit;
    }

    /** Answers quickly, and the same however often an event arrives. */
    public function receive_webhook(): void
    {
        try {
            $event = Webhook::verify($this->get_option('webhook_secret'), $_SERVER, (string) file_get_contents('php://input'));
        } catch (SignatureException) {
            status_header(400);
            exit;
        }
        // The endpoint hears of all payments of the merchant, also of those of other shops.
        $orderId = self::orderIdOf($event['data']['merchantOrderId'] ?? '');
        if ($orderId !== null && str_starts_with($event['type'], 'payment.')) {
            try {
                $this->settle($orderId, $event['data']['paymentId']);
            } catch (SwitchyardException $error) {
                wc_get_logger()->error($error->getMessage(), ['source' => 'switchyard']);
                // Sent again, with growing waits.
                status_header(503);
                exit;
            }
        }
        status_header(204);
        exit;
    }

    /**
     * Refunds an order, whole or in part, from the page of the order. A refund is sent once, also when its button was pressed twice: its key is
     * what had been refunded when the page was shown.
     */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|WP_Error
    {
        $naira = $amount === null ? null : self::wholeNaira($amount);
        if ($amount !== null && $naira === null) {
            return new WP_Error('switchyard', 'A refund is of whole naira.');
        }
        $refund = $naira === null ? ['full' => true] : ['amount' => $naira];
        if ($reason !== '') {
            $refund['reason'] = $reason;
        }
        try {
            return self::locked((int) $order_id, fn (WC_Order $order): bool|WP_Error => $this->sendRefund($order, $refund));
        } catch (SwitchyardException $error) {
            return new WP_Error('switchyard', $error->getMessage());
        }
    }

    /** Sends a refund, unless it was sent before. WooCommerce removes its own record of one that is refused. */
    private function sendRefund(WC_Order $order, array $refund): bool|WP_Error
    {
        $refused = (int) $order->get_meta(self::REFUSED);
        $key = implode('-', [self::reference($order, 0), 'refund', self::refundedBefore($order), $refused]);
        $sent = self::listOf($order, self::REFUNDS);
        if (isset($sent[$key])) {
            return new WP_Error('switchyard', 'This refund was sent already. Reload the page to refund more.');
        }
        $paymentId = (string) ($order->get_meta(self::PAID) ?: $order->get_meta(self::PAYMENT));
        try {
            $answer = $this->client()->refundPayment($paymentId, $refund, idempotencyKey: $key);
        } catch (ApiException $error) {
            // Under the same key the answer would be the same for a day.
            if ($error->statusCode < 500 && $error->statusCode !== 422 && $error->retryAfterSeconds === null) {
                $order->update_meta_data(self::REFUSED, (string) ($refused + 1));
                $order->save();
            }
            throw $error;
        }
        $order->update_meta_data(self::REFUNDS, json_encode([...$sent, $key => $answer['refundId']]));
        $order->save();
        return true;
    }

    /** What had been refunded when the page was shown; for other callers, what has been sent to a gateway. */
    private static function refundedBefore(WC_Order $order): string
    {
        $shown = $_POST['refunded_amount'] ?? null;
        if (is_string($shown) && is_numeric($shown)) {
            return number_format((float) $shown, 2, '.', '');
        }
        // The refund that is being made is among them, and is not sent yet.
        $sent = array_filter($order->get_refunds(), static fn ($refund): bool => (bool) $refund->get_refunded_payment());
        $amounts = array_map(static fn ($refund): float => (float) $refund->get_amount(), $sent);
        return number_format(array_sum($amounts), 2, '.', '');
    }

    /**
     * Asks Switchyard for a payment of the order, and marks the order by what it answers. The customer and the webhook often arrive at once: the
     * order is completed by one of them.
     */
    private function settle(int $orderId, string $paymentId): void
    {
        $order = wc_get_order($orderId);
        if (!$order || !isset(self::listOf($order, self::PAYMENTS)[$paymentId]) || $order->get_meta(self::PAID) === $paymentId) {
            return;
        }
        $payment = $this->client()->verifyPayment($paymentId)['data'];
        self::locked($orderId, static fn (WC_Order $order) => self::apply($order, $paymentId, $payment));
    }

    /** Marks the order, which nobody else changes meanwhile, by the state of one of its payments. */
    private static function apply(WC_Order $order, string $paymentId, array $payment): void
    {
        $paidBy = (string) $order->get_meta(self::PAID);
        if ($paidBy === $paymentId) {
            return;
        }
        $isPaid = $paidBy !== '' || $order->is_paid();
        $isOfOrder = $payment['merchantOrderId'] === (self::listOf($order, self::PAYMENTS)[$paymentId] ?? null)
            && $payment['amount'] === self::wholeNaira($order->get_total())
            && $payment['currency'] === $order->get_currency();
        if ($payment['status'] === 'SUCCESS' && (!$isOfOrder || $isPaid)) {
            $noted = self::listOf($order, self::NOTED);
            if (!isset($noted[$paymentId])) {
                $order->update_meta_data(self::NOTED, json_encode([...$noted, $paymentId => true]));
                $order->save();
                // Of a try before the order changed, or a second one.
                $order->add_order_note("Payment $paymentId has arrived as well. Refund it in the dashboard of Switchyard.");
            }
        } elseif ($payment['status'] === 'SUCCESS') {
            $order->update_meta_data(self::PAYMENT, $paymentId);
            $order->update_meta_data(self::PAID, $paymentId);
            // Saves the order, and with it what is above.
            $order->payment_complete($paymentId);
        } elseif ($payment['status'] === 'FAILED' && $paymentId === $order->get_meta(self::PAYMENT) && !$isPaid) {
            $order->update_status('failed');
        }
    }

    /**
     * Does something with an order, as it is in the database, while no other process of the shop does. The database gives the lock back when
     * the process ends.
     */
    private static function locked(int $orderId, callable $work): mixed
    {
        global $wpdb;
        $name = 'switchyard-' . substr(hash('sha256', DB_NAME . "$wpdb->prefix$orderId"), 0, 32);
        $taken = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::LOCK_WAIT_SECONDS));
        if ((string) $taken !== '1') {
            throw new SwitchyardException("Order $orderId is being changed. Try again in a few seconds.");
        }
        try {
            // What this process has read before may be old by now.
            clean_post_cache($orderId);
            if (class_exists(OrderCache::class)) {
                wc_get_container()->get(OrderCache::class)->remove($orderId);
            }
            $hasRowCache = [OrderUtil::class, 'custom_orders_table_datastore_cache_enabled'];
            if (is_callable($hasRowCache) && $hasRowCache()) {
                WC_Data_Store::load('order')->clear_cached_data([$orderId]);
            }
            $order = wc_get_order($orderId);
            if (!$order) {
                throw new SwitchyardException("There is no order $orderId");
            }
            $order->read_meta_data(true);
            return $work($order);
        } finally {
            $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /** A list that is kept with the order. */
    private static function listOf(WC_Order $order, string $name): array
    {
        return json_decode((string) $order->get_meta($name), true) ?? [];
    }

    private function client(): Client
    {
        return new Client($this->get_option('url'), $this->get_option('api_key'));
    }

    /** Of this shop and no other of the merchant; a copy of the shop under another address is another one. */
    private static function reference(WC_Order $order, int $tries): string
    {
        $site = substr(hash('sha256', get_option(self::SITE_KEY) . ' ' . get_option('siteurl')), 0, 12);
        return "wc-$site-{$order->get_id()}-$tries";
    }

    private static function orderIdOf(string $reference): ?int
    {
        return preg_match('/^wc-[0-9a-f]{12}-(\d{1,18})-\d+$/D', $reference, $parts) === 1 ? (int) $parts[1] : null;
    }

    /** Null where there are kobo: Switchyard takes whole naira. */
    private static function wholeNaira(string|float|int $amount): ?int
    {
        return preg_match('/^(\d+)(\.0+)?$/', (string) $amount, $parts) === 1 ? (int) $parts[1] : null;
    }
}
