"""Client of the Switchyard REST API. One file, Python 3.9 or later, nothing but the standard library.

    from switchyard import Switchyard

    client = Switchyard("https://pay.example", os.environ["SWITCHYARD_API_KEY"])
    payment = client.initiate_payment(
        {"merchantOrderId": "ORD-1001", "amount": 2500, "currency": "NGN", "customer": {"email": "ada@example.com"}}
    )

For servers only: the key is secret. Amounts of payments are whole main units: 2500 is 2,500 naira.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

__version__ = "0.1.0"

Moment = Union[datetime, str]
"""A moment: a datetime with its time zone, or ISO 8601 text with its offset."""

_BACK_OFF_SECONDS = 0.25
_BACK_OFF_MAX_SECONDS = 8.0
# An answer that asks for a longer wait is raised instead.
_RETRY_AFTER_MAX_SECONDS = 60.0
_PASSING_STATUSES = (429, 500, 502, 503, 504)
_SIGNATURE_AGE_MAX_SECONDS = 300


class SwitchyardError(Exception):
    """Anything that this client raises."""


class ApiError(SwitchyardError):
    """Switchyard refused. Tell the kinds apart by `status_code`."""

    def __init__(
        self,
        status_code: int,
        message: str,
        data: Optional[Mapping[str, Any]],
        request_id: Optional[str],
        retry_after_seconds: Optional[float],
    ) -> None:
        super().__init__(f"{message} ({status_code})")
        data = data or {}
        self.status_code = status_code
        self.message = message
        self.errors: List[str] = list(data.get("errors", []))
        """Every rule that the request breaks, the field first: `amount must be at least 1`."""
        self.request_id = request_id
        """Id by which support finds the request; None where the answer is not Switchyard's own."""
        self.payment_id: Optional[str] = data.get("paymentId")
        """The payment that has the order id already."""
        self.refundable_amount: Optional[int] = data.get("refundableAmount")
        """Amount left to refund, in whole main units."""
        self.retry_after_seconds = retry_after_seconds


class NoAnswerError(SwitchyardError):
    """No answer came, and the request may have been carried out: verify, or call again with the same idempotency key."""


class SignatureError(SwitchyardError):
    """A webhook is not from Switchyard, was changed, or is older than five minutes. Answer it 400."""


class _WebhookEventDataRequired(TypedDict):
    # The id of the payment, made by the service.
    paymentId: str
    # The merchant's own reference, as it was sent.
    merchantOrderId: str
    # INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid.
    # REFUNDED: all of it was refunded.
    status: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]
    # processing while INITIATED or PENDING, succeeded, failed or refunded after it.
    executionStatus: Literal["processing", "succeeded", "failed", "refunded"]
    # ISO 4217 code.
    currency: str
    # The amount of the payment, in whole main currency units.
    amount: int
    # The reference at the gateway that took the payment; empty where none opened a checkout.
    gatewayReference: str


class WebhookEventData(_WebhookEventDataRequired, total=False):
    refund: Refund
    reversal: Reversal
    dispute: Dispute


class WebhookEvent(TypedDict):
    """An event record. `data` is the payment as the event left it, and `amount` is the amount of the payment. In
    `refund.succeeded` and `refund.failed`, `refund` is the refund that ended; such events of before it was added
    are without it. In `payment.reversed` and `payment.reinstated`, `reversal` is what the gateway took or gave
    back. In `dispute.opened` and `dispute.closed`, `dispute` is the dispute.
    """
    # The id of the event, and the same wherever the event is shown or sent.
    id: str
    # What happened.
    type: Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"]
    createdAt: str
    # The number of the merchant.
    merchantNumber: str
    data: WebhookEventData


class Refund(TypedDict):
    # The id of the refund.
    refundId: str
    # The id of the payment, made by the service.
    paymentId: str
    # What is refunded, in whole main currency units.
    amount: int
    # ISO 4217 code.
    currency: str
    # PENDING until the gateway is done with it; NEEDS_ATTENTION when the gateway waits for a person to help.
    status: Literal["PENDING", "SUCCESS", "FAILED", "NEEDS_ATTENTION"]
    # The reason that the request gave.
    reason: Optional[str]
    # Why it failed, or what it waits for.
    failureReason: Optional[str]
    createdAt: str
    updatedAt: str


