<?php

/**
 * Client of the Switchyard REST API. One file, PHP 8.1 or later with its extension curl; no package.
 *
 *     require 'Switchyard.php';
 *
 *     $switchyard = new Switchyard\Client('https://pay.example', getenv('SWITCHYARD_API_KEY'));
 *     $payment = $switchyard->initiatePayment([
 *         'merchantOrderId' => 'ORD-1001', 'amount' => 2500, 'currency' => 'NGN', 'customer' => ['email' => 'ada@example.com'],
 *     ]);
 *
 * For servers only: the key is secret. Amounts of payments are whole main units: 2500 is 2,500 naira.
 */

declare(strict_types=1);

namespace Switchyard;

/** Anything that this client throws. */
class SwitchyardException extends \RuntimeException
{
}

/** Switchyard refused. Tell the kinds apart by `statusCode`. */
final class ApiException extends SwitchyardException
{
    /** @var list<string> Every rule that the request breaks, the field first: `amount must be at least 1`. */
    public readonly array $errors;
    /** The payment that has the order id already. */
    public readonly ?string $paymentId;
    /** Amount left to refund, in whole main units. */
    public readonly ?int $refundableAmount;

    /**
     * @param ?string $requestId Id by which support finds the request; null where the answer is not Switchyard's own.
     * @param ?float $retryAfterSeconds When to try again; null where the answer does not say.
     */
    public function __construct(
        public readonly int $statusCode,
        string $message,
        ?array $data,
        public readonly ?string $requestId,
        public readonly ?float $retryAfterSeconds,
    ) {
        parent::__construct("$message ($statusCode)");
        $this->errors = $data['errors'] ?? [];
        $this->paymentId = $data['paymentId'] ?? null;
        $this->refundableAmount = $data['refundableAmount'] ?? null;
    }
}

/** No answer came, and the request may have been carried out: verify, or call again with the same idempotency key. */
final class NoAnswerException extends SwitchyardException
{
}

/** A webhook is not from Switchyard, was changed, or is older than five minutes. Answer it 400. */
final class SignatureException extends SwitchyardException
{
}

