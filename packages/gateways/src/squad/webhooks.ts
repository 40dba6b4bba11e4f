import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { bodyDigest, isHexHmac } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { settings } from './settings.ts';
import { chargeEventSchema, readSquadTime, webhookSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[\w.=-]{1,100}$/;

/** A delivery is genuine when `x-squad-encrypted-body` is the HMAC-SHA512 of its bytes under the secret key, in upper-case hex. */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const given = delivery.headers['x-squad-encrypted-body'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  if (secret === '' || !isHexHmac('sha512', secret, delivery.body, given)) return { kind: 'refused', why: 'bad_signature' };
  const parsed = webhookSchema.safeParse(parseWireJson(new TextDecoder('utf-8').decode(delivery.body)));
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { Event: event, TransactionRef: named, Body: body } = parsed.data;
  if (!event.startsWith('charge_')) {
    return { kind: 'ignored', event, dedupeKey: `${event}:${bodyDigest(delivery.body)}`, occurredAt: null };
  }
  const charge = chargeEventSchema.safeParse(body);
  // The reference is in the envelope and in the body; which of two counts is not documented.
  if (!charge.success || named !== charge.data.transaction_ref) return { kind: 'refused', why: 'malformed' };
  const { transaction_ref: reference, gateway_ref: attempt, created_at: createdAt } = charge.data;
  return {
    kind: 'payment',
    event,
    reference,
    transactionId: reference,
    dedupeKey: `${event}:${attempt ?? reference}`,
    occurredAt: readSquadTime(createdAt),
  };
}

/** The reference is added to the callback address; whether the customer paid is not. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const named = settings.returnParameters.map((name) => query.get(name));
  const reference = named.find((value) => value !== null && referencePattern.test(value)) ?? null;
  return { reference, transactionId: null, hint: null };
}
