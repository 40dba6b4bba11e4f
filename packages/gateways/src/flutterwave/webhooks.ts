import { z } from 'zod';
import type { AccountAccess, Gateway, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { readWord, type StateTable } from '../states.ts';
import { ignored, isBase64Hmac, isSameText, maxWebhookBytes, readJson, readParameter, refused } from '../webhook-reading.ts';
import {
  bareChargeWebhookSchema,
  chargeWebhookSchema,
  otherWebhookSchema,
  refundWebhookSchema,
  v4WebhookSchema,
} from './wire.ts';

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
 * Nothing in it may be trusted without verifying. Where both are sent, the one over the body decides. Version 4 signs the body always, and
 * is recognised by its `type` in place of an `event`, whatever version the account is of.
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const why = refusalOf(account, delivery);
  if (why !== null) return refused(why);
  const json = readJson(delivery.body);
  const v4 = v4WebhookSchema.safeParse(json);
  if (v4.success && !otherWebhookSchema.safeParse(json).success) return readV4(v4.data, delivery);
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

/** One of version 4 proves as little: the payment is looked up by its reference. Its ids are of that version alone. */
function readV4({ type: event, data }: z.infer<typeof v4WebhookSchema>, delivery: WebhookRequest): WebhookReading {
  if ((delivery.headers['flutterwave-signature'] ?? '') === '') return refused('missing_signature');
  if (CHARGEBACK.test(event)) return { ...ignored(event, delivery), kind: 'disputes' };
  if (!event.startsWith('charge.')) return ignored(event, delivery);
  const { id, reference, status, created_datetime: createdAt } = data;
  if (reference === null || reference === undefined) return refused('malformed');
  const dedupeKey = `v4:${event}:${id}:${status ?? ''}`;
  return { kind: 'payment', event, reference, transactionId: id, dedupeKey, occurredAt: readTime(createdAt) };
}

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