class Reversal(TypedDict):
    # What was taken back, or given back with `payment.reinstated`, in main currency units, with decimals where it
    # has them.
    amount: float
    # ISO 4217 code.
    currency: str
    # chargeback: the customer disputed the payment and won. gateway: the gateway gives no reason.
    cause: Literal["chargeback", "gateway"]
    # All that is taken back of the payment after this event.
    totalReversed: float


class Dispute(TypedDict):
    # Its id.
    disputeId: str
    # The disputed payment.
    paymentId: str
    # `won` leaves the money with you. `lost`, `accepted` (by you) and `expired` (not answered in time) send it
    # back. `closed`: the gateway does not say who keeps it.
    state: Literal["needs_response", "under_review", "won", "lost", "accepted", "expired", "closed"]
    # The gateway's word for its kind, such as chargeback or fraud.
    category: Optional[str]
    # The gateway's word for how far it got.
    stage: Optional[str]
    # Disputed, in main currency units, with decimals where it has them.
    amount: float
    # ISO 4217 code.
    currency: str
    # The gateway’s charge for the dispute; null where it is not known.
    fee: Optional[float]
    # The gateway that was paid.
    gateway: str
    # The gateway's own id of the dispute.
    gatewayDisputeId: str
    # Until when it has to be answered; null where neither the gateway nor a rule of it names a time.
    dueAt: Optional[str]
    # When it was opened, in UTC.
    openedAt: str
    # When it was decided, in UTC; null while it is open.
    closedAt: Optional[str]


class InitiatedPaymentRecommendedGateway(TypedDict):
    # The gateway whose checkout the customer gets.
    name: str
    session: Session


class InitiatedPayment(TypedDict):
    # The id of the payment, made by the service.
    paymentId: str
    # The merchant's own reference, as it was sent.
    merchantOrderId: str
    # INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid.
    # REFUNDED: all of it was refunded.
    status: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]
    # processing while INITIATED or PENDING, succeeded, failed or refunded after it.
    executionStatus: Literal["processing", "succeeded", "failed", "refunded"]
    # ISO 4217 code.
    currency: str
    # Whole main currency units: 2500 is ₦2,500.
    amount: int
    recommendedGateway: InitiatedPaymentRecommendedGateway
    # The planned gateways that were not needed, in the order in which they would have been tried; those that are
    # not healthy come last.
    fallbackGateways: List[FallbackGateway]
    routing: RoutingDecision
    createdAt: str
    updatedAt: str
    routingMode: Literal["smart", "requested"]
    # The gateway that the request named; null when it named none.
    requestedGateway: Optional[str]
    # Whether naming a gateway put the rules aside.
    smartRoutingBypassed: bool


class SessionMetadata(TypedDict):
    mode: str
    paymentId: str
    merchantId: str
    # Where the gateway sends the customer back: to the service, which verifies.
    callbackUrl: str
    # Where the service then sends the customer, with `paymentId` added.
    redirectUrl: str
    merchantOrderId: str
    # Always empty.
    referencePrefix: str
    fallbackGateways: List[FallbackGateway]


class Session(TypedDict):
    """Null when no gateway opened a checkout."""
    # The gateway's own answer.
    raw: Dict[str, Any]
    # The gateway that opened the checkout.
    gateway: str
    # Our reference of the attempt, which the gateway and its dashboard show.
    reference: str
    # The gateway's access code; empty where the gateway has none.
    accessCode: str
    # Where to send the customer.
    redirectUrl: str
    metadata: SessionMetadata


class FallbackGateway(TypedDict):
    # The gateway.
    name: str
    # Why it is planned.
    reason: str


class RoutingDecisionOverridesItem(TypedDict):
    provider: str
    subproviderId: str
    action: Literal["drain", "disable", "force"]
    reason: str
    actor: str
    expiresAt: Optional[str]


class RoutingDecisionReasonsItem(TypedDict):
    code: str
    title: str
    message: str
    category: Literal["rule", "health", "override", "capability", "fallback"]
    severity: Literal["info", "warning", "critical"]


