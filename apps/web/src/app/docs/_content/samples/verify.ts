import { SAMPLE_URL, type Sample } from './languages.ts';

/** Verifies a payment before the order is shipped. The first argument is the payment's id. */
export const verifySample: Sample = {
  title: 'Verify before you ship',
  code: {
    curl: `# The id came from a browser: it is a UUID, or it does not become part of an address.
printf %s "$PAYMENT_ID" | tr '\\n' '!' | grep -Eqx '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}' &&
curl -X POST "${SAMPLE_URL}/v1/payments/$PAYMENT_ID/verify" \\
  -H "Authorization: Bearer $SWITCHYARD_API_KEY"
`,
    typescript: `// verify.mjs, or verify.ts with @types/node: needs no package; Node 20 or later
import process from 'node:process';

const order = { id: 'ORD-1001', amount: 2500 }; // what you know of the order
const paymentId = process.argv[2] ?? ''; // from ?paymentId=… of the redirect

// The id came from a browser: it is a UUID, or it does not become part of an address.
if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(paymentId)) throw new Error('not the id of a payment');
const response = await fetch(\`${SAMPLE_URL}/v1/payments/\${paymentId}/verify\`, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.SWITCHYARD_API_KEY}\` },
  signal: AbortSignal.timeout(30_000),
});
const { message, data } = JSON.parse(await response.text());
if (!response.ok) throw new Error(message);

// And it may be that of another payment: compare with what you know of the order.
const payment = data.data;
const isPaid =
  payment.status === 'SUCCESS' &&
  payment.merchantOrderId === order.id &&
  payment.amount === order.amount &&
  payment.currency === 'NGN';
console.log(isPaid ? 'ship it' : 'not paid');
`,
    php: `<?php
// thanks.php: where redirectUrl leads
function is_paid(string $paymentId, array $order): bool
{
    // The id came from a browser: it is a UUID, or it does not become part of an address.
    if (preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di', $paymentId) !== 1) {
        return false;
    }
    $request = curl_init("${SAMPLE_URL}/v1/payments/$paymentId/verify");
    curl_setopt_array($request, [
        CURLOPT_POST => true,
        CURLOPT_POSTFIELDS => '',
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        // Without a body there is no content type.
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('SWITCHYARD_API_KEY'), 'Content-Type:'],
    ]);
    $answer = json_decode((string) curl_exec($request), true);
    if (curl_getinfo($request, CURLINFO_HTTP_CODE) !== 200) {
        throw new RuntimeException($answer['message'] ?? 'no answer');
    }
    $payment = $answer['data']['data'];
    // And it may be that of another payment: compare with what you know of the order.
    return $payment['status'] === 'SUCCESS'
        && $payment['merchantOrderId'] === $order['id']
        && $payment['amount'] === $order['amount']
        && $payment['currency'] === 'NGN';
}

$paymentId = $_GET['paymentId'] ?? '';
$isPaid = is_string($paymentId) && is_paid($paymentId, ['id' => 'ORD-1001', 'amount' => 2500]);
echo $isPaid ? 'ship it' : 'not paid';
`,
    python: `# verify.py: pip install requests
import os
import re
import sys
import requests

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def is_paid(payment_id, order):
    # The id came from a browser: it is a UUID, or it does not become part of an address.
    if not UUID.fullmatch(payment_id):
        return False
    response = requests.post(
        f"${SAMPLE_URL}/v1/payments/{payment_id}/verify",
        headers={"Authorization": f"Bearer {os.environ['SWITCHYARD_API_KEY']}"},
        timeout=30,
    )
    answer = response.json()
    if not response.ok:
        raise RuntimeError(answer["message"])
    payment = answer["data"]["data"]
    # And it may be that of another payment: compare with what you know of the order.
    return (
        payment["status"] == "SUCCESS"
        and payment["merchantOrderId"] == order["id"]
        and payment["amount"] == order["amount"]
        and payment["currency"] == "NGN"
    )


payment_id = sys.argv[1]  # from ?paymentId=… of the redirect
print("ship it" if is_paid(payment_id, {"id": "ORD-1001", "amount": 2500}) else "not paid")
`,
    go: `// verify.go
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"
	"time"
)

type verification struct {
	Message string \`json:"message"\`
	Data    *struct {
		Type string \`json:"type"\`
		Data struct {
			MerchantOrderID string \`json:"merchantOrderId"\`
			Status          string \`json:"status"\`
			Currency        string \`json:"currency"\`
			Amount          int64  \`json:"amount"\`
		} \`json:"data"\`
	} \`json:"data"\`
}

var uuid = regexp.MustCompile("(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")

func isPaid(paymentID, orderID string, amount int64) (bool, error) {
	// The id came from a browser: it is a UUID, or it does not become part of an address.
	if !uuid.MatchString(paymentID) {
		return false, errors.New("not the id of a payment")
	}
	request, err := http.NewRequest("POST", "${SAMPLE_URL}/v1/payments/"+paymentID+"/verify", nil)
	if err != nil {
		return false, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SWITCHYARD_API_KEY"))
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()

	var result verification
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return false, err
	}
	if response.StatusCode != http.StatusOK || result.Data == nil {
		return false, fmt.Errorf("verify: %s", result.Message)
	}
	payment := result.Data.Data
	// And it may be that of another payment: compare with what you know of the order.
	return payment.Status == "SUCCESS" && payment.MerchantOrderID == orderID &&
		payment.Amount == amount && payment.Currency == "NGN", nil
}

func main() {
	paid, err := isPaid(os.Args[1], "ORD-1001", 2500) // from ?paymentId=… of the redirect
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(map[bool]string{true: "ship it", false: "not paid"}[paid])
}
`,
  },
};
