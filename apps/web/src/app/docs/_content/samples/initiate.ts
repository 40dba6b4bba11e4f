import { SAMPLE_URL, type Sample } from './languages.ts';

/** Starts a payment and says where to send the customer. */
export const initiateSample: Sample = {
  title: 'Start a payment',
  code: {
    curl: `curl ${SAMPLE_URL}/v1/payments/initiate \\
  -H "Authorization: Bearer $SWITCHYARD_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ORD-1001" \\
  -d '{
    "merchantOrderId": "ORD-1001",
    "amount": 2500,
    "currency": "NGN",
    "customer": { "email": "ada@example.com" },
    "redirectUrl": "https://shop.example/thanks"
  }'
`,
    typescript: `// initiate.mjs, or initiate.ts with @types/node: needs no package; Node 20 or later
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const address = '${SAMPLE_URL}/v1/payments';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const order = JSON.stringify({
  merchantOrderId: 'ORD-1001',
  amount: 2500, // whole naira
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  redirectUrl: 'https://shop.example/thanks',
});

async function call(path = '', body = '') {
  const response = await fetch(\`\${address}/\${path}\`, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: \`Bearer \${process.env.SWITCHYARD_API_KEY}\`,
      ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': 'ORD-1001' }),
    },
    body: body || null,
    signal: AbortSignal.timeout(30_000),
  });
  return { wait: response.headers.get('Retry-After'), ...JSON.parse(await response.text()) };
}

let answer = await call('initiate', order);
// 409: the order has a payment already, from a call that was not answered. INITIATED: that call is still opening its checkout.
for (let tries = 1; tries < 15 && (answer.statusCode === 409 || answer.data?.status === 'INITIATED'); tries++) {
  const { wait, data } = answer;
  if (wait || data?.status === 'INITIATED') await pause(Number(wait ?? 2) * 1000);
  // An id is a UUID, or it does not become part of an address.
  answer = UUID.test(data?.paymentId) ? await call(data.paymentId) : await call('initiate', order);
}
const { statusCode, message, data } = answer;
if (statusCode !== 200) throw new Error([message, ...(data?.errors ?? [])].join('; '));

// Keep data.paymentId with your order, then redirect the customer.
if (data.status === 'PENDING') console.log(data.paymentId, data.recommendedGateway.session.redirectUrl);
else if (data.status === 'INITIATED') console.log('The checkout is still being opened. Ask again in a moment.');
else if (data.status === 'FAILED') console.log(\`\${message}. Offer another try, under a new order id.\`);
else console.log('The order is paid already:', data.paymentId, data.status);
`,
    php: `<?php
// initiate.php: needs the curl extension
const UUID = '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di';

/** @return array{int, ?int, array} Status, seconds of Retry-After, and the answer. */
function call(string $path, ?array $body = null): array
{
    $wait = null;
    $request = curl_init('${SAMPLE_URL}/v1/payments/' . $path);
    $headers = ['Authorization: Bearer ' . getenv('SWITCHYARD_API_KEY')];
    if ($body !== null) {
        array_push($headers, 'Content-Type: application/json', 'Idempotency-Key: ' . $body['merchantOrderId']);
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_HEADERFUNCTION => function ($request, string $line) use (&$wait): int {
            if (stripos($line, 'retry-after:') === 0) {
                $wait = (int) trim(substr($line, strlen('retry-after:')));
            }
            return strlen($line);
        },
    ]);
    $answer = json_decode((string) curl_exec($request), true);
    return [curl_getinfo($request, CURLINFO_HTTP_CODE), $wait, $answer ?? []];
}

$order = [
    'merchantOrderId' => 'ORD-1001',
    'amount' => 2500, // whole naira
    'currency' => 'NGN',
    'customer' => ['email' => 'ada@example.com'],
    'redirectUrl' => 'https://shop.example/thanks',
];
[$code, $wait, $answer] = call('initiate', $order);
// 409: the order has a payment already, from a call that was not answered. INITIATED: that call is still opening its checkout.
for ($tries = 1; $tries < 15; $tries++) {
    $paymentId = $answer['data']['paymentId'] ?? '';
    $isOpening = ($answer['data']['status'] ?? null) === 'INITIATED';
    if ($code !== 409 && !$isOpening) {
        break;
    }
    sleep($wait ?? ($isOpening ? 2 : 0));
    // An id is a UUID, or it does not become part of an address.
    [$code, $wait, $answer] = preg_match(UUID, $paymentId) === 1 ? call($paymentId) : call('initiate', $order);
}
if ($code !== 200) {
    throw new RuntimeException(implode('; ', [$answer['message'] ?? 'no answer', ...($answer['data']['errors'] ?? [])]));
}

// Keep paymentId with your order, then redirect the customer.
$payment = $answer['data'];
match ($payment['status']) {
    'PENDING' => header('Location: ' . $payment['recommendedGateway']['session']['redirectUrl']),
    'INITIATED' => print 'The checkout is still being opened. Ask again in a moment.',
    'FAILED' => print $answer['message'] . '. Offer another try, under a new order id.',
    default => print 'The order is paid already: ' . $payment['status'],
};
`,
    python: `# initiate.py: pip install requests
import os
import re
import time
import requests

ADDRESS = "${SAMPLE_URL}/v1/payments"
HEADERS = {"Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}"}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
ORDER = {
    "merchantOrderId": "ORD-1001",
    "amount": 2500,  # whole naira
    "currency": "NGN",
    "customer": {"email": "ada@example.com"},
    "redirectUrl": "https://shop.example/thanks",
}


def initiate():
    return requests.post(f"{ADDRESS}/initiate", headers={**HEADERS, "Idempotency-Key": "ORD-1001"}, json=ORDER, timeout=30)


def retrieve(payment_id):
    return requests.get(f"{ADDRESS}/{payment_id}", headers=HEADERS, timeout=30)


response = initiate()
for tries in range(15):
    answer = response.json()
    data = answer["data"] or {}
    # 409: the order has a payment already, from a call that was not answered. INITIATED: that call is still opening its checkout.
    is_opening = data.get("status") == "INITIATED"
    if (response.status_code != 409 and not is_opening) or tries == 14:
        break
    time.sleep(int(response.headers.get("Retry-After", 2 if is_opening else 0)))
    # An id is a UUID, or it does not become part of an address.
    payment_id = data.get("paymentId", "")
    response = retrieve(payment_id) if UUID.fullmatch(payment_id) else initiate()
if not response.ok:
    raise RuntimeError("; ".join([answer["message"], *data.get("errors", [])]))

# Keep paymentId with your order, then redirect the customer.
if data["status"] == "PENDING":
    print(data["paymentId"], data["recommendedGateway"]["session"]["redirectUrl"])
elif data["status"] == "INITIATED":
    print("The checkout is still being opened. Ask again in a moment.")
elif data["status"] == "FAILED":
    print(f"{answer['message']}. Offer another try, under a new order id.")
else:
    print("The order is paid already:", data["paymentId"], data["status"])
`,
    go: `// main.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"
)

type answer struct {
	Message string \`json:"message"\`
	Data    *struct {
		PaymentID          string   \`json:"paymentId"\`
		Status             string   \`json:"status"\`
		Errors             []string \`json:"errors"\`
		RecommendedGateway struct {
			Session *struct {
				RedirectURL string \`json:"redirectUrl"\`
			} \`json:"session"\`
		} \`json:"recommendedGateway"\`
	} \`json:"data"\`
	status int
	// The wait of Retry-After; negative where there is none.
	wait time.Duration
}

const address = "${SAMPLE_URL}/v1/payments/"

var uuid = regexp.MustCompile("(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")

func call(path string, body []byte) answer {
	method := "GET"
	if body != nil {
		method = "POST"
	}
	request, err := http.NewRequest(method, address+path, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", "ORD-1001")
	}
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	result := answer{status: response.StatusCode, wait: -1}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		result.wait = time.Duration(seconds) * time.Second
	}
	return result
}

func main() {
	order, err := json.Marshal(map[string]any{
		"merchantOrderId": "ORD-1001",
		"amount":          2500, // whole naira
		"currency":        "NGN",
		"customer":        map[string]string{"email": "ada@example.com"},
		"redirectUrl":     "https://shop.example/thanks",
	})
	if err != nil {
		log.Fatal(err)
	}
	result := call("initiate", order)
	for tries := 1; tries < 15; tries++ {
		// 409: the order has a payment already, from a call that was not answered. INITIATED: that call is still opening its checkout.
		isOpening := result.Data != nil && result.Data.Status == "INITIATED"
		if result.status != http.StatusConflict && !isOpening {
			break
		}
		if result.wait >= 0 {
			time.Sleep(result.wait)
		} else if isOpening {
			time.Sleep(2 * time.Second)
		}
		// An id is a UUID, or it does not become part of an address.
		if result.Data != nil && uuid.MatchString(result.Data.PaymentID) {
			result = call(result.Data.PaymentID, nil)
		} else {
			result = call("initiate", order)
		}
	}
	if result.status != http.StatusOK {
		log.Fatalf("%s: %+v", result.Message, result.Data)
	}

	// Keep PaymentID with your order, then redirect the customer.
	payment := result.Data
	switch payment.Status {
	case "PENDING":
		fmt.Println(payment.PaymentID, payment.RecommendedGateway.Session.RedirectURL)
	case "INITIATED":
		fmt.Println("The checkout is still being opened. Ask again in a moment.")
	case "FAILED":
		fmt.Println(result.Message + ". Offer another try, under a new order id.")
	default:
		fmt.Println("The order is paid already:", payment.PaymentID, payment.Status)
	}
}
`,
  },
};