class RoutingDecisionCandidatesItem(TypedDict):
    index: int
    eligible: bool
    # The gateway.
    provider: str
    # The merchant's account at the gateway.
    subproviderId: str
    # Null for every account that can take the payment: it is in the plan, behind the healthy ones when it is not
    # healthy. Otherwise disabled_by_operator, disabled, method_not_supported, currency_not_supported,
    # amount_out_of_range or not_configured. Payments routed earlier may have unhealthy.
    ineligibleReason: Optional[str]


class RoutingDecisionRecommended(TypedDict):
    index: int
    provider: str
    subproviderId: str


class RoutingDecision(TypedDict):
    # Version of this record's form.
    version: int
    decidedAt: str
    # Why this gateway, in a sentence.
    rationale: str
    rationaleCode: Literal["smart_routing_rule", "default_provider_order", "requested_gateway", "no_eligible_provider"]
    # Currency, method and the amount band of the rule that matched.
    contextKey: str
    overrides: List[RoutingDecisionOverridesItem]
    reasons: List[RoutingDecisionReasonsItem]
    candidates: List[RoutingDecisionCandidatesItem]
    recommended: Optional[RoutingDecisionRecommended]


class _FailureDataRequired(TypedDict):
    errors: List[str]


class FailureData(_FailureDataRequired, total=False):
    """What was wrong, one sentence each; null where there is nothing to add."""
    # The payment that has the order id.
    paymentId: str
    # What is left to refund, in whole main units.
    refundableAmount: int


class Failure(TypedDict):
    success: Literal[False]
    # The HTTP status.
    statusCode: int
    # What went wrong, for a developer; never for a customer.
    message: str
    # What was wrong, one sentence each; null where there is nothing to add.
    data: Optional[FailureData]


class _InitiatePaymentRequestCustomerRequired(TypedDict):
    # The customer's e-mail address: letters, digits and _ ' + - . before the @.
    email: str


class InitiatePaymentRequestCustomer(_InitiatePaymentRequestCustomerRequired, total=False):
    # The merchant's own id of the customer.
    id: str
    # The customer's telephone number.
    phone: str


class _InitiatePaymentRequestRequired(TypedDict):
    # The merchant's own reference; unique for every payment request.
    merchantOrderId: str
    # Whole main currency units: 1000 is one thousand naira.
    amount: int
    # ISO 4217 code; only NGN is supported.
    currency: Literal["NGN"]
    customer: InitiatePaymentRequestCustomer


class InitiatePaymentRequest(_InitiatePaymentRequestRequired, total=False):
    # Free-form details; at most 16 KiB and 5 levels.
    metadata: Dict[str, Any]
    # Where to send the customer after payment: an absolute address without user info; https, in test mode also
    # http. Letters outside ASCII are encoded.
    redirectUrl: str
    # How the customer will pay; matches the smart routing rules. In any case, one of CARD, TRANSFER, USSD, BANK,
    # QR, WALLET, MOBILE_MONEY, DIRECT_DEBIT, BANK_TRANSFER, which is TRANSFER.
    paymentMethod: str
    # ISO 3166-1 alpha-2 code.
    customerCountry: str
    # An extension: a gateway to use instead of what the rules say.
    requestedGateway: Literal["paystack", "flutterwave", "monnify", "squad", "kora", "interswitch"]


class PaymentList(TypedDict):
    payments: List[Payment]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class PaymentRecommendedGateway(TypedDict):
    # The gateway whose checkout the customer gets.
    name: str
    session: Session


class Payment(TypedDict):
    # The id of the payment, made by the service.
    paymentId: str
    # The merchant's own reference, as it was sent.
    merchantOrderId: str
    # INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid.
    # REFUNDED: all of it was refunded.
    status: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]
    # processing while INITIATED or PENDING, succeeded, failed or refunded after it.
    executionStatus: Literal["processing", "succeeded", "failed", "refunded"]
    # ISO 4217 code.
    currency: str
    # Whole main currency units: 2500 is ₦2,500.
    amount: int
    recommendedGateway: PaymentRecommendedGateway
    # The planned gateways that were not needed, in the order in which they would have been tried; those that are
    # not healthy come last.
    fallbackGateways: List[FallbackGateway]
    routing: RoutingDecision
    createdAt: str
    updatedAt: str