/**
 * A client of one merchant in one mode: those of its key.
 *
 * A request whose answer is lost or passing (429, 500, 502, 503, 504) is sent again after a growing random wait, `retriesMax` times at
 * most. It never pays or refunds twice: such calls send an `Idempotency-Key`, new for each call and the same for its retries.
 *
 * @phpstan-type WebhookEvent array{id: string, type: 'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed', createdAt: string, merchantNumber: string, data: array{paymentId: string, merchantOrderId: string, status: 'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED', executionStatus: 'processing'|'succeeded'|'failed'|'refunded', currency: string, amount: int, gatewayReference: string, refund?: Refund, reversal?: Reversal, dispute?: Dispute}}
 * @phpstan-type Refund array{refundId: string, paymentId: string, amount: int, currency: string, status: 'PENDING'|'SUCCESS'|'FAILED'|'NEEDS_ATTENTION', reason: string|null, failureReason: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type Reversal array{amount: int|float, currency: string, cause: 'chargeback'|'gateway', totalReversed: int|float}
 * @phpstan-type Dispute array{disputeId: string, paymentId: string, state: 'needs_response'|'under_review'|'won'|'lost'|'accepted'|'expired'|'closed', category: string|null, stage: string|null, amount: int|float, currency: string, fee: int|float|null, gateway: string, gatewayDisputeId: string, dueAt: string|null, openedAt: string, closedAt: string|null}
 * @phpstan-type InitiatedPayment array{paymentId: string, merchantOrderId: string, status: 'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED', executionStatus: 'processing'|'succeeded'|'failed'|'refunded', currency: string, amount: int, recommendedGateway: array{name: string, session: Session}, fallbackGateways: list<FallbackGateway>, routing: RoutingDecision, createdAt: string, updatedAt: string, routingMode: 'smart'|'requested', requestedGateway: string|null, smartRoutingBypassed: bool}
 * @phpstan-type Session array{raw: array<string, mixed>, gateway: string, reference: string, accessCode: string, redirectUrl: string, metadata: array{mode: string, paymentId: string, merchantId: string, callbackUrl: string, redirectUrl: string, merchantOrderId: string, referencePrefix: string, fallbackGateways: list<FallbackGateway>}}|null
 * @phpstan-type FallbackGateway array{name: string, reason: string}
 * @phpstan-type RoutingDecision array{version: int, decidedAt: string, rationale: string, rationaleCode: 'smart_routing_rule'|'default_provider_order'|'requested_gateway'|'no_eligible_provider', contextKey: string, overrides: list<array{provider: string, subproviderId: string, action: 'drain'|'disable'|'force', reason: string, actor: string, expiresAt: string|null}>, reasons: list<array{code: string, title: string, message: string, category: 'rule'|'health'|'override'|'capability'|'fallback', severity: 'info'|'warning'|'critical'}>, candidates: list<array{index: int, eligible: bool, provider: string, subproviderId: string, ineligibleReason: string|null}>, recommended: array{index: int, provider: string, subproviderId: string}|null}
 * @phpstan-type Failure array{success: false, statusCode: int, message: string, data: array{errors: list<string>, paymentId?: string, refundableAmount?: int}|null}
 * @phpstan-type InitiatePaymentRequest array{merchantOrderId: string, amount: int, currency: 'NGN', customer: array{email: string, id?: string, phone?: string}, metadata?: array<string, mixed>, redirectUrl?: string, paymentMethod?: string, customerCountry?: string, requestedGateway?: 'paystack'|'flutterwave'|'monnify'|'squad'|'kora'|'interswitch'}
 * @phpstan-type PaymentList array{payments: list<Payment>, nextCursor: string|null}
 * @phpstan-type Payment array{paymentId: string, merchantOrderId: string, status: 'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED', executionStatus: 'processing'|'succeeded'|'failed'|'refunded', currency: string, amount: int, recommendedGateway: array{name: string, session: Session}, fallbackGateways: list<FallbackGateway>, routing: RoutingDecision, createdAt: string, updatedAt: string}
 * @phpstan-type VerificationResult array{id: string, type: 'payment.pending'|'payment.succeeded'|'payment.failed'|'payment.refunded', createdAt: string, merchantNumber: string, data: array{paymentId: string, merchantOrderId: string, status: 'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED', executionStatus: 'processing'|'succeeded'|'failed'|'refunded', currency: string, amount: int, gatewayReference: string}}
 * @phpstan-type VerifyPaymentRequest array{transactionId?: string}
 * @phpstan-type RefundPaymentRequest array{amount?: int, reason?: string}
 * @phpstan-type RefundList array{refunds: list<Refund>, nextCursor: string|null}
 * @phpstan-type DisputeList array{disputes: list<Dispute>, nextCursor: string|null}
 * @phpstan-type EventList array{events: list<WebhookEvent>, nextCursor: string|null}
 * @phpstan-type TestEventRequest array{type: 'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed'}
 * @phpstan-type SettlementList array{settlements: list<Settlement>, nextCursor: string|null}
 * @phpstan-type Settlement array{settlementId: string, reference: string, gateway: string, account: string, status: 'PENDING'|'PAID'|'FAILED', currency: string, gross: string, fees: string, deductions: string, net: string, explained: string, unexplained: string, settledOn: string|null, lineCount: int, createdAt: string}
 * @phpstan-type SettlementLineList array{lines: list<SettlementLine>, nextCursor: string|null}
 * @phpstan-type SettlementLine array{lineId: string, position: int, kind: 'PAYMENT'|'REFUND'|'FEE'|'CHARGEBACK'|'ADJUSTMENT'|'OTHER'|'RESIDUE', amount: string, currency: string, reference: string|null, transactionId: string|null, description: string|null, occurredAt: string|null, matched: bool, paymentId: string|null, merchantOrderId: string|null, refundId: string|null, disputeId: string|null}
 * @phpstan-type Rules array{file: array{'$schema'?: string, schemaVersion: int|float, mode: 'test'|'live', version: int, ruleSet: array<string, mixed>}|null, accounts: array{schemaVersion: int|float, mode: 'test'|'live', accounts: list<array<string, mixed>>}}
 * @phpstan-type RulesCheck array{blocks: bool, findings: list<array{grade: 'error'|'critical'|'warning'|'note', path: string, message: string, example: array<string, mixed>|null}>, omitted: int, expectations: array{total: int, held: int}}
 * @phpstan-type CheckRulesRequest array{file: array<string, mixed>}
 * @phpstan-type RuleDraft array{draftId: string, name: string, baseVersion: int, url: string, createdAt: string}
 * @phpstan-type RuleDraftRequest array{file: array<string, mixed>, name?: string}
 */
