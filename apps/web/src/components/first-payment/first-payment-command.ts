/** A shell command that initiates a payment. */
export function firstPayment(publicUrl: string, mode: 'test' | 'live'): string {
  return `curl ${publicUrl}/v1/payments/initiate \\
  -H "Authorization: Bearer sk_${mode}_…" \\
  -H "Content-Type: application/json" \\
  -d '{
    "merchantOrderId": "order-1001",
    "amount": 2500,
    "currency": "NGN",
    "paymentMethod": "card",
    "customer": { "email": "ada@example.com" },
    "redirectUrl": "https://shop.example.com/thank-you"
  }'`;
}
