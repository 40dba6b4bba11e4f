<?php

/** Takes one step with the client for PHP and prints what came of it as JSON: `use_client.php STEP [argument …]`. */

declare(strict_types=1);

require getenv('SWITCHYARD_CLIENT');

use Switchyard\ApiException;
use Switchyard\Client;
use Switchyard\IdException;
use Switchyard\NoAnswerException;
use Switchyard\SignatureException;
use Switchyard\Webhook;

$client = new Client(getenv('SWITCHYARD_URL'), getenv('SWITCHYARD_API_KEY'), timeoutSeconds: 20);
$steps = [
    'start' => function (string $orderId, ?string $key = null) use ($client): array {
        $order = ['merchantOrderId' => $orderId, 'amount' => 2500, 'currency' => 'NGN', 'customer' => ['email' => 'ada@example.com']];
        $payment = $client->initiatePayment($order, idempotencyKey: $key);
        return ['paymentId' => $payment['paymentId'], 'redirectUrl' => $payment['recommendedGateway']['session']['redirectUrl']];
    },
    'verify' => fn (string $paymentId): string => $client->verifyPayment($paymentId)['data']['status'],
    'refund' => function (string $paymentId) use ($client): array {
        $client->refundPayment($paymentId, ['amount' => 1000, 'reason' => 'a size too small']);
        return array_column(iterator_to_array($client->iterateRefunds($paymentId)), 'amount');
    },
    'refund_all' => fn (string $paymentId): int => $client->refundPayment($paymentId, ['full' => true])['amount'],
    'orders' => function () use ($client): array {
        $found = $client->iteratePayments(status: ['SUCCESS', 'PENDING'], createdFrom: new DateTimeImmutable('-1 hour'), limit: 1);
        $orders = array_column(iterator_to_array($found), 'merchantOrderId');
        sort($orders);
        return $orders;
    },
    'test_event' => fn (): string => $client->sendTestEvent(['type' => 'payment.succeeded'])['type'],
    // Every place of a path that an id is put into. Answers how many calls went through.
    'hostile' => function (string $ids, string $own) use ($client): int {
        $sent = 0;
        foreach (json_decode($ids) as $id) {
            foreach ([
                fn () => $client->getPayment($id),
                fn () => $client->verifyPayment($id),
                fn () => $client->refundPayment($id, ['full' => true]),
                fn () => $client->getRefund($id, $own),
                fn () => $client->getRefund($own, $id),
                fn () => $client->listRefunds($id),
                fn () => iterator_to_array($client->iterateRefunds($id)),
                fn () => $client->getSettlement($id),
                fn () => $client->listSettlementLines($id),
                fn () => $client->getDispute($id),
            ] as $call) {
                try {
                    $call();
                    $sent++;
                } catch (IdException) {
                    // Refused before a request.
                }
            }
        }
        return $sent;
    },
    'webhook' => fn (?string $secret, string $headers, string $body): string => Webhook::verify($secret, json_decode($headers, true), $body)['type'],
];
$arguments = array_slice($argv, 2);
try {
    $result = ['result' => $steps[$argv[1]](...$arguments)];
} catch (ApiException $error) {
    $result = ['statusCode' => $error->statusCode, 'errors' => $error->errors, 'paymentId' => $error->paymentId];
    $result += ['code' => $error->code, 'details' => $error->details, 'paymentStatus' => $error->paymentStatus];
    $result += ['refundableAmount' => $error->refundableAmount, 'hasRequestId' => $error->requestId !== null];
} catch (IdException | NoAnswerException | SignatureException $error) {
    $result = ['error' => preg_replace('/^Switchyard\\\\|Exception$/', '', $error::class)];
}
echo json_encode($result);
