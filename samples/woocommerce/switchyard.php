<?php

/**
 * Plugin Name: Switchyard for WooCommerce
 * Description: Takes payments through Switchyard, which chooses the gateway.
 * Version: 0.1.0
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 *
 * Beside it lie gateway.php and Switchyard.php, the client that your installation serves at /install/Switchyard.php.
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

add_action('plugins_loaded', static function (): void {
    // Once WooCommerce, whose class the gateway extends, is loaded.
    if (class_exists('WC_Payment_Gateway')) {
        require_once __DIR__ . '/Switchyard.php';
        require_once __DIR__ . '/gateway.php';
    }
});
add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, 'WC_Gateway_Switchyard']);
