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
if (payment.status === 'PENDING') console.log(payment.recommendedGateway.session?.redirectUrl);
else if (payment.status === 'INITIATED') console.log('the checkout is still being opened: ask again in a moment');
else if (payment.status === 'FAILED') console.log('not paid: offer another try, under a new order id');

// Where the customer comes back, with payment.paymentId of the address:
const { data } = await switchyard.payments.verify(payment.paymentId);
console.log(data.status === 'SUCCESS' && data.merchantOrderId === 'ORD-1001' ? 'ship it' : 'not paid');
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
echo match ($payment['status']) {
    'PENDING' => $payment['recommendedGateway']['session']['redirectUrl'] . PHP_EOL,
    'INITIATED' => 'the checkout is still being opened: ask again in a moment' . PHP_EOL,
    'FAILED' => 'not paid: offer another try, under a new order id' . PHP_EOL,
    default => '',
};

// Where the customer comes back, with paymentId of the address:
$verified = $switchyard->verifyPayment($payment['paymentId'])['data'];
$isPaid = $verified['status'] === 'SUCCESS' && $verified['merchantOrderId'] === 'ORD-1001';
echo $isPaid ? 'ship it' : 'not paid', PHP_EOL;
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
if payment["status"] == "PENDING" and session is not None:
    print(session["redirectUrl"])
elif payment["status"] == "INITIATED":
    print("the checkout is still being opened: ask again in a moment")
elif payment["status"] == "FAILED":
    print("not paid: offer another try, under a new order id")

# Where the customer comes back, with paymentId of the address:
verified = client.verify_payment(payment["paymentId"])["data"]
is_paid = verified["status"] == "SUCCESS" and verified["merchantOrderId"] == "ORD-1001"
print("ship it" if is_paid else "not paid")
`,
  },
};
