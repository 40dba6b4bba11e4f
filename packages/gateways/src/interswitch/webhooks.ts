import type { Gateway, ReturnReading } from '../gateway.ts';
import { bodyDigest, checkSignature, readAs, readJson, readParameter } from '../webhook-reading.ts';
import { responseStateOf } from './response-codes.ts';
import { settings } from './settings.ts';
import { transactionIdOf } from './verdict.ts';
import { readWireTime, transactionEventSchema, webhookSchema } from './wire.ts';

const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;
const retrievalPattern = /^\d{1,20}$/;

/** A webhook is genuine when `x-interswitch-signature` is the hex HMAC-SHA512 of its bytes under the webhook secret. */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const signed = checkSignature(delivery, 'x-interswitch-signature', account.credentials.webhookSecret);
  if (signed !== true) return signed;
  return readAs(webhookSchema, readJson(delivery.body), ({ event, eventId, timestamp, data }) => {
    const dedupeKey = `${event}:${eventId ?? bodyDigest(delivery.body)}`;
    const facts = { event, dedupeKey, occurredAt: readWireTime(timestamp) };
    if (!event.startsWith('TRANSACTION.')) return { kind: 'ignored', ...facts };
    return readAs(transactionEventSchema, data, ({ reference, retrievalReferenceNumber, paymentReference }) => {
      const transactionId = transactionIdOf(retrievalReferenceNumber, paymentReference);
      return { kind: 'payment', reference, transactionId, ...facts };
    });
  });
};

/** `resp` is the response code; `txnref` our reference. A return by POST brings no query, and hints at nothing. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, 'txnref', referencePattern),
  transactionId: readParameter(query, 'retRef', retrievalPattern),
  hint: hintOf(query.get('resp')),
});

function hintOf(responseCode: string | null): ReturnReading['hint'] {
  if (responseCode === null) return null;
  if (responseStateOf(responseCode) === 'approved') return 'completed';
  return responseCode === settings.cancelledCode ? 'cancelled' : null;
}
