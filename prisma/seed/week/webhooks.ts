import { packBody } from '@switchyard/payments/gateway-webhooks';
import { bytea } from './bytea.ts';
import { DAY_MS } from './calendar.ts';
import { type PaymentHistory, paidAttempt } from './history.ts';
import type { Row } from './plan.ts';
import type { Random } from './random.ts';

/** Older gateway webhooks are not shown anywhere. */
const KEPT_MS = 7 * DAY_MS;

/** The gateway webhook about a payment, where it triggered the lookup. */
export function gatewayWebhooks(random: Random, history: PaymentHistory, endsAt: number): Row[] {
  const paid = paidAttempt(history);
  const { paidAt } = history.payment;
  const wasNotified = history.timeline.some((event) => event.type === 'payment.succeeded' && event.cause === 'gateway_webhook');
  if (paid === undefined || paidAt === null || !wasNotified || paidAt < endsAt - KEPT_MS) return [];
  const { merchantId, accountId, gateway, reference, transactionId, receivedAmount } = paid.row;
  const isPaystack = gateway === 'paystack';
  const event = isPaystack ? 'charge.success' : 'charge.completed';
  const money = { id: Number(transactionId), currency: 'NGN' };
  const data = isPaystack
    ? { ...money, reference, status: 'success', amount: Number(receivedAmount) * 100 }
    : { ...money, tx_ref: reference, status: 'successful', amount: receivedAmount };
  return [
    {
      merchantId,
      id: random.id(paidAt - 400),
      accountId,
      gateway,
      dedupeKey: `${event}:${transactionId}`,
      event,
      reference,
      transactionId,
      packedBody: bytea(packBody(JSON.stringify({ event, data }))),
      state: 'PROCESSED',
      receivedAt: paidAt - 400,
    },
  ];
}
