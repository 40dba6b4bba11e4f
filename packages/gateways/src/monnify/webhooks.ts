import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { bodyDigest, isHexHmac } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { settings } from './settings.ts';
import { collectionEventSchema, readMonnifyTime, refundEventSchema, webhookSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const returnedReferencePattern = /^[\w.=-]{1,100}$/;

/** Events after which the payment is verified. `FAILED_TRANSACTION` is documented nowhere, but was seen. */
const collectionEvents: ReadonlySet<string> = new Set(['SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT', 'FAILED_TRANSACTION']);
const refundEvents: ReadonlySet<string> = new Set(['SUCCESSFUL_REFUND', 'FAILED_REFUND']);

/** A delivery is genuine when `monnify-signature` is the HMAC-SHA512 of its bytes under the client secret, which is the secret key. */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const given = delivery.headers['monnify-signature'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  if (secret === '' || !isHexHmac('sha512', secret, delivery.body, given)) return { kind: 'refused', why: 'bad_signature' };
  const parsed = webhookSchema.safeParse(parseWireJson(new TextDecoder('utf-8').decode(delivery.body)));
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { eventType, eventData } = parsed.data;
  if (collectionEvents.has(eventType)) return readCollection(eventType, eventData);
  if (refundEvents.has(eventType)) return readRefund(eventType, eventData);
  return { kind: 'ignored', event: eventType, dedupeKey: `${eventType}:${bodyDigest(delivery.body)}`, occurredAt: null };
}

function readCollection(event: string, data: object): WebhookReading {
  const parsed = collectionEventSchema.safeParse(data);
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { paymentReference, transactionReference, paymentStatus, amountPaid, paidOn, created_on: createdOn } = parsed.data;
  return {
    kind: 'payment',
    event,
    reference: paymentReference,
    transactionId: transactionReference,
    // A transfer that was too small can be followed by another: the same event, with another status or amount.
    dedupeKey: `${event}:${transactionReference}:${paymentStatus ?? ''}:${amountPaid ?? ''}`,
    occurredAt: readMonnifyTime(paidOn ?? createdOn),
  };
}

function readRefund(event: string, data: object): WebhookReading {
  const parsed = refundEventSchema.safeParse(data);
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { refundReference, refundStatus, completedOn, createdOn } = parsed.data;
  return {
    kind: 'refund',
    event,
    gatewayRefundId: refundReference,
    reference: null,
    dedupeKey: `${event}:${refundReference}:${refundStatus}`,
    occurredAt: readMonnifyTime(completedOn ?? createdOn),
  };
}

/** Only the reference comes back, the same whether the customer paid or left. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const reference = query.get(settings.returnedReference) ?? '';
  return { reference: returnedReferencePattern.test(reference) ? reference : null, transactionId: null, hint: null };
}
