<?php

declare(strict_types=1);

defined('ABSPATH') || exit;

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
    /** The payment of an order. */
    private const PAYMENT = '_switchyard_payment_id';
    /** How often the order has been tried: a payment that failed leaves its reference used. */
    private const TRIES = '_switchyard_tries';
    private const TRIES_MAX = 20;

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
            $this->settle($order, $payment['paymentId']);
            return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
        }
        $session = $payment['recommendedGateway']['session'];
        if ($session === null) {
            wc_add_notice('No payment can be taken at the moment. Please try again in a minute.', 'error');
            return ['result' => 'failure'];
        }
        return ['result' => 'success', 'redirect' => $session['redirectUrl']];
    }

    /** The payment that the order can be paid with: a new one where the last one has failed. */
    private function openPayment(WC_Order $order, int $amount): array
    {
        $client = $this->client();
        for ($tries = max(1, (int) $order->get_meta(self::TRIES)); $tries <= self::TRIES_MAX; $tries++) {
            $reference = self::reference($order, $tries);
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
                $isKnown = $payment['paymentId'] === $order->get_meta(self::PAYMENT);
                $payment = $isKnown ? $client->getPayment($payment['paymentId']) : $payment;
            } catch (ApiException $error) {
                if ($error->statusCode === 422) {
                    // The order has changed since: it is another one to Switchyard.
                    continue;
                }
                if ($error->statusCode !== 409 || $error->paymentId === null) {
                    throw $error;
                }
                // The order has a payment already, from an answer that was lost or a customer who came back.
                $isKnown = true;
                $payment = $client->getPayment($error->paymentId);
            }
            if ($isKnown && ($payment['status'] === 'FAILED' || $payment['amount'] !== $amount)) {
                continue;
            }
            $order->update_meta_data(self::TRIES, (string) $tries);
            $order->update_meta_data(self::PAYMENT, $payment['paymentId']);
            $order->save();
            return $payment;
        }
        throw new SwitchyardException("Order {$order->get_id()} was tried too often");
    }

    /** The customer is back. What the address says proves nothing: ask. */
    public function receive_customer(): void
    {
        $order = wc_get_order(absint($_GET['order'] ?? 0));
        if (!$order || !hash_equals($order->get_order_key(), (string) ($_GET['key'] ?? ''))) {
            wp_die('There is no such order.', '', ['response' => 404]);
        }
        try {
            $this->settle($order, (string) $order->get_meta(self::PAYMENT));
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
        $order = self::orderOf($event['data']['merchantOrderId'] ?? '');
        if ($order !== null && str_starts_with($event['type'], 'payment.')) {
            try {
                $this->settle($order, $event['data']['paymentId']);
            } catch (SwitchyardException) {
                // Sent again, with growing waits.
                status_header(503);
                exit;
            }
        }
        status_header(204);
        exit;
    }

    /** Refunds an order, whole or in part, from the page of the order. */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|WP_Error
    {
        $order = wc_get_order($order_id);
        $naira = self::wholeNaira($amount ?? $order->get_total());
        if ($naira === null) {
            return new WP_Error('switchyard', 'A refund is of whole naira.');
        }
        $refund = ['amount' => $naira];
        if ($reason !== '') {
            $refund['reason'] = $reason;
        }
        try {
            $this->client()->refundPayment((string) $order->get_meta(self::PAYMENT), $refund);
        } catch (SwitchyardException $error) {
            return new WP_Error('switchyard', $error->getMessage());
        }
        return true;
    }

    /** Asks Switchyard for a payment of the order, and marks the order by what it answers. */
    private function settle(WC_Order $order, string $paymentId): void
    {
        $current = (string) $order->get_meta(self::PAYMENT);
        if ($paymentId === '' || ($order->is_paid() && $paymentId === $current)) {
            return;
        }
        $payment = $this->client()->verifyPayment($paymentId)['data'];
        $isOfOrder = self::orderOf($payment['merchantOrderId'])?->get_id() === $order->get_id()
            && $payment['amount'] === self::wholeNaira($order->get_total())
            && $payment['currency'] === $order->get_currency();
        if ($payment['status'] === 'SUCCESS' && (!$isOfOrder || $order->is_paid())) {
            // Of a try before the order changed, or a second one.
            $order->add_order_note("Payment $paymentId has arrived as well. Refund it in the dashboard of Switchyard.");
        } elseif ($payment['status'] === 'SUCCESS') {
            $order->update_meta_data(self::PAYMENT, $paymentId);
            $order->payment_complete($paymentId);
        } elseif ($payment['status'] === 'FAILED' && $paymentId === $current && !$order->is_paid()) {
            $order->update_status('failed');
        }
    }

    private function client(): Client
    {
        return new Client($this->get_option('url'), $this->get_option('api_key'));
    }

    private static function reference(WC_Order $order, int $tries): string
    {
        return "wc-{$order->get_id()}-$tries";
    }

    private static function orderOf(string $reference): ?WC_Order
    {
        return preg_match('/^wc-(\d+)-\d+$/', $reference, $parts) === 1 ? (wc_get_order((int) $parts[1]) ?: null) : null;
    }

    /** Null where there are kobo: Switchyard takes whole naira. */
    private static function wholeNaira(string|float|int $amount): ?int
    {
        return preg_match('/^(\d+)(\.0+)?$/', (string) $amount, $parts) === 1 ? (int) $parts[1] : null;
    }
}
