import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { bodyDigest, isHexHmac } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { settings } from './settings.ts';
import { bytesOfMember } from './signed-bytes.ts';
import { chargeEventSchema, eventDataSchema, eventSchema, refundEventSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;

/**
 * A webhook is genuine when `x-korapay-signature` is the HMAC-SHA256 of the bytes of its `data` under the secret key
 * ("Verifying Webhooks Request": "an HMAC SHA256 signature of ONLY the data object", https://developers.korapay.com/docs/webhooks). The
 * WooCommerce plugin of Kora's own (korapay/plugin-woocommerce) takes HMAC-SHA512 of the whole body: that is refused, under a reason
 * of its own, so that an account which is sent such webhooks shows it.
 * The fields of `data` are read from those bytes. `event` is not covered: a recipient of a webhook can send it again as
 * another event, so the event only chooses what is looked up, and is a part of the dedupe key.
 */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const given = delivery.headers['x-korapay-signature'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  const signed = bytesOfMember(delivery.body, 'data');
  if (signed === null) return { kind: 'refused', why: 'malformed' };
  if (secret === '') return { kind: 'refused', why: 'bad_signature' };
  if (!isHexHmac('sha256', secret, signed, given)) {
    const isPlugin = isHexHmac('sha512', secret, delivery.body, given);
    return { kind: 'refused', why: isPlugin ? 'whole_body_signature' : 'bad_signature' };
  }
  const named = eventSchema.safeParse(readJson(delivery.body));
  const data = eventDataSchema.safeParse(readJson(signed));
  if (!named.success || !data.success) return { kind: 'refused', why: 'malformed' };
  const { event } = named.data;
  if (event.startsWith('charge.')) return readCharge(event, data.data);
  if (event.startsWith('refund.')) return readRefund(event, data.data);
  return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(delivery.body)}`, occurredAt: null };
}

function readJson(bytes: Uint8Array): unknown {
  return parseWireJson(new TextDecoder('utf-8').decode(bytes));
}

function readCharge(event: string, data: object): WebhookReading {
  const charge = chargeEventSchema.safeParse(data);
  if (!charge.success) return { kind: 'refused', why: 'malformed' };
  const { status, payment_reference: older } = charge.data;
  const reference = merchantReference(charge.data.reference, older);
  // A charge can fail and then succeed, and webhooks carry no time: the status distinguishes their events.
  const dedupeKey = `${event}:${reference}:${status}`;
  return { kind: 'payment', event, reference, transactionId: reference, dedupeKey, occurredAt: null };
}

function readRefund(event: string, data: object): WebhookReading {
  const refund = refundEventSchema.safeParse(data);
  if (!refund.success) return { kind: 'refused', why: 'malformed' };
  const { reference: gatewayRefundId, payment_reference: reference, status, completed_at: end, created_at: start } = refund.data;
  return {
    kind: 'refund',
    event,
    gatewayRefundId,
    reference: reference ?? null,
    dedupeKey: `${event}:${gatewayRefundId}:${status}`,
    occurredAt: readTime(end ?? start),
  };
}

/** The merchant's reference is `reference`, unless that is one of Kora's own making. */
export function merchantReference(reference: string, older: string | null | undefined): string {
  return settings.gatewayReference.test(reference) ? (older ?? reference) : reference;
}

/** The customer comes back with `reference` alone, also after closing the page unpaid. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const reference = query.get('reference') ?? '';
  return { reference: referencePattern.test(reference) ? reference : null, transactionId: null, hint: null };
}