class VerificationResultData(TypedDict):
    # The id of the payment, made by the service.
    paymentId: str
    # The merchant's own reference, as it was sent.
    merchantOrderId: str
    # INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid.
    # REFUNDED: all of it was refunded.
    status: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]
    # processing while INITIATED or PENDING, succeeded, failed or refunded after it.
    executionStatus: Literal["processing", "succeeded", "failed", "refunded"]
    # ISO 4217 code.
    currency: str
    # The amount of the payment, in whole main currency units.
    amount: int
    # The reference at the gateway that took the payment; empty where none opened a checkout.
    gatewayReference: str


class VerificationResult(TypedDict):
    # The id of the event, and the same wherever the event is shown or sent.
    id: str
    # What happened.
    type: Literal["payment.pending", "payment.succeeded", "payment.failed", "payment.refunded"]
    createdAt: str
    # The number of the merchant.
    merchantNumber: str
    data: VerificationResultData


class VerifyPaymentRequest(TypedDict, total=False):
    # The gateway's own transaction id, for gateways that return one to the browser.
    transactionId: str


class RefundPaymentRequest(TypedDict, total=False):
    # Whole main currency units; all that is left when it is not given.
    amount: int
    # Reason; sent to the gateway.
    reason: str


class RefundList(TypedDict):
    refunds: List[Refund]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class DisputeList(TypedDict):
    disputes: List[Dispute]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class EventList(TypedDict):
    events: List[WebhookEvent]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class TestEventRequest(TypedDict):
    # The type of the event to send.
    type: Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"]


class SettlementList(TypedDict):
    settlements: List[Settlement]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class Settlement(TypedDict):
    # Its id, made by the service.
    settlementId: str
    # The gateway's own id or reference.
    reference: str
    # The gateway that pays out.
    gateway: str
    # The merchant's label of the gateway account.
    account: str
    status: Literal["PENDING", "PAID", "FAILED"]
    # ISO 4217 code of its amounts.
    currency: str
    # Payments in it, before fees and deductions: an exact decimal of the main unit, as all its amounts.
    gross: str
    # Fees of its payments.
    fees: str
    # Taken off beside fees: refunds, chargebacks, stamp duty.
    deductions: str
    # Paid out: the sum of its lines.
    net: str
    # Sum of the lines that are matched with a payment, refund or dispute, each without its sign.
    explained: str
    # The same of the other lines, and of what no line accounts for.
    unexplained: str
    # Day of the payout; null until it is known.
    settledOn: Optional[str]
    lineCount: int
    # When the gateway created it.
    createdAt: str


class SettlementLineList(TypedDict):
    lines: List[SettlementLine]
    # The `cursor` of the next page; null on the last one.
    nextCursor: Optional[str]


class SettlementLine(TypedDict):
    lineId: str
    # Its place in the settlement, from 0.
    position: int
    kind: Literal["PAYMENT", "REFUND", "FEE", "CHARGEBACK", "ADJUSTMENT", "OTHER", "RESIDUE"]
    # Negative where it takes off the net amount.
    amount: str
    # ISO 4217 code.
    currency: str
    # The reference that the gateway names.
    reference: Optional[str]
    # The gateway's own id of the transaction.
    transactionId: Optional[str]
    # The gateway's own words.
    description: Optional[str]
    # When it was paid or refunded, as the gateway reports it.
    occurredAt: Optional[str]
    # True once a payment, refund or dispute explains it.
    matched: bool
    paymentId: Optional[str]
    merchantOrderId: Optional[str]
    refundId: Optional[str]
    disputeId: Optional[str]


class RulesAccounts(TypedDict):
    """The accounts that rules can name, without secrets: what `check-rules --accounts` takes."""
    schemaVersion: Literal[1]
    mode: Literal["test", "live"]
    accounts: List[Dict[str, Any]]


class Rules(TypedDict):
    # The rules as a file; null when none are published.
    file: Optional[Dict[str, Any]]
    # The accounts that rules can name, without secrets: what `check-rules --accounts` takes.
    accounts: RulesAccounts


