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
import hashlib
import hmac
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union, cast

__version__ = "0.0.0"

Moment = Union[datetime, str]
"""A moment: a datetime with its time zone, or ISO 8601 text with its offset."""

_BACK_OFF_SECONDS = 0.25
_BACK_OFF_MAX_SECONDS = 8.0
# An answer that asks for a longer wait is raised instead.
_RETRY_AFTER_MAX_SECONDS = 60.0
_PASSING_STATUSES = (429, 500, 502, 503, 504)
_SIGNATURE_AGE_MAX_SECONDS = 300
_SECRET_MIN_BYTES = 24
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class SwitchyardError(Exception):
    """Anything that this client raises."""


class ErrorDetail(TypedDict):
    """A rule that a request breaks, for a program."""

    field: str
    code: str


class ApiError(SwitchyardError):
    """Switchyard refused. Tell the kinds apart by `code`."""

    def __init__(
        self,
        status_code: int,
        message: str,
        data: Optional[Mapping[str, Any]],
        request_id: Optional[str],
        retry_after_seconds: Optional[float],
        code: Optional[str] = None,
    ) -> None:
        super().__init__(f"{message} ({status_code})")
        data = data or {}
        self.status_code = status_code
        self.message = message
        self.code = code
        """The code of the error, for a program: `duplicate_order`, …; None where the answer is not Switchyard's own. New ones may be added."""
        self.errors: List[str] = list(data.get("errors", []))
        """Every rule that the request breaks, the field first: `amount must be at least 1`."""
        self.details: List[ErrorDetail] = list(data.get("details", []))
        """A field and a code for each of `errors`, in their order."""
        self.request_id = request_id
        """Id by which support finds the request; None where the answer is not Switchyard's own."""
        self.payment_id: Optional[str] = data.get("paymentId")
        """The payment that has the order id already."""
        self.payment_status: Optional[str] = data.get("status")
        """INITIATED while the first request with the order id is still opening a checkout: ask again after `retry_after_seconds`."""
        self.refundable_amount: Optional[int] = data.get("refundableAmount")
        """Amount left to refund, in whole main units."""
        self.retry_after_seconds = retry_after_seconds


class IdError(SwitchyardError):
    """An id is no UUID, such as one that a customer changed in the address. Nothing was sent; answer it as a payment that does not exist."""


class NoAnswerError(SwitchyardError):
    """No answer came, and the request may have been carried out: verify, or call again with the same idempotency key."""


class SignatureError(SwitchyardError):
    """A webhook is not from Switchyard, was changed, or is older than five minutes; or the secret is not set, or too short. Answer it 400."""


# types


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

    # operations

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
            answer.get("code") if is_own else None,
        )


def verify_webhook(secret: Optional[str], headers: Mapping[str, Union[str, Sequence[str]]], body: bytes) -> WebhookEvent:
    """The event of a webhook. Raises SignatureError.

    `body` is the body as it was received, before any JSON parser: the signature is over its bytes. Names of `headers` may be in any case,
    and values lists. A `secret` that is not set is refused. An event may arrive more than once, under the same id.
    """
    given = {name.lower(): value if isinstance(value, str) else " ".join(value) for name, value in headers.items()}
    try:
        key = base64.b64decode(re.sub("^whsec_", "", secret or ""), validate=True)
    except ValueError as error:
        raise SignatureError("The secret is whsec_ and base64, as the dashboard shows it") from error
    # With an empty key anyone could sign.
    if len(key) < _SECRET_MIN_BYTES:
        raise SignatureError("The secret is not set, or too short")
    event_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > _SIGNATURE_AGE_MAX_SECONDS:
        raise SignatureError("The webhook is too old, or has no timestamp")
    signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two signatures while a secret is being replaced.
    if not any(hmac.compare_digest(expected, each.encode(errors="replace")) for each in given.get("webhook-signature", "").split(" ")):
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
    """An id often comes from a browser. Encoding is not enough: an empty one, or `..`, is the address of something else."""
    text = str(value)
    if not _UUID.fullmatch(text):
        raise IdError(f"{name} must be a UUID")
    return text


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
    wait = min(_BACK_OFF_SECONDS * 2.0**retries, _BACK_OFF_MAX_SECONDS) * random.uniform(0.5, 1.0)
    if not isinstance(error, ApiError):
        return wait
    after = error.retry_after_seconds
    # A conflict that asks to come back is a first request, under the same key, that is still in flight.
    is_passing = error.status_code in _PASSING_STATUSES or (error.status_code == 409 and after is not None)
    if not is_passing or (after or 0.0) > _RETRY_AFTER_MAX_SECONDS:
        return None
    return max(wait, after or 0.0)
