import { DAY_MS } from './calendar.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';
import { paidAttempt, type Story } from './story.ts';

/** Older deliveries of gateways are of no use to anybody. */
const KEPT_MS = 7 * DAY_MS;

/** What the gateway told us of a payment, where that is what made us ask. */
export function gatewayWebhooks(random: Random, story: Story, endsAt: number): Row[] {
  const paid = paidAttempt(story);
  const told = story.timeline.some((event) => event.type === 'payment.succeeded' && event.cause === 'gateway_webhook');
  const { receipt } = story.state;
  if (paid === undefined || receipt === null || !told || receipt.at < endsAt - KEPT_MS) return [];
  const { gateway, accountId } = paid.account.routable;
  const isPaystack = gateway === 'paystack';
  const event = isPaystack ? 'charge.success' : 'charge.completed';
  const money = { id: Number(receipt.transactionId), currency: 'NGN' };
  const data = isPaystack
    ? { ...money, reference: paid.reference, status: 'success', amount: receipt.amount * 100 }
    : { ...money, tx_ref: paid.reference, status: 'successful', amount: receipt.amount };
  return [
    {
      merchant_id: story.merchant.merchantId,
      id: random.id(receipt.at - 400),
      account_id: accountId,
      gateway,
      ...{ dedupe_key: `${event}:${receipt.transactionId}`, event, reference: paid.reference },
      transaction_id: receipt.transactionId,
      body: JSON.stringify({ event, data }),
      state: 'PROCESSED',
      deliveries: 1,
      received_at: moment(receipt.at - 400),
      processed_at: moment(receipt.at),
    },
  ];
}