class RulesCheckFindingsItem(TypedDict):
    grade: Literal["error", "critical", "warning", "note"]
    # The place in the file.
    path: str
    message: str
    # A payment that shows it.
    example: Optional[Dict[str, Any]]


class RulesCheckExpectations(TypedDict):
    total: int
    held: int


class RulesCheck(TypedDict):
    # Whether something prevents the publication: a finding of grade error.
    blocks: bool
    findings: List[RulesCheckFindingsItem]
    # How many more were found.
    omitted: int
    expectations: RulesCheckExpectations


class CheckRulesRequest(TypedDict):
    # A rule-set file, as `GET /v1/rules` answers it; its JSON Schema is at `/schemas/rule-set-1.json`.
    file: Dict[str, Any]


class RuleDraft(TypedDict):
    draftId: str
    name: str
    # The published version that it would replace; 0 for none.
    baseVersion: int
    # Where staff read, try and publish it.
    url: str
    createdAt: str


class _RuleDraftRequestRequired(TypedDict):
    # A rule-set file, as `GET /v1/rules` answers it; its JSON Schema is at `/schemas/rule-set-1.json`.
    file: Dict[str, Any]


class RuleDraftRequest(_RuleDraftRequestRequired, total=False):
    # What the draft is called in the dashboard.
    name: str