final class Client
{
    public const VERSION = '0.1.0';
    private const BACK_OFF_SECONDS = 0.25;
    private const BACK_OFF_MAX_SECONDS = 8.0;
    /** An answer that asks for a longer wait is thrown instead. */
    private const RETRY_AFTER_MAX_SECONDS = 60.0;
    private const PASSING_STATUSES = [429, 500, 502, 503, 504];

    private readonly string $baseUrl;

    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly int $timeoutSeconds = 30,
        private readonly int $retriesMax = 3,
    ) {
        if (preg_match('~^https?://.~', $baseUrl) !== 1) {
            throw new SwitchyardException("baseUrl must be a web address: $baseUrl");
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /**
     * Initiate a payment.
     *
     * Picks a gateway, opens a checkout there and answers the address to send the customer to. Amounts are whole naira. In
     * test mode a field whose name is nearly one of these is refused; others that are not ours are ignored and named in
     * `Switchyard-Ignored-Fields`.
     *
     * @param InitiatePaymentRequest $body
     * @return InitiatedPayment
     */
    public function initiatePayment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->send('POST', '/v1/payments/initiate', body: $body, idempotencyKey: $idempotencyKey ?? self::newKey());
    }

    /**
     * List payments.
     *
     * Newest first, a page at a time; with `merchantOrderId`, the payment that has the merchant's own reference.
     * `merchantOrderId`: The merchant's own reference, whole. `status`: Payments of this status, or of several separated by
     * commas. `customer`: The customer's e-mail address, in any case, or the merchant's own id of the customer. `createdFrom`:
     * Recorded at this moment or later. `createdTo`: Recorded before this moment. `limit`: How many at most; 20 when it is not
     * given. `cursor`: The `nextCursor` of the page before.
     *
     * @param list<'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED'>|'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED'|null $status
     * @return PaymentList
     */
    public function listPayments(
        ?string $merchantOrderId = null,
        array|string|null $status = null,
        ?string $customer = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->send('GET', '/v1/payments', query: ['merchantOrderId' => $merchantOrderId, 'status' => $status, 'customer' => $customer, 'createdFrom' => $createdFrom, 'createdTo' => $createdTo, 'limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List payments, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @param list<'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED'>|'INITIATED'|'PENDING'|'SUCCESS'|'FAILED'|'REFUNDED'|null $status
     * @return \Generator<int, Payment>
     */
    public function iteratePayments(
        ?string $merchantOrderId = null,
        array|string|null $status = null,
        ?string $customer = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        return self::iterate(fn (?string $cursor): array => $this->listPayments(merchantOrderId: $merchantOrderId, status: $status, customer: $customer, createdFrom: $createdFrom, createdTo: $createdTo, limit: $limit, cursor: $cursor), 'payments');
    }

    /**
     * Get payment details.
     *
     * The payment as it is recorded. Reading it asks no gateway; verify does.
     *
     * @return Payment
     */
    public function getPayment(string $paymentId): array
    {
        return $this->send('GET', '/v1/payments/' . self::segment('paymentId', $paymentId));
    }

    /**
     * Verify a payment.
     *
     * Asks the gateway unless the payment has succeeded already, and answers the record of its last change of status.
     *
     * @param VerifyPaymentRequest $body
     * @return VerificationResult
     */
    public function verifyPayment(string $paymentId, array $body = []): array
    {
        return $this->send('POST', '/v1/payments/' . self::segment('paymentId', $paymentId) . '/verify', body: $body);
    }

    /**
     * Refund a payment.
     *
     * Records a refund, all that is left or a part, and has the gateway return the money. The answer says PENDING: the refund
     * is followed until the gateway is done with it, and its end is sent as `refund.succeeded` or `refund.failed`. The payment
     * becomes REFUNDED once all of it is back, which is sent as `payment.refunded` besides.
     *
     * @param RefundPaymentRequest $body
     * @return Refund
     */
    public function refundPayment(string $paymentId, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->send('POST', '/v1/payments/' . self::segment('paymentId', $paymentId) . '/refunds', body: $body, idempotencyKey: $idempotencyKey ?? self::newKey());
    }

    /**
     * List refunds of a payment.
     *
     * Newest first, a page at a time. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the
     * page before.
     *
     * @return RefundList
     */
    public function listRefunds(string $paymentId, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->send('GET', '/v1/payments/' . self::segment('paymentId', $paymentId) . '/refunds', query: ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List refunds of a payment, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @return \Generator<int, Refund>
     */
    public function iterateRefunds(string $paymentId, ?int $limit = null): \Generator
    {
        return self::iterate(fn (?string $cursor): array => $this->listRefunds($paymentId, limit: $limit, cursor: $cursor), 'refunds');
    }

    /**
     * Get a refund.
     *
     *
     * @return Refund
     */
    public function getRefund(string $paymentId, string $refundId): array
    {
        return $this->send('GET', '/v1/payments/' . self::segment('paymentId', $paymentId) . '/refunds/' . self::segment('refundId', $refundId));
    }

    /**
     * List disputes.
     *
     * Newest first, a page at a time. Disputes are answered on the dashboard. `paymentId`: Disputes of this payment. `state`:
     * Disputes in this state, or in several separated by commas. `createdFrom`: Recorded at this moment or later. `createdTo`:
     * Recorded before this moment. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page
     * before.
     *
     * @param list<'needs_response'|'under_review'|'won'|'lost'|'accepted'|'expired'|'closed'>|'needs_response'|'under_review'|'won'|'lost'|'accepted'|'expired'|'closed'|null $state
     * @return DisputeList
     */
    public function listDisputes(
        ?string $paymentId = null,
        array|string|null $state = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->send('GET', '/v1/disputes', query: ['paymentId' => $paymentId, 'state' => $state, 'createdFrom' => $createdFrom, 'createdTo' => $createdTo, 'limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List disputes, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @param list<'needs_response'|'under_review'|'won'|'lost'|'accepted'|'expired'|'closed'>|'needs_response'|'under_review'|'won'|'lost'|'accepted'|'expired'|'closed'|null $state
     * @return \Generator<int, Dispute>
     */
    public function iterateDisputes(
        ?string $paymentId = null,
        array|string|null $state = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        return self::iterate(fn (?string $cursor): array => $this->listDisputes(paymentId: $paymentId, state: $state, createdFrom: $createdFrom, createdTo: $createdTo, limit: $limit, cursor: $cursor), 'disputes');
    }

    /**
     * Get a dispute.
     *
     *
     * @return Dispute
     */
    public function getDispute(string $disputeId): array
    {
        return $this->send('GET', '/v1/disputes/' . self::segment('disputeId', $disputeId));
    }

    /**
     * List events.
     *
     * The records that webhook endpoints receive, newest first, a page at a time, whether or not one received them: what a
     * merchant who was away has missed. `paymentId`: Events of this payment. `type`: Events of this type, or of several
     * separated by commas. `createdFrom`: Recorded at this moment or later. `createdTo`: Recorded before this moment. `limit`:
     * How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page before.
     *
     * @param list<'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed'>|'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed'|null $type
     * @return EventList
     */
    public function listEvents(
        ?string $paymentId = null,
        array|string|null $type = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->send('GET', '/v1/events', query: ['paymentId' => $paymentId, 'type' => $type, 'createdFrom' => $createdFrom, 'createdTo' => $createdTo, 'limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List events, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @param list<'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed'>|'payment.succeeded'|'payment.failed'|'payment.refunded'|'refund.succeeded'|'refund.failed'|'payment.requires_review'|'payment.duplicate_charge'|'payment.reversed'|'payment.reinstated'|'dispute.opened'|'dispute.closed'|null $type
     * @return \Generator<int, WebhookEvent>
     */
    public function iterateEvents(
        ?string $paymentId = null,
        array|string|null $type = null,
        \DateTimeInterface|string|null $createdFrom = null,
        \DateTimeInterface|string|null $createdTo = null,
        ?int $limit = null,
    ): \Generator {
        return self::iterate(fn (?string $cursor): array => $this->listEvents(paymentId: $paymentId, type: $type, createdFrom: $createdFrom, createdTo: $createdTo, limit: $limit, cursor: $cursor), 'events');
    }

    /**
     * Send a test event.
     *
     * An extension, for keys of test mode. Sends the newest event of the type that a payment of test mode has had once more,
     * under an id of its own, to every webhook endpoint of test mode that subscribes to it, and to every stream. Its payment
     * and its refund exist. Where there has been none of the type yet, the 400 says how to have one.
     *
     * @param TestEventRequest $body
     * @return WebhookEvent
     */
    public function sendTestEvent(array $body): array
    {
        return $this->send('POST', '/v1/events/test', body: $body, mayRepeat: false);
    }

    /**
     * List settlements.
     *
     * Payouts of gateways, those that are not paid out yet first, then the newest, a page at a time. `status`: Settlements of
     * this status, or of several separated by commas. `settledFrom`: Paid out on this day or later; those that are not paid
     * out yet are in any period. `settledTo`: Paid out on this day or before. `limit`: How many at most; 20 when it is not
     * given. `cursor`: The `nextCursor` of the page before.
     *
     * @param list<'PENDING'|'PAID'|'FAILED'>|'PENDING'|'PAID'|'FAILED'|null $status
     * @return SettlementList
     */
    public function listSettlements(
        array|string|null $status = null,
        ?string $settledFrom = null,
        ?string $settledTo = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->send('GET', '/v1/settlements', query: ['status' => $status, 'settledFrom' => $settledFrom, 'settledTo' => $settledTo, 'limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List settlements, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @param list<'PENDING'|'PAID'|'FAILED'>|'PENDING'|'PAID'|'FAILED'|null $status
     * @return \Generator<int, Settlement>
     */
    public function iterateSettlements(
        array|string|null $status = null,
        ?string $settledFrom = null,
        ?string $settledTo = null,
        ?int $limit = null,
    ): \Generator {
        return self::iterate(fn (?string $cursor): array => $this->listSettlements(status: $status, settledFrom: $settledFrom, settledTo: $settledTo, limit: $limit, cursor: $cursor), 'settlements');
    }

    /**
     * Get a settlement.
     *
     *
     * @return Settlement
     */
    public function getSettlement(string $settlementId): array
    {
        return $this->send('GET', '/v1/settlements/' . self::segment('settlementId', $settlementId));
    }

    /**
     * List the lines of a settlement.
     *
     * In the gateway's order, a page at a time. They add up to the net amount. `kind`: Lines of this kind, or of several
     * separated by commas. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page before.
     *
     * @param list<'PAYMENT'|'REFUND'|'FEE'|'CHARGEBACK'|'ADJUSTMENT'|'OTHER'|'RESIDUE'>|'PAYMENT'|'REFUND'|'FEE'|'CHARGEBACK'|'ADJUSTMENT'|'OTHER'|'RESIDUE'|null $kind
     * @return SettlementLineList
     */
    public function listSettlementLines(
        string $settlementId,
        array|string|null $kind = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->send('GET', '/v1/settlements/' . self::segment('settlementId', $settlementId) . '/lines', query: ['kind' => $kind, 'limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * List the lines of a settlement, from all pages.
     *
     * A page is read when the one before is used up; `limit` is the size of a page.
     *
     * @param list<'PAYMENT'|'REFUND'|'FEE'|'CHARGEBACK'|'ADJUSTMENT'|'OTHER'|'RESIDUE'>|'PAYMENT'|'REFUND'|'FEE'|'CHARGEBACK'|'ADJUSTMENT'|'OTHER'|'RESIDUE'|null $kind
     * @return \Generator<int, SettlementLine>
     */
    public function iterateSettlementLines(
        string $settlementId,
        array|string|null $kind = null,
        ?int $limit = null,
    ): \Generator {
        return self::iterate(fn (?string $cursor): array => $this->listSettlementLines($settlementId, kind: $kind, limit: $limit, cursor: $cursor), 'lines');
    }

    /**
     * Get the routing rules.
     *
     * The active rules as a file. Needs a key with the scope `rules:read`, which no key has unless it was granted.
     *
     * @return Rules
     */
    public function getRules(): array
    {
        return $this->send('GET', '/v1/rules');
    }

    /**
     * Check routing rules.
     *
     * Checks a rule-set file against the merchant's accounts, as the dashboard does before rules are published. Needs
     * `rules:read`.
     *
     * @param CheckRulesRequest $body
     * @return RulesCheck
     */
    public function checkRules(array $body): array
    {
        return $this->send('POST', '/v1/rules/check', body: $body);
    }

    /**
     * Save routing rules as a draft.
     *
     * Saves a rule-set file as a draft, which staff read, try and publish in the dashboard; nothing is published by a key.
     * Needs `rules:write`, which no key has unless it was granted.
     *
     * @param RuleDraftRequest $body
     * @return RuleDraft
     */
    public function createRuleDraft(array $body): array
    {
        return $this->send('POST', '/v1/rules/drafts', body: $body, mayRepeat: false);
    }

    /** Shown by `var_dump`, without the key. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    private function send(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        bool $mayRepeat = true,
    ): array {
        $headers = ['Accept: application/json', "Authorization: Bearer {$this->apiKey}", 'User-Agent: switchyard-php/' . self::VERSION];
        $options = [
            CURLOPT_URL => $this->baseUrl . $path . self::writeQuery($query),
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            // A redirect would send the body and the key to an address that was never entered.
            CURLOPT_FOLLOWLOCATION => false,
        ];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        }
        if ($idempotencyKey !== null) {
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        $options[CURLOPT_HTTPHEADER] = $headers;
        for ($retries = 0; ; $retries++) {
            try {
                return $this->sendOnce($options);
            } catch (ApiException | NoAnswerException $error) {
                $wait = self::waitBeforeRetry($error, $retries);
                if ($wait === null || !$mayRepeat || $retries >= $this->retriesMax) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function sendOnce(array $options): array
    {
        $headers = [];
        $options[CURLOPT_HEADERFUNCTION] = static function ($_, string $line) use (&$headers): int {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
            return strlen($line);
        };
        $request = curl_init();
        curl_setopt_array($request, $options);
        $text = curl_exec($request);
        if (!is_string($text)) {
            throw new NoAnswerException("No answer from {$this->baseUrl}: " . curl_error($request));
        }
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        $answer = json_decode($text, true);
        if ($status === 200 && ($answer['status'] ?? null) === true) {
            return $answer['data'];
        }
        $isOwn = ($answer['success'] ?? null) === false;
        throw new ApiException(
            $status,
            $isOwn ? $answer['message'] : "Answered $status, and not by Switchyard",
            $isOwn ? $answer['data'] : null,
            $headers['x-request-id'] ?? null,
            self::readRetryAfter($headers['retry-after'] ?? null),
        );
    }

    /** The items of all pages, in order; a page is read when the one before is used up. */
    private static function iterate(\Closure $readPage, string $items): \Generator
    {
        $cursor = null;
        do {
            $page = $readPage($cursor);
            foreach ($page[$items] as $item) {
                yield $item;
            }
            $cursor = $page['nextCursor'];
        } while ($cursor !== null);
    }

    private static function segment(string $name, string $value): string
    {
        // An empty id would be the address of the list.
        return $value === '' ? throw new SwitchyardException("$name must not be empty") : rawurlencode($value);
    }

    private static function writeQuery(array $query): string
    {
        $written = array_map(self::writeValue(...), array_filter($query, static fn (mixed $value): bool => $value !== null));
        return $written === [] ? '' : '?' . http_build_query($written, '', '&', PHP_QUERY_RFC3986);
    }

    private static function writeValue(mixed $value): string
    {
        return match (true) {
            $value instanceof \DateTimeInterface => $value->format('Y-m-d\TH:i:s.vP'),
            is_array($value) => implode(',', $value),
            default => (string) $value,
        };
    }

    /** Seconds from now: the header holds them, or a date. */
    private static function readRetryAfter(?string $header): ?float
    {
        if ($header === null) {
            return null;
        }
        if (preg_match('/^\d+$/D', $header) === 1) {
            return (float) $header;
        }
        $time = strtotime($header);
        return $time === false ? null : max(0.0, (float) ($time - time()));
    }

    /** Seconds until the next try; null when another try would end the same way. */
    private static function waitBeforeRetry(ApiException|NoAnswerException $error, int $retries): ?float
    {
        // Between half and all of it, so that clients that failed together do not come back together.
        $wait = min(self::BACK_OFF_SECONDS * 2 ** $retries, self::BACK_OFF_MAX_SECONDS) * random_int(500, 1_000) / 1_000;
        if ($error instanceof NoAnswerException) {
            return $wait;
        }
        $after = $error->retryAfterSeconds;
        // A conflict that asks to come back is a first request, under the same key, that is still in flight.
        $isPassing = in_array($error->statusCode, self::PASSING_STATUSES, true) || ($error->statusCode === 409 && $after !== null);
        return $isPassing && ($after ?? 0.0) <= self::RETRY_AFTER_MAX_SECONDS ? max($wait, $after ?? 0.0) : null;
    }

    /** A key that no other call has. */
    private static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}

/** Webhooks from Switchyard. */
final class Webhook
{
    private const AGE_MAX_SECONDS = 300;

    /**
     * The event of a webhook. An event may arrive more than once, under the same id.
     *
     * @param array<string, string> $headers Their names in any case, as `getallheaders()` or, with `HTTP_` before them, `$_SERVER` has them.
     * @param string $body As it was received, before any JSON parser: the signature is over its bytes.
     * @return array{id: string, type: string, createdAt: string, merchantNumber: string, data: array<string, mixed>}
     * @throws SignatureException
     */
    public static function verify(#[\SensitiveParameter] string $secret, array $headers, string $body): array
    {
        $given = [];
        foreach ($headers as $name => $value) {
            if (is_string($value)) {
                $given[preg_replace('/^http-/', '', strtolower(strtr((string) $name, '_', '-')))] = $value;
            }
        }
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > self::AGE_MAX_SECONDS) {
            throw new SignatureException('The webhook is too old, or has no timestamp');
        }
        $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new SignatureException('The secret is whsec_ and base64, as the dashboard shows it');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        // Two signatures while a secret is being replaced.
        foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        throw new SignatureException('The webhook has a wrong signature');
    }
}
