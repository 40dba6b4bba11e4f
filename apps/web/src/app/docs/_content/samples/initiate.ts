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

const response = await fetch('${SAMPLE_URL}/v1/payments/initiate', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.SWITCHYARD_API_KEY}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'ORD-1001',
  },
  body: JSON.stringify({
    merchantOrderId: 'ORD-1001',
    amount: 2500, // whole naira
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    redirectUrl: 'https://shop.example/thanks',
  }),
});

const { message, data } = JSON.parse(await response.text());
if (!response.ok) throw new Error([message, ...(data?.errors ?? [])].join('; '));

// Keep data.paymentId with your order, then redirect the customer.
const { session } = data.recommendedGateway;
if (session) console.log(data.paymentId, session.redirectUrl);
else console.log('No gateway could open a checkout:', message);
`,
    php: `<?php
// initiate.php: needs the curl extension
$request = curl_init('https://switchyard.example/v1/payments/initiate');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('SWITCHYARD_API_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: ORD-1001',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'merchantOrderId' => 'ORD-1001',
        'amount' => 2500, // whole naira
        'currency' => 'NGN',
        'customer' => ['email' => 'ada@example.com'],
        'redirectUrl' => 'https://shop.example/thanks',
    ]),
]);
$answer = json_decode(curl_exec($request), true);
if (curl_getinfo($request, CURLINFO_HTTP_CODE) !== 200) {
    $errors = $answer['data']['errors'] ?? [];
    throw new RuntimeException(implode('; ', [$answer['message'], ...$errors]));
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

response = requests.post(
    "${SAMPLE_URL}/v1/payments/initiate",
    headers={
        "Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}",
        "Idempotency-Key": "ORD-1001",
    },
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
	request, err := http.NewRequest("POST", "${SAMPLE_URL}/v1/payments/initiate", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "ORD-1001")

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
	if response.StatusCode != http.StatusOK {
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
