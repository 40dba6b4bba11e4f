import { SAMPLE_URL, type Sample } from './languages.ts';

/** The first payment with our own clients. */
export const clientSample: Sample = {
  title: 'With the client',
  code: {
    typescript: `import process from 'node:process';
import { createSwitchyard, SwitchyardApiError } from '@switchyard/client';

const switchyard = createSwitchyard({
  baseUrl: '${SAMPLE_URL}',
  apiKey: process.env.SWITCHYARD_API_KEY ?? '',
});

const payment = await switchyard.payments
  .initiate({
    merchantOrderId: 'ORD-1001', // your own reference, once for each order
    amount: 2500, // whole naira
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    redirectUrl: 'https://shop.example/thanks',
  })
  .catch((error: unknown) => {
    // The order has a payment already: go on with that one.
    if (error instanceof SwitchyardApiError && error.paymentId) return switchyard.payments.retrieve(error.paymentId);
    throw error;
  });
console.log(payment.recommendedGateway.session?.redirectUrl ?? 'no gateway could open a checkout');

// Where the customer comes back, with payment.paymentId of the address:
const { data } = await switchyard.payments.verify(payment.paymentId);
console.log(data.status === 'SUCCESS' ? 'ship it' : 'not paid');
`,
    php: `<?php
// pay.php
require 'Switchyard.php';

$switchyard = new Switchyard\\Client('${SAMPLE_URL}', getenv('SWITCHYARD_API_KEY'));

try {
    $payment = $switchyard->initiatePayment([
        'merchantOrderId' => 'ORD-1001', // your own reference, once for each order
        'amount' => 2500, // whole naira
        'currency' => 'NGN',
        'customer' => ['email' => 'ada@example.com'],
        'redirectUrl' => 'https://shop.example/thanks',
    ]);
} catch (Switchyard\\ApiException $error) {
    if ($error->paymentId === null) {
        throw $error;
    }
    // The order has a payment already: go on with that one.
    $payment = $switchyard->getPayment($error->paymentId);
}
echo $payment['recommendedGateway']['session']['redirectUrl'] ?? 'no gateway could open a checkout', PHP_EOL;

// Where the customer comes back, with paymentId of the address:
$status = $switchyard->verifyPayment($payment['paymentId'])['data']['status'];
echo $status === 'SUCCESS' ? 'ship it' : 'not paid', PHP_EOL;
`,
    python: `# pay.py
import os
from switchyard import ApiError, Switchyard

client = Switchyard("${SAMPLE_URL}", os.environ["SWITCHYARD_API_KEY"])

try:
    payment = client.initiate_payment(
        {
            "merchantOrderId": "ORD-1001",  # your own reference, once for each order
            "amount": 2500,  # whole naira
            "currency": "NGN",
            "customer": {"email": "ada@example.com"},
            "redirectUrl": "https://shop.example/thanks",
        }
    )
except ApiError as error:
    if error.payment_id is None:
        raise
    # The order has a payment already: go on with that one.
    payment = client.get_payment(error.payment_id)
session = payment["recommendedGateway"]["session"]
print(session["redirectUrl"] if session else "no gateway could open a checkout")

# Where the customer comes back, with paymentId of the address:
status = client.verify_payment(payment["paymentId"])["data"]["status"]
print("ship it" if status == "SUCCESS" else "not paid")
`,
  },
};
