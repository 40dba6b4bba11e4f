import { z } from 'zod';
import type { AccountAccess, Gateway, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { readWord, type StateTable } from '../states.ts';
import { ignored, isBase64Hmac, isSameText, maxWebhookBytes, readJson, readParameter, refused } from '../webhook-reading.ts';
import { bareChargeWebhookSchema, chargeWebhookSchema, otherWebhookSchema, refundWebhookSchema } from './wire.ts';

type RefusedWebhook = Extract<WebhookReading, { kind: 'refused' }>;

const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;
const idPattern = /^\d{1,20}$/;
/**
 * Chargebacks have webhooks ("Hook Notification Successful" in their history, https://flutterwaveinc.mintlify.app/other-features/chargebacks),
 * of which no sample is documented.
 */
const CHARGEBACK = /chargeback|dispute/i;

/**
 * An account's webhooks carry one of two signatures under its secret hash: `flutterwave-signature`, an HMAC of the body, or `verif-hash`,
 * the hash itself. The latter does not cover the body and is the same for every webhook: anyone who has seen one can forge others.
 * Nothing in it may be trusted without verifying. Where both are sent, the one over the body decides.
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const why = refusalOf(account, delivery);
  if (why !== null) return refused(why);
  const json = readJson(delivery.body);
  const charge = z.union([chargeWebhookSchema, bareChargeWebhookSchema]).safeParse(json);
  if (charge.success && charge.data.event === 'charge.completed') {
    const { event, data } = charge.data;
    // One transaction can fail and then succeed, with the same event name each time.
    const dedupeKey = `${event}:${data.id}:${data.status}`;
    const occurredAt = readTime(data.created_at);
    return { kind: 'payment', event, reference: data.tx_ref, transactionId: data.id, dedupeKey, occurredAt };
  }
  const refund = refundWebhookSchema.safeParse(json);
  if (refund.success) {
    const { id, status, updatedAt } = refund.data;
    const dedupeKey = `refund:${id}:${status}`;
    return { kind: 'refund', event: 'refund', gatewayRefundId: id, reference: null, dedupeKey, occurredAt: readTime(updatedAt) };
  }
  const other = otherWebhookSchema.safeParse(json);
  if (other.success && CHARGEBACK.test(other.data.event)) return { ...ignored(other.data.event, delivery), kind: 'disputes' };
  return other.success && other.data.event !== 'charge.completed' ? ignored(other.data.event, delivery) : refused('malformed');
};

function refusalOf(account: AccountAccess, { headers, body }: WebhookRequest): RefusedWebhook['why'] | null {
  const overBody = headers['flutterwave-signature'] ?? '';
  const hash = headers['verif-hash'] ?? '';
  const secret = account.credentials.secretHash ?? '';
  if (overBody === '' && hash === '') return 'missing_signature';
  if (secret === '') return 'bad_signature';
  if (overBody === '') {
    if (!isSameText(secret, hash)) return 'bad_signature';
    return body.length > maxWebhookBytes ? 'malformed' : null;
  }
  // A body that is too large is not even hashed.
  if (body.length > maxWebhookBytes) return 'malformed';
  return isBase64Hmac(secret, body, overBody) ? null : 'bad_signature';
}

/** `completed` is also sent for pending payments, so it is only a hint. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, 'tx_ref', referencePattern),
  transactionId: readParameter(query, 'transaction_id', idPattern),
  hint: readWord(hints, query.get('status')),
});

const hints: StateTable<NonNullable<ReturnReading['hint']>> = {
  successful: 'completed',
  completed: 'completed',
  cancelled: 'cancelled',
};
