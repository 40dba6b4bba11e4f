import type { Sample } from './languages.ts';

/** A server that receives webhooks: checks the signature, then does the work of each event once. */
export const receiveWebhookSample: Sample = {
  title: 'Receive webhooks',
  code: {
    typescript: `// webhooks.mjs, or webhooks.ts with @types/node: npm install standardwebhooks
import { createServer } from 'node:http';
import process from 'node:process';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const secret = process.env.WEBHOOK_SECRET ?? ''; // whsec_…
// With an empty key anyone could sign.
if (Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length < 24) throw new Error('WEBHOOK_SECRET is not set, or too short');
const webhook = new Webhook(secret);
const handled = new Set(); // in production: a unique column in your database

/** Your own work: mark the order as paid. */
async function completeOrder(orderId = '') {
  if (orderId === '') throw new Error('there is no such order');
  console.log('paid', orderId);
}

createServer(async (request, response) => {
  let status = 204; // within 15 seconds: leave long work to a queue
  try {
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size > 1_000_000) throw new Error('the body is too large');
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks).toString(); // the bytes as they came, not parsed and written again
    webhook.verify(body, {
      'webhook-id': String(request.headers['webhook-id']),
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    });
    const event = JSON.parse(body);
    // In production both in one transaction: when the work fails, the id is not stored, and the retry does the work.
    if (!handled.has(event.id)) {
      if (event.type === 'payment.succeeded') await completeOrder(event.data.merchantOrderId);
      handled.add(event.id);
    }
  } catch (error) {
    // Also a client that has gone in mid-body: one request fails, not the server.
    console.error(error);
    status = error instanceof WebhookVerificationError ? 400 : 500;
  }
  response.writeHead(status).end();
}).listen(Number(process.env.PORT ?? 8080));
`,
    php: `<?php
// webhook.php: needs no package
const SECRET_MIN_BYTES = 24;

/** Names of headers may be in any case, and values lists, as frameworks have them. */
function verify_webhook(string|false|null $secret, array $headers, string $body): array
{
    $given = [];
    foreach ($headers as $name => $value) {
        $given[strtolower((string) $name)] = implode(' ', (array) $value);
    }
    // With an empty key anyone could sign.
    $key = base64_decode(preg_replace('/^whsec_/', '', (string) $secret), true);
    if ($key === false || strlen($key) < SECRET_MIN_BYTES) {
        throw new UnexpectedValueException('the secret is not set, or too short');
    }
    $id = $given['webhook-id'] ?? '';
    $timestamp = $given['webhook-timestamp'] ?? '';
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > 300) {
        throw new UnexpectedValueException('too old, or no timestamp');
    }
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Two signatures while a secret is being replaced.
    foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
        [$version, $code] = explode(',', $signature, 2) + [1 => ''];
        if ($version === 'v1' && hash_equals($expected, $code)) {
            return json_decode($body, true);
        }
    }
    throw new UnexpectedValueException('wrong signature');
}

/** Your own work: mark the order as paid, in the same database. */
function complete_order(PDO $database, string $orderId): void
{
    if ($orderId === '') {
        throw new RuntimeException('there is no such order');
    }
    error_log('paid ' . $orderId);
}

$body = file_get_contents('php://input'); // the bytes as they came
try {
    $event = verify_webhook(getenv('WEBHOOK_SECRET'), [
        'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
        'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
        'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    ], $body);
} catch (UnexpectedValueException) {
    http_response_code(400);
    exit;
}

try {
    $database = new PDO(getenv('DATABASE_DSN'));
    // The id and the work in one transaction: an event that comes again changes nothing, and one whose work failed is done by the retry.
    $database->beginTransaction();
    $insert = $database->prepare('INSERT INTO handled_event (id) VALUES (?) ON CONFLICT DO NOTHING');
    $insert->execute([$event['id']]);
    if ($insert->rowCount() === 1 && $event['type'] === 'payment.succeeded') {
        complete_order($database, $event['data']['merchantOrderId'] ?? '');
    }
    $database->commit();
    http_response_code(204); // within 15 seconds: leave long work to a queue
} catch (Throwable $error) {
    // An open transaction is rolled back when the connection closes.
    error_log((string) $error);
    http_response_code(500);
}
`,
    python: `# webhooks.py: needs no package
import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET")  # whsec_…
SECRET_MIN_BYTES = 24
BODY_MAX_BYTES = 1_000_000
handled = set()  # in production: a unique column in your database
lock = threading.Lock()


class SignatureError(ValueError):
    pass


def verify_webhook(secret, headers, body):
    """Names of headers may be in any case, and values lists, as frameworks have them."""
    given = {name.lower(): value if isinstance(value, str) else " ".join(value) for name, value in headers.items()}
    # With an empty key anyone could sign.
    try:
        key = base64.b64decode((secret or "").removeprefix("whsec_"), validate=True)
    except ValueError as error:
        raise SignatureError("the secret is whsec_ and base64") from error
    if len(key) < SECRET_MIN_BYTES:
        raise SignatureError("the secret is not set, or too short")
    event_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        raise SignatureError("too old, or no timestamp")
    signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two signatures while a secret is being replaced.
    for signature in given.get("webhook-signature", "").split(" "):
        version, _, code = signature.partition(",")
        if version == "v1" and hmac.compare_digest(expected, code.encode(errors="replace")):
            return json.loads(body)
    raise SignatureError("wrong signature")


def complete_order(order_id):
    """Your own work: mark the order as paid."""
    if not order_id:
        raise LookupError("there is no such order")
    print("paid", order_id, flush=True)


def handle(event):
    # In production both in one transaction: when the work fails, the id is not stored, and the retry does the work.
    with lock:
        if event["id"] in handled:
            return
        if event["type"] == "payment.succeeded":
            complete_order(event["data"].get("merchantOrderId"))
        handled.add(event["id"])


class Webhooks(BaseHTTPRequestHandler):
    timeout = 15  # seconds that a client may be silent

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,7}", length) or int(length) > BODY_MAX_BYTES:
            return self.answer(400)
        body = self.rfile.read(int(length))  # the bytes as they came
        try:
            event = verify_webhook(SECRET, self.headers, body)
        except SignatureError:
            return self.answer(400)
        try:
            handle(event)
        except Exception as error:
            self.log_error("%s", error)
            return self.answer(500)
        self.answer(204)  # within 15 seconds: leave long work to a queue

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Webhooks).serve_forever()
`,
    go: `// webhooks.go: needs no package
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type event struct {
	ID   string \`json:"id"\`
	Type string \`json:"type"\`
	Data struct {
		PaymentID       string \`json:"paymentId"\`
		MerchantOrderID string \`json:"merchantOrderId"\`
		Status          string \`json:"status"\`
		Amount          int64  \`json:"amount"\`
	} \`json:"data"\`
}

const secretMinBytes = 24

// Names of headers may be in any case.
func headerOf(header http.Header, name string) string {
	var values []string
	for each, given := range header {
		if strings.EqualFold(each, name) {
			values = append(values, given...)
		}
	}
	return strings.Join(values, " ")
}

func verifyWebhook(secret string, header http.Header, body []byte) (event, error) {
	var received event
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// With an empty key anyone could sign.
	if err != nil || len(key) < secretMinBytes {
		return received, errors.New("the secret is not set, or too short")
	}
	id, timestamp := headerOf(header, "webhook-id"), headerOf(header, "webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || time.Since(time.Unix(int64(seconds), 0)).Abs() > 5*time.Minute {
		return received, errors.New("too old, or no timestamp")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Two signatures while a secret is being replaced.
	for _, signature := range strings.Fields(headerOf(header, "webhook-signature")) {
		version, code, _ := strings.Cut(signature, ",")
		if version == "v1" && hmac.Equal([]byte(expected), []byte(code)) {
			err = json.Unmarshal(body, &received)
			return received, err
		}
	}
	return received, errors.New("wrong signature")
}

// Your own work: mark the order as paid.
func completeOrder(orderID string) error {
	if orderID == "" {
		return errors.New("there is no such order")
	}
	log.Println("paid", orderID)
	return nil
}

var (
	lock    sync.Mutex
	handled = map[string]bool{} // in production: a unique column in your database
)

// In production the work and the id in one transaction: when the work fails, the id is not stored, and the retry does the work.
func handle(received event) error {
	lock.Lock()
	defer lock.Unlock()
	if handled[received.ID] {
		return nil
	}
	if received.Type == "payment.succeeded" {
		if err := completeOrder(received.Data.MerchantOrderID); err != nil {
			return err
		}
	}
	handled[received.ID] = true
	return nil
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET") // whsec_…
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1_000_000)) // the bytes as they came
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		received, err := verifyWebhook(secret, request.Header, body)
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		if err := handle(received); err != nil {
			log.Println(err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		response.WriteHeader(http.StatusNoContent) // within 15 seconds: leave long work to a queue
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
`,
  },
};
