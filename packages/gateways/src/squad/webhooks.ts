import type { Gateway } from '../gateway.ts';
import { checkSignature, ignored, readAs, readJson, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import { chargeEventSchema, readSquadTime, webhookSchema } from './wire.ts';

const referencePattern = /^[\w.=-]{1,100}$/;

/** A delivery is genuine when `x-squad-encrypted-body` is the HMAC-SHA512 of its bytes under the secret key, in upper-case hex. */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const signed = checkSignature(delivery, 'x-squad-encrypted-body', account.credentials.secretKey);
  if (signed !== true) return signed;
  return readAs(webhookSchema, readJson(delivery.body), ({ Event: event, TransactionRef: named, Body: body }) => {
    if (!event.startsWith('charge_')) return ignored(event, delivery);
    return readAs(chargeEventSchema, body, ({ transaction_ref: reference, gateway_ref: attempt, created_at: createdAt }) => {
      // The reference is in the envelope and in the body; which of two counts is not documented.
      if (named !== reference) return refused('malformed');
      const dedupeKey = `${event}:${attempt ?? reference}`;
      return { kind: 'payment', event, reference, transactionId: reference, dedupeKey, occurredAt: readSquadTime(createdAt) };
    });
  });
};

/** The reference is added to the callback address; whether the customer paid is not. */
export const readReturn: Gateway['readReturn'] = (query) => {
  const named = settings.returnParameters.map((name) => query.get(name));
  const reference = named.find((value) => value !== null && referencePattern.test(value)) ?? null;
  return { reference, transactionId: null, hint: null };
};
