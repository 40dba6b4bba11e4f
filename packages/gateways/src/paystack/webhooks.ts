import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { bodyDigest, isHexHmac } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { chargeEventSchema, disputeEventSchema, refundEventSchema, webhookSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[A-Za-z0-9.=-]{1,100}$/;

/** A delivery is genuine when `x-paystack-signature` is the HMAC-SHA512 of its bytes under the secret key. */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const given = delivery.headers['x-paystack-signature'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  if (secret === '' || !isHexHmac('sha512', secret, delivery.body, given)) return { kind: 'refused', why: 'bad_signature' };
  const parsed = webhookSchema.safeParse(parseWireJson(new TextDecoder('utf-8').decode(delivery.body)));
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { event, data } = parsed.data;
  if (event.startsWith('refund.')) return readRefund(event, data, delivery);
  if (event.startsWith('charge.dispute.')) return readDispute(event, data, delivery);
  if (event.startsWith('charge.')) return readCharge(event, data);
  return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(delivery.body)}`, occurredAt: null };
}

function readCharge(event: string, data: object): WebhookReading {
  const charge = chargeEventSchema.safeParse(data);
  if (!charge.success) return { kind: 'refused', why: 'malformed' };
  const { id, reference, paid_at: paidAt, created_at: createdAt } = charge.data;
  const occurredAt = readTime(paidAt ?? createdAt);
  return { kind: 'payment', event, reference, transactionId: id, dedupeKey: `${event}:${id}`, occurredAt };
}

/**
 * A dispute that was opened, is not answered yet, or is resolved. A reminder has no time of its own: it may be sent days after the dispute
 * was opened.
 */
function readDispute(event: string, data: object, delivery: WebhookRequest): WebhookReading {
  const dispute = disputeEventSchema.safeParse(data);
  if (!dispute.success) {
    return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(delivery.body)}`, occurredAt: null };
  }
  const { id, transaction, created_at: openedAt, resolvedAt, resolved_at: resolved } = dispute.data;
  const occurredAt = event === 'charge.dispute.create' ? openedAt : (resolvedAt ?? resolved);
  return {
    kind: 'dispute',
    event,
    gatewayDisputeId: id,
    reference: transaction.reference,
    transactionId: transaction.id,
    dedupeKey: `${event}:${id}`,
    occurredAt: readTime(occurredAt),
  };
}

/** Paystack's refund webhooks usually name the payment and not the refund. */
function readRefund(event: string, data: object, delivery: WebhookRequest): WebhookReading {
  const refund = refundEventSchema.safeParse(data);
  if (!refund.success) return { kind: 'refused', why: 'malformed' };
  const { id, refund_reference: refundReference, transaction_reference: reference, updatedAt } = refund.data;
  return {
    kind: 'refund',
    event,
    gatewayRefundId: id ?? null,
    reference: reference ?? null,
    dedupeKey: `${event}:${id ?? refundReference ?? bodyDigest(delivery.body)}`,
    occurredAt: readTime(updatedAt),
  };
}

/** `reference` and `trxref` carry the same value; the address for cancelling carries `status`. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const reference = query.get('reference') ?? query.get('trxref');
  if (reference === null || !referencePattern.test(reference)) return { reference: null, transactionId: null, hint: null };
  return { reference, transactionId: null, hint: query.get('status') === 'cancelled' ? 'cancelled' : 'completed' };
}
