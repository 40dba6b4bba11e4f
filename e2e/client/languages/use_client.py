"""Takes one step with the client for Python and prints what came of it as JSON: `use_client.py STEP [argument …]`."""
import json
import os
import sys
from datetime import datetime, timedelta, timezone

from switchyard import ApiError, IdError, NoAnswerError, SignatureError, Switchyard, verify_webhook


def start(order_id, key=None):
    order = {"merchantOrderId": order_id, "amount": 2500, "currency": "NGN", "customer": {"email": "ada@example.com"}}
    payment = client.initiate_payment(order, idempotency_key=key)
    return {"paymentId": payment["paymentId"], "redirectUrl": payment["recommendedGateway"]["session"]["redirectUrl"]}


def verify(payment_id):
    return client.verify_payment(payment_id)["data"]["status"]


def refund(payment_id):
    client.refund_payment(payment_id, {"amount": 1000, "reason": "a size too small"})
    return [refund["amount"] for refund in client.iterate_refunds(payment_id)]


def refund_all(payment_id):
    return client.refund_payment(payment_id, {"full": True})["amount"]


def orders():
    since = datetime.now(timezone.utc) - timedelta(hours=1)
    found = client.iterate_payments(status=["SUCCESS", "PENDING"], created_from=since, limit=1)
    return sorted(payment["merchantOrderId"] for payment in found)


def test_event():
    return client.send_test_event({"type": "payment.succeeded"})["type"]


def hostile(ids, own):
    """Every place of a path that an id is put into. Answers how many calls went through."""
    sent = 0
    for given in json.loads(ids):
        for call in [
            lambda: client.get_payment(given),
            lambda: client.verify_payment(given),
            lambda: client.refund_payment(given, {"full": True}),
            lambda: client.get_refund(given, own),
            lambda: client.get_refund(own, given),
            lambda: client.list_refunds(given),
            lambda: list(client.iterate_refunds(given)),
            lambda: client.get_settlement(given),
            lambda: client.list_settlement_lines(given),
            lambda: client.get_dispute(given),
        ]:
            try:
                call()
                sent += 1
            except IdError:
                pass  # refused before a request
    return sent


def webhook(secret, headers, body):
    return verify_webhook(secret, json.loads(headers), body.encode())["type"]


client = Switchyard(os.environ["SWITCHYARD_URL"], os.environ["SWITCHYARD_API_KEY"], timeout=20)
step, *arguments = sys.argv[1:]
try:
    result = {"result": globals()[step](*arguments)}
except ApiError as error:
    result = {"statusCode": error.status_code, "errors": error.errors, "paymentId": error.payment_id}
    result.update({"code": error.code, "details": error.details, "paymentStatus": error.payment_status})
    result.update({"refundableAmount": error.refundable_amount, "hasRequestId": error.request_id is not None})
except (IdError, NoAnswerError, SignatureError) as error:
    result = {"error": type(error).__name__.removesuffix("Error")}
print(json.dumps(result))
