import { DAY_MS } from './calendar.ts';
import { type PaymentHistory, paidAttempt } from './payment-history.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';

/** Older gateway webhooks are not shown anywhere. */
const KEPT_MS = 7 * DAY_MS;

/** The gateway webhook about a payment, where it triggered the lookup. */
export function gatewayWebhooks(random: Random, history: PaymentHistory, endsAt: number): Row[] {
  const paid = paidAttempt(history);
  const wasNotified = history.timeline.some((event) => event.type === 'payment.succeeded' && event.cause === 'gateway_webhook');
  const { receipt } = history.state;
  if (paid === undefined || receipt === null || !wasNotified || receipt.at < endsAt - KEPT_MS) return [];
  const { gateway, accountId } = paid.account.routable;
  const isPaystack = gateway === 'paystack';
  const event = isPaystack ? 'charge.success' : 'charge.completed';
  const money = { id: Number(receipt.transactionId), currency: 'NGN' };
  const data = isPaystack
    ? { ...money, reference: paid.reference, status: 'success', amount: receipt.amount * 100 }
    : { ...money, tx_ref: paid.reference, status: 'successful', amount: receipt.amount };
  return [
    {
      merchant_id: history.merchant.merchantId,
      id: random.id(receipt.at - 400),
      account_id: accountId,
      gateway,
      dedupe_key: `${event}:${receipt.transactionId}`,
      event,
      reference: paid.reference,
      transaction_id: receipt.transactionId,
      body: JSON.stringify({ event, data }),
      state: 'PROCESSED',
      received_at: moment(receipt.at - 400),
      processed_at: moment(receipt.at),
    },
  ];
}
