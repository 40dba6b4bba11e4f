import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { bodyDigest, isBase64Hmac, isSameText } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { chargeWebhookSchema, otherWebhookSchema, refundWebhookSchema } from './wire.ts';

type RefusedWebhook = Extract<WebhookReading, { kind: 'refused' }>;

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;
const idPattern = /^\d{1,20}$/;

/**
 * An account's webhooks carry one of two signatures under its secret hash: `flutterwave-signature`, an HMAC of the body, or `verif-hash`,
 * the hash itself. The latter does not cover the body and is the same for every webhook: anyone who has seen one can forge others.
 * Nothing in it may be trusted without verifying. Where both are sent, the one over the body decides.
 */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const why = refusalOf(account, delivery);
  if (why !== null) return { kind: 'refused', why };
  const json = parseWireJson(new TextDecoder('utf-8').decode(delivery.body));
  const charge = chargeWebhookSchema.safeParse(json);
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
  if (!other.success || other.data.event === 'charge.completed') return { kind: 'refused', why: 'malformed' };
  const { event } = other.data;
  return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(delivery.body)}`, occurredAt: null };
}

function refusalOf(account: AccountAccess, { headers, body }: WebhookRequest): RefusedWebhook['why'] | null {
  const overBody = headers['flutterwave-signature'] ?? '';
  const hash = headers['verif-hash'] ?? '';
  const secret = account.credentials.secretHash ?? '';
  if (overBody === '' && hash === '') return 'missing_signature';
  if (secret === '') return 'bad_signature';
  if (overBody === '') {
    if (!isSameText(secret, hash)) return 'bad_signature';
    return body.length > maxBodyBytes ? 'malformed' : null;
  }
  // A body that is too large is not even hashed.
  if (body.length > maxBodyBytes) return 'malformed';
  return isBase64Hmac(secret, body, overBody) ? null : 'bad_signature';
}

/** `completed` is also sent for pending payments, so it is only a hint. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const reference = query.get('tx_ref') ?? '';
  const transactionId = query.get('transaction_id') ?? '';
  return {
    reference: referencePattern.test(reference) ? reference : null,
    transactionId: idPattern.test(transactionId) ? transactionId : null,
    hint: hintOf(query.get('status')),
  };
}

function hintOf(status: string | null): ReturnReading['hint'] {
  if (status === 'successful' || status === 'completed') return 'completed';
  return status === 'cancelled' ? 'cancelled' : null;
}
