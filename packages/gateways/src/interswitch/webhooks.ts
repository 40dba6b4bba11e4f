import type { AccountAccess, ReturnReading, WebhookReading, WebhookRequest } from '../gateway.ts';
import { bodyDigest, isHexHmac } from '../signature.ts';
import { parseWireJson } from '../wire-json.ts';
import { responseStateOf } from './response-codes.ts';
import { settings } from './settings.ts';
import { transactionIdOf } from './verdict.ts';
import { readWireTime, transactionEventSchema, webhookSchema } from './wire.ts';

const maxBodyBytes = 256 * 1024;
const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;
const retrievalPattern = /^\d{1,20}$/;

/** A webhook is genuine when `x-interswitch-signature` is the hex HMAC-SHA512 of its bytes under the webhook secret. */
export function readWebhook(account: AccountAccess, delivery: WebhookRequest): WebhookReading {
  const given = delivery.headers['x-interswitch-signature'] ?? '';
  const secret = account.credentials.webhookSecret ?? '';
  if (given === '') return { kind: 'refused', why: 'missing_signature' };
  if (delivery.body.length > maxBodyBytes) return { kind: 'refused', why: 'malformed' };
  if (secret === '' || !isHexHmac('sha512', secret, delivery.body, given)) return { kind: 'refused', why: 'bad_signature' };
  const parsed = webhookSchema.safeParse(parseWireJson(new TextDecoder('utf-8').decode(delivery.body)));
  if (!parsed.success) return { kind: 'refused', why: 'malformed' };
  const { event, eventId, timestamp, data } = parsed.data;
  const dedupeKey = `${event}:${eventId ?? bodyDigest(delivery.body)}`;
  const facts = { event, dedupeKey, occurredAt: readWireTime(timestamp) };
  if (!event.startsWith('TRANSACTION.')) return { kind: 'ignored', ...facts };
  const transaction = transactionEventSchema.safeParse(data);
  if (!transaction.success) return { kind: 'refused', why: 'malformed' };
  const { reference, retrievalReferenceNumber, paymentReference } = transaction.data;
  return { kind: 'payment', reference, transactionId: transactionIdOf(retrievalReferenceNumber, paymentReference), ...facts };
}

/** `resp` is the response code; `txnref` our reference. A return by POST brings no query, and hints at nothing. */
export function readReturn(query: URLSearchParams): ReturnReading {
  const reference = query.get('txnref') ?? '';
  const retrieval = query.get('retRef') ?? '';
  return {
    reference: referencePattern.test(reference) ? reference : null,
    transactionId: retrievalPattern.test(retrieval) ? retrieval : null,
    hint: hintOf(query.get('resp')),
  };
}

function hintOf(responseCode: string | null): ReturnReading['hint'] {
  if (responseCode === null) return null;
  if (responseStateOf(responseCode) === 'approved') return 'completed';
  return responseCode === settings.cancelledCode ? 'cancelled' : null;
}
