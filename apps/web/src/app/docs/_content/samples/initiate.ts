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

const address = '${SAMPLE_URL}/v1/payments';
const Authorization = \`Bearer \${process.env.SWITCHYARD_API_KEY}\`;

let response = await fetch(\`\${address}/initiate\`, {
  method: 'POST',
  headers: { Authorization, 'Content-Type': 'application/json', 'Idempotency-Key': 'ORD-1001' },
  body: JSON.stringify({
    merchantOrderId: 'ORD-1001',
    amount: 2500, // whole naira
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    redirectUrl: 'https://shop.example/thanks',
  }),
});

let { message, data } = JSON.parse(await response.text());
if (response.status === 409 && data?.paymentId) {
  // The order has a payment already, from a call that was not answered: go on with that one.
  response = await fetch(\`\${address}/\${data.paymentId}\`, { headers: { Authorization } });
  ({ message, data } = JSON.parse(await response.text()));
}
if (!response.ok) throw new Error([message, ...(data?.errors ?? [])].join('; '));

// Keep data.paymentId with your order, then redirect the customer.
const { session } = data.recommendedGateway;
if (session) console.log(data.paymentId, session.redirectUrl);
else console.log('No gateway could open a checkout:', message);
`,
    php: `<?php
// initiate.php: needs the curl extension
function call(string $path, ?array $body = null): array
{
    $request = curl_init('${SAMPLE_URL}/v1/payments/' . $path);
    $headers = ['Authorization: Bearer ' . getenv('SWITCHYARD_API_KEY')];
    if ($body !== null) {
        array_push($headers, 'Content-Type: application/json', 'Idempotency-Key: ' . $body['merchantOrderId']);
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30, CURLOPT_HTTPHEADER => $headers]);
    $answer = json_decode((string) curl_exec($request), true);
    return [curl_getinfo($request, CURLINFO_HTTP_CODE), $answer];
}

[$status, $answer] = call('initiate', [
    'merchantOrderId' => 'ORD-1001',
    'amount' => 2500, // whole naira
    'currency' => 'NGN',
    'customer' => ['email' => 'ada@example.com'],
    'redirectUrl' => 'https://shop.example/thanks',
]);
if ($status === 409 && isset($answer['data']['paymentId'])) {
    // The order has a payment already, from a call that was not answered: go on with that one.
    [$status, $answer] = call($answer['data']['paymentId']);
}
if ($status !== 200) {
    throw new RuntimeException(implode('; ', [$answer['message'] ?? 'no answer', ...($answer['data']['errors'] ?? [])]));
}

// Keep paymentId with your order, then redirect the customer.
$session = $answer['data']['recommendedGateway']['session'];
if ($session === null) {
    exit('No gateway could open a checkout: ' . $answer['message']);
}
header('Location: ' . $session['redirectUrl']);
`,
    python: `# initiate.py: pip install requests
import os
import requests

ADDRESS = "${SAMPLE_URL}/v1/payments"
HEADERS = {"Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}"}

response = requests.post(
    f"{ADDRESS}/initiate",
    headers={**HEADERS, "Idempotency-Key": "ORD-1001"},
    json={
        "merchantOrderId": "ORD-1001",
        "amount": 2500,  # whole naira
        "currency": "NGN",
        "customer": {"email": "ada@example.com"},
        "redirectUrl": "https://shop.example/thanks",
    },
    timeout=30,
)
answer = response.json()
if response.status_code == 409 and "paymentId" in (answer["data"] or {}):
    # The order has a payment already, from a call that was not answered: go on with that one.
    response = requests.get(f"{ADDRESS}/{answer['data']['paymentId']}", headers=HEADERS, timeout=30)
    answer = response.json()
if not response.ok:
    errors = (answer["data"] or {}).get("errors", [])
    raise RuntimeError("; ".join([answer["message"], *errors]))

# Keep paymentId with your order, then redirect the customer.
session = answer["data"]["recommendedGateway"]["session"]
if session is None:
    print("No gateway could open a checkout:", answer["message"])
else:
    print(answer["data"]["paymentId"], session["redirectUrl"])
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
	"time"
)

type answer struct {
	Message string \`json:"message"\`
	Data    *struct {
		PaymentID          string   \`json:"paymentId"\`
		Errors             []string \`json:"errors"\`
		RecommendedGateway struct {
			Session *struct {
				RedirectURL string \`json:"redirectUrl"\`
			} \`json:"session"\`
		} \`json:"recommendedGateway"\`
	} \`json:"data"\`
}

const address = "${SAMPLE_URL}/v1/payments/"

func call(method, path string, body []byte, key string) (int, answer) {
	request, err := http.NewRequest(method, address+path, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var result answer
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	return response.StatusCode, result
}

func main() {
	body, err := json.Marshal(map[string]any{
		"merchantOrderId": "ORD-1001",
		"amount":          2500, // whole naira
		"currency":        "NGN",
		"customer":        map[string]string{"email": "ada@example.com"},
		"redirectUrl":     "https://shop.example/thanks",
	})
	if err != nil {
		log.Fatal(err)
	}
	status, result := call("POST", "initiate", body, "ORD-1001")
	if status == http.StatusConflict && result.Data != nil && result.Data.PaymentID != "" {
		// The order has a payment already, from a call that was not answered: go on with that one.
		status, result = call("GET", result.Data.PaymentID, nil, "")
	}
	if status != http.StatusOK {
		log.Fatalf("%s: %+v", result.Message, result.Data)
	}

	// Keep PaymentID with your order, then redirect the customer.
	session := result.Data.RecommendedGateway.Session
	if session == nil {
		log.Fatal("No gateway could open a checkout: ", result.Message)
	}
	fmt.Println(result.Data.PaymentID, session.RedirectURL)
}
`,
  },
};
