import { readDecimal } from '../amount.ts';
import type { Gateway, ReturnedTransfer, WebhookReading, WebhookRequest } from '../gateway.ts';
import { checkSignature, ignored, readAs, readJson, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import { chargeEventSchema, readSquadTime, transferEventSchema, webhookSchema } from './wire.ts';

const referencePattern = /^[\w.=-]{1,100}$/;

/**
 * A delivery is genuine when `x-squad-encrypted-body` is the HMAC-SHA512 of its bytes under the secret key, in upper-case hex; of a transfer,
 * when it is that of three of its fields.
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const header = 'x-squad-encrypted-body';
  const { secretKey } = account.credentials;
  const signed = checkSignature(delivery, header, secretKey);
  if (signed !== true) {
    return signed.why === 'bad_signature'
      ? (readTransfer(delivery, (body) => checkSignature({ ...delivery, body }, header, secretKey)) ?? signed)
      : signed;
  }
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

/** Squad's words for what became of a transfer, and the mistake that each means. */
const mistakes: Readonly<Record<string, ReturnedTransfer['why']>> = { MISMATCH: 'another_amount', EXPIRED: 'late' };

/**
 * A webhook about a transfer; null for another kind. The hash covers "some parameters in the payload": the references and the amount. The
 * status is not covered, so that it chooses what is shown and looked up, and nothing else.
 */
function readTransfer(
  delivery: WebhookRequest,
  check: (body: Uint8Array) => ReturnType<typeof checkSignature>,
): WebhookReading | null {
  const parsed = transferEventSchema.safeParse(readJson(delivery.body));
  if (!parsed.success) return null;
  const { transaction_status: event, transaction_reference, amount_received, merchant_reference: reference, date } = parsed.data;
  const hashed = JSON.stringify({ transaction_reference, amount_received, merchant_reference: reference });
  const signed = check(Buffer.from(hashed, 'utf8'));
  if (signed !== true) return signed;
  const facts = { event, dedupeKey: `${event}:${transaction_reference}`, occurredAt: readSquadTime(date) };
  const why = mistakes[event];
  const amount = readDecimal(amount_received);
  if (why === undefined) return { kind: 'payment', reference, transactionId: reference, ...facts };
  if (amount === null) return refused('malformed');
  return {
    kind: 'returned_transfer',
    reference,
    transactionId: null,
    transfer: { why, amount, currency: settings.transferCurrency },
    ...facts,
  };
}

/** The reference is added to the callback address; whether the customer paid is not. */
export const readReturn: Gateway['readReturn'] = (query) => {
  const named = settings.returnParameters.map((name) => query.get(name));
  const reference = named.find((value) => value !== null && referencePattern.test(value)) ?? null;
  return { reference, transactionId: null, hint: null };
};
