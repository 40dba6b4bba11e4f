import type { Sample } from './languages.ts';

/** A server that receives webhooks: checks the signature, then handles each event once. */
export const receiveWebhookSample: Sample = {
  title: 'Receive webhooks',
  code: {
    typescript: `// webhooks.mjs, or webhooks.ts with @types/node: npm install standardwebhooks
import { createServer } from 'node:http';
import process from 'node:process';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? ''); // whsec_…
const handled = new Set(); // in production: a unique column in your database

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString(); // the bytes as they came, not parsed and written again
  try {
    webhook.verify(body, {
      'webhook-id': String(request.headers['webhook-id']),
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    });
  } catch {
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body);
  if (!handled.has(event.id)) {
    handled.add(event.id);
    if (event.type === 'payment.succeeded') console.log('paid', event.data.merchantOrderId);
  }
  response.writeHead(204).end(); // within 15 seconds: leave long work to a queue
}).listen(Number(process.env.PORT ?? 8080));
`,
    php: `<?php
// webhook.php: needs no package
function verify_webhook(string $secret, array $headers, string $body): array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        throw new UnexpectedValueException('too old, or no timestamp');
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // Two signatures while a secret is being replaced.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        [$version, $given] = explode(',', $signature, 2) + [1 => ''];
        if ($version === 'v1' && hash_equals($expected, $given)) {
            return json_decode($body, true);
        }
    }
    throw new UnexpectedValueException('wrong signature');
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

// A unique column makes an event that comes again change nothing.
$database = new PDO(getenv('DATABASE_DSN'));
$insert = $database->prepare('INSERT INTO handled_event (id) VALUES (?) ON CONFLICT DO NOTHING');
$insert->execute([$event['id']]);
if ($insert->rowCount() === 1 && $event['type'] === 'payment.succeeded') {
    error_log('paid ' . $event['data']['merchantOrderId']);
}
http_response_code(204);
`,
    python: `# webhooks.py: needs no package
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # whsec_…
handled = set()  # in production: a unique column in your database


def verify_webhook(secret, headers, body):
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old, or no timestamp")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Two signatures while a secret is being replaced.
    for signature in headers.get("webhook-signature", "").split(" "):
        version, _, given = signature.partition(",")
        if version == "v1" and hmac.compare_digest(expected, given):
            return json.loads(body)
    raise ValueError("wrong signature")


class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # the bytes as they came
        try:
            event = verify_webhook(SECRET, self.headers, body)
        except ValueError:
            self.send_response(400)
            self.end_headers()
            return
        if event["id"] not in handled:
            handled.add(event["id"])
            if event["type"] == "payment.succeeded":
                print("paid", event["data"]["merchantOrderId"], flush=True)
        self.send_response(204)  # within 15 seconds: leave long work to a queue
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

func verifyWebhook(secret string, header http.Header, body []byte) (event, error) {
	var received event
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return received, errors.New("too old, or no timestamp")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return received, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Two signatures while a secret is being replaced.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		version, given, _ := strings.Cut(signature, ",")
		if version == "v1" && hmac.Equal([]byte(expected), []byte(given)) {
			err = json.Unmarshal(body, &received)
			return received, err
		}
	}
	return received, errors.New("wrong signature")
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET") // whsec_…
	var handled sync.Map                  // in production: a unique column in your database
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<16)) // the bytes as they came
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		received, err := verifyWebhook(secret, request.Header, body)
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		if _, known := handled.LoadOrStore(received.ID, true); !known && received.Type == "payment.succeeded" {
			log.Println("paid", received.Data.MerchantOrderID)
		}
		response.WriteHeader(http.StatusNoContent) // within 15 seconds: leave long work to a queue
	})
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
`,
  },
};
