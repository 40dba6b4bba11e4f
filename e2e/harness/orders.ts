import { randomUUID } from 'node:crypto';

/** A valid body for initiate, under an order id of its own. */
export function order(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    merchantOrderId: `order-${randomUUID()}`,
    amount: 2_500,
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    paymentMethod: 'card',
    ...changes,
  };
}
