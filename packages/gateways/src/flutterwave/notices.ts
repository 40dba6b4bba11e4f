import type { AccountAccess, ReturnReading, WebhookDelivery, WebhookReading } from '../gateway.ts';
import { bodyDigest, isSameText } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { chargeNoticeSchema, otherNoticeSchema, refundNoticeSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;
const idPattern = /^\d{1,20}$/;

/**
 * A delivery is genuine when `verif-hash` equals the account's secret hash. The hash says nothing about the body, and is the
 * same for every delivery: whoever has seen one can send any other. Nothing in a reading may be believed without asking.
 */
export function readWebhook(account: AccountAccess, delivery: WebhookDelivery): WebhookReading {
  const given = delivery.headers['verif-hash'] ?? '';
  const secret = account.credentials.secretHash ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (!isSameText(secret, given)) return { kind: 'refused', why: 'bad_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  const json = parseWireJson(new TextDecoder('utf-8').decode(delivery.body));
  const charge = chargeNoticeSchema.safeParse(json);
  if (charge.success && charge.data.event === 'charge.completed') {
    const { event, data } = charge.data;
    // One transaction can fail and then succeed, each told under the same event name.
    const dedupeKey = `${event}:${data.id}:${data.status}`;
    return { kind: 'payment', event, reference: data.tx_ref, transactionId: data.id, dedupeKey };
  }
  const refund = refundNoticeSchema.safeParse(json);
  if (refund.success) {
    const { id, status } = refund.data;
    return { kind: 'refund', event: 'refund', gatewayRefundId: id, reference: null, dedupeKey: `refund:${id}:${status}` };
  }
  const other = otherNoticeSchema.safeParse(json);
  if (!other.success || other.data.event === 'charge.completed') return { kind: 'refused', why: 'malformed' };
  return { kind: 'ignored', event: other.data.event, dedupeKey: `${other.data.event}:${bodyDigest(delivery.body)}` };
}

/** `completed` is also said of payments that still wait, so it is no more than a hint. */
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