class Switchyard:
    """A client of one merchant in one mode: those of its key. It holds no connection, and threads may share it.

    A request whose answer is lost or passing (429, 500, 502, 503, 504) is sent again after a growing random wait, `retries_max` times at
    most. It never pays or refunds twice: such calls send an `Idempotency-Key`, new for each call and the same for its retries.
    """

    def __init__(self, base_url: str, api_key: str, *, timeout: float = 30.0, retries_max: int = 3) -> None:
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise SwitchyardError(f"base_url must be a web address: {base_url}")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._retries_max = retries_max
        self._opener = urllib.request.build_opener(_NoRedirects)

    def initiate_payment(
        self,
        body: InitiatePaymentRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> InitiatedPayment:
        """Initiate a payment.

        Picks a gateway, opens a checkout there and answers the address to send the customer to. Amounts are whole
        naira. In test mode a field whose name is nearly one of these is refused; others that are not ours are ignored
        and named in `Switchyard-Ignored-Fields`.
        """
        return self._send("POST", "/v1/payments/initiate", body=body, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def list_payments(
        self,
        *,
        merchant_order_id: Optional[str] = None,
        status: Union[Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"], Sequence[Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]], None] = None,
        customer: Optional[str] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> PaymentList:
        """List payments.

        Newest first, a page at a time; with `merchantOrderId`, the payment that has the merchant's own reference.
        `merchant_order_id`: The merchant's own reference, whole. `status`: Payments of this status, or of several
        separated by commas. `customer`: The customer's e-mail address, in any case, or the merchant's own id of the
        customer. `created_from`: Recorded at this moment or later. `created_to`: Recorded before this moment.
        `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page before.
        """
        return self._send("GET", "/v1/payments", query={"merchantOrderId": merchant_order_id, "status": status, "customer": customer, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor})

    def iterate_payments(
        self,
        *,
        merchant_order_id: Optional[str] = None,
        status: Union[Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"], Sequence[Literal["INITIATED", "PENDING", "SUCCESS", "FAILED", "REFUNDED"]], None] = None,
        customer: Optional[str] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Payment]:
        """List payments, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(self.list_payments, "payments", {"merchant_order_id": merchant_order_id, "status": status, "customer": customer, "created_from": created_from, "created_to": created_to, "limit": limit})

    def get_payment(self, payment_id: str) -> Payment:
        """Get payment details.

        The payment as it is recorded. Reading it asks no gateway; verify does.
        """
        return self._send("GET", f"/v1/payments/{_segment('payment_id', payment_id)}")

    def verify_payment(self, payment_id: str, body: Optional[VerifyPaymentRequest] = None) -> VerificationResult:
        """Verify a payment.

        Asks the gateway unless the payment has succeeded already, and answers the record of its last change of
        status.
        """
        return self._send("POST", f"/v1/payments/{_segment('payment_id', payment_id)}/verify", body={} if body is None else body)

    def refund_payment(
        self,
        payment_id: str,
        body: Optional[RefundPaymentRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Refund:
        """Refund a payment.

        Records a refund, all that is left or a part, and has the gateway return the money. The answer says PENDING:
        the refund is followed until the gateway is done with it, and its end is sent as `refund.succeeded` or
        `refund.failed`. The payment becomes REFUNDED once all of it is back, which is sent as `payment.refunded`
        besides.
        """
        return self._send("POST", f"/v1/payments/{_segment('payment_id', payment_id)}/refunds", body={} if body is None else body, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def list_refunds(self, payment_id: str, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> RefundList:
        """List refunds of a payment.

        Newest first, a page at a time. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor`
        of the page before.
        """
        return self._send("GET", f"/v1/payments/{_segment('payment_id', payment_id)}/refunds", query={"limit": limit, "cursor": cursor})

    def iterate_refunds(self, payment_id: str, *, limit: Optional[int] = None) -> Iterator[Refund]:
        """List refunds of a payment, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(lambda **query: self.list_refunds(payment_id, **query), "refunds", {"limit": limit})

    def get_refund(self, payment_id: str, refund_id: str) -> Refund:
        """Get a refund."""
        return self._send("GET", f"/v1/payments/{_segment('payment_id', payment_id)}/refunds/{_segment('refund_id', refund_id)}")

    def list_disputes(
        self,
        *,
        payment_id: Optional[str] = None,
        state: Union[Literal["needs_response", "under_review", "won", "lost", "accepted", "expired", "closed"], Sequence[Literal["needs_response", "under_review", "won", "lost", "accepted", "expired", "closed"]], None] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> DisputeList:
        """List disputes.

        Newest first, a page at a time. Disputes are answered on the dashboard. `payment_id`: Disputes of this
        payment. `state`: Disputes in this state, or in several separated by commas. `created_from`: Recorded at this
        moment or later. `created_to`: Recorded before this moment. `limit`: How many at most; 20 when it is not
        given. `cursor`: The `nextCursor` of the page before.
        """
        return self._send("GET", "/v1/disputes", query={"paymentId": payment_id, "state": state, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor})

    def iterate_disputes(
        self,
        *,
        payment_id: Optional[str] = None,
        state: Union[Literal["needs_response", "under_review", "won", "lost", "accepted", "expired", "closed"], Sequence[Literal["needs_response", "under_review", "won", "lost", "accepted", "expired", "closed"]], None] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Dispute]:
        """List disputes, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(self.list_disputes, "disputes", {"payment_id": payment_id, "state": state, "created_from": created_from, "created_to": created_to, "limit": limit})

    def get_dispute(self, dispute_id: str) -> Dispute:
        """Get a dispute."""
        return self._send("GET", f"/v1/disputes/{_segment('dispute_id', dispute_id)}")

    def list_events(
        self,
        *,
        payment_id: Optional[str] = None,
        type: Union[Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"], Sequence[Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"]], None] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> EventList:
        """List events.

        The records that webhook endpoints receive, newest first, a page at a time, whether or not one received them:
        what a merchant who was away has missed. `payment_id`: Events of this payment. `type`: Events of this type, or
        of several separated by commas. `created_from`: Recorded at this moment or later. `created_to`: Recorded
        before this moment. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page
        before.
        """
        return self._send("GET", "/v1/events", query={"paymentId": payment_id, "type": type, "createdFrom": created_from, "createdTo": created_to, "limit": limit, "cursor": cursor})

    def iterate_events(
        self,
        *,
        payment_id: Optional[str] = None,
        type: Union[Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"], Sequence[Literal["payment.succeeded", "payment.failed", "payment.refunded", "refund.succeeded", "refund.failed", "payment.requires_review", "payment.duplicate_charge", "payment.reversed", "payment.reinstated", "dispute.opened", "dispute.closed"]], None] = None,
        created_from: Optional[Moment] = None,
        created_to: Optional[Moment] = None,
        limit: Optional[int] = None,
    ) -> Iterator[WebhookEvent]:
        """List events, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(self.list_events, "events", {"payment_id": payment_id, "type": type, "created_from": created_from, "created_to": created_to, "limit": limit})

    def send_test_event(self, body: TestEventRequest) -> WebhookEvent:
        """Send a test event.

        An extension, for keys of test mode. Sends the newest event of the type that a payment of test mode has had
        once more, under an id of its own, to every webhook endpoint of test mode that subscribes to it, and to every
        stream. Its payment and its refund exist. Where there has been none of the type yet, the 400 says how to have
        one.
        """
        return self._send("POST", "/v1/events/test", body=body, may_repeat=False)

    def list_settlements(
        self,
        *,
        status: Union[Literal["PENDING", "PAID", "FAILED"], Sequence[Literal["PENDING", "PAID", "FAILED"]], None] = None,
        settled_from: Optional[str] = None,
        settled_to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> SettlementList:
        """List settlements.

        Payouts of gateways, those that are not paid out yet first, then the newest, a page at a time. `status`:
        Settlements of this status, or of several separated by commas. `settled_from`: Paid out on this day or later;
        those that are not paid out yet are in any period. `settled_to`: Paid out on this day or before. `limit`: How
        many at most; 20 when it is not given. `cursor`: The `nextCursor` of the page before.
        """
        return self._send("GET", "/v1/settlements", query={"status": status, "settledFrom": settled_from, "settledTo": settled_to, "limit": limit, "cursor": cursor})

    def iterate_settlements(
        self,
        *,
        status: Union[Literal["PENDING", "PAID", "FAILED"], Sequence[Literal["PENDING", "PAID", "FAILED"]], None] = None,
        settled_from: Optional[str] = None,
        settled_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Settlement]:
        """List settlements, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(self.list_settlements, "settlements", {"status": status, "settled_from": settled_from, "settled_to": settled_to, "limit": limit})

    def get_settlement(self, settlement_id: str) -> Settlement:
        """Get a settlement."""
        return self._send("GET", f"/v1/settlements/{_segment('settlement_id', settlement_id)}")

    def list_settlement_lines(
        self,
        settlement_id: str,
        *,
        kind: Union[Literal["PAYMENT", "REFUND", "FEE", "CHARGEBACK", "ADJUSTMENT", "OTHER", "RESIDUE"], Sequence[Literal["PAYMENT", "REFUND", "FEE", "CHARGEBACK", "ADJUSTMENT", "OTHER", "RESIDUE"]], None] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> SettlementLineList:
        """List the lines of a settlement.

        In the gateway's order, a page at a time. They add up to the net amount. `kind`: Lines of this kind, or of
        several separated by commas. `limit`: How many at most; 20 when it is not given. `cursor`: The `nextCursor` of
        the page before.
        """
        return self._send("GET", f"/v1/settlements/{_segment('settlement_id', settlement_id)}/lines", query={"kind": kind, "limit": limit, "cursor": cursor})

    def iterate_settlement_lines(
        self,
        settlement_id: str,
        *,
        kind: Union[Literal["PAYMENT", "REFUND", "FEE", "CHARGEBACK", "ADJUSTMENT", "OTHER", "RESIDUE"], Sequence[Literal["PAYMENT", "REFUND", "FEE", "CHARGEBACK", "ADJUSTMENT", "OTHER", "RESIDUE"]], None] = None,
        limit: Optional[int] = None,
    ) -> Iterator[SettlementLine]:
        """List the lines of a settlement, from all pages.

        A page is read when the one before is used up; `limit` is the size of a page.
        """
        return _iterate(lambda **query: self.list_settlement_lines(settlement_id, **query), "lines", {"kind": kind, "limit": limit})

    def get_rules(self) -> Rules:
        """Get the routing rules.

        The active rules as a file. Needs a key with the scope `rules:read`, which no key has unless it was granted.
        """
        return self._send("GET", "/v1/rules")

    def check_rules(self, body: CheckRulesRequest) -> RulesCheck:
        """Check routing rules.

        Checks a rule-set file against the merchant's accounts, as the dashboard does before rules are published.
        Needs `rules:read`.
        """
        return self._send("POST", "/v1/rules/check", body=body)

    def create_rule_draft(self, body: RuleDraftRequest) -> RuleDraft:
        """Save routing rules as a draft.

        Saves a rule-set file as a draft, which staff read, try and publish in the dashboard; nothing is published by
        a key. Needs `rules:write`, which no key has unless it was granted.
        """
        return self._send("POST", "/v1/rules/drafts", body=body, may_repeat=False)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        may_repeat: bool = True,
    ) -> Any:
        headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self._api_key}",
            "User-Agent": f"switchyard-python/{__version__}",
        }
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        url = self._base_url + path + _write_query(query or {})
        retries = 0
        while True:
            try:
                request = urllib.request.Request(url, data=content, headers=headers, method=method)
                return self._send_once(request)
            except SwitchyardError as error:
                wait = _wait_before_retry(error, retries)
                if wait is None or not may_repeat or retries >= self._retries_max:
                    raise
                retries += 1
                time.sleep(wait)

    def _send_once(self, request: urllib.request.Request) -> Any:
        try:
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    status, headers, text = response.status, response.headers, response.read()
            except urllib.error.HTTPError as refused:
                with refused:
                    status, headers, text = refused.code, refused.headers, refused.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"No answer from {self._base_url}: {error}") from error
        answer = _read_answer(text)
        if status == 200 and answer.get("status") is True:
            return answer["data"]
        is_own = answer.get("success") is False
        raise ApiError(
            status,
            answer["message"] if is_own else f"Answered {status}, and not by Switchyard",
            answer.get("data") if is_own else None,
            headers.get("X-Request-Id"),
            _read_retry_after(headers.get("Retry-After")),
        )


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> WebhookEvent:
    """The event of a webhook. Raises SignatureError.

    `body` is the body as it was received, before any JSON parser: the signature is over its bytes. Names of `headers` may be in any case.
    An event may arrive more than once, under the same id.
    """
    given = {name.lower(): value for name, value in headers.items()}
    event_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > _SIGNATURE_AGE_MAX_SECONDS:
        raise SignatureError("The webhook is too old, or has no timestamp")
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error as error:
        raise SignatureError("The secret is whsec_ and base64, as the dashboard shows it") from error
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two signatures while a secret is being replaced.
    if not any(hmac.compare_digest(expected, each.encode()) for each in given.get("webhook-signature", "").split(" ")):
        raise SignatureError("The webhook has a wrong signature")
    event: WebhookEvent = json.loads(body)
    return event


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the body and the key to an address that was never entered."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _iterate(read_page: Callable[..., Any], items: str, query: Dict[str, Any]) -> Iterator[Any]:
    """The items of all pages, in order; a page is read when the one before is used up."""
    cursor: Optional[str] = None
    while True:
        page = read_page(**query, cursor=cursor)
        yield from page[items]
        cursor = page["nextCursor"]
        if cursor is None:
            return


def _segment(name: str, value: str) -> str:
    # An empty id would be the address of the list.
    if value == "":
        raise SwitchyardError(f"{name} must not be empty")
    return urllib.parse.quote(value, safe="")


def _write_query(query: Mapping[str, Any]) -> str:
    pairs = [(name, _write_value(value)) for name, value in query.items() if value is not None]
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _write_value(value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise SwitchyardError("A datetime needs its time zone")
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(str(each) for each in value)
    return str(value)


def _read_answer(text: bytes) -> Mapping[str, Any]:
    """Empty for text of something that stands in between, such as a proxy's page."""
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def _read_retry_after(header: Optional[str]) -> Optional[float]:
    """Seconds from now: the header holds them, or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def _wait_before_retry(error: SwitchyardError, retries: int) -> Optional[float]:
    """Seconds until the next try; None when another try would end the same way."""
    # Between half and all of it, so that clients that failed together do not come back together.
    wait = min(_BACK_OFF_SECONDS * 2**retries, _BACK_OFF_MAX_SECONDS) * random.uniform(0.5, 1.0)
    if not isinstance(error, ApiError):
        return wait
    after = error.retry_after_seconds
    # A conflict that asks to come back is a first request, under the same key, that is still in flight.
    is_passing = error.status_code in _PASSING_STATUSES or (error.status_code == 409 and after is not None)
    if not is_passing or (after or 0.0) > _RETRY_AFTER_MAX_SECONDS:
        return None
    return max(wait, after or 0.0)
