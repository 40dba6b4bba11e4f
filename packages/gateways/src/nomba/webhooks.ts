import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { ignored, isSameText, maxWebhookBytes, readAs, readJson, readParameter, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import { checkoutEventSchema, webhookSchema } from './wire.ts';

const returnedReferencePattern = /^[\w.=-]{1,100}$/;

/** Events after which a payment is verified. The others are of payouts. */
const paymentEvents: ReadonlySet<string> = new Set(['payment_success', 'payment_failed', 'payment_reversal']);

/**
 * A webhook is genuine when `nomba-signature` is the base64 HMAC-SHA256, under the webhook's signature key, of eight fields of the body and the
 * header `nomba-timestamp`, joined by colons (https://developer.nomba.com/docs/api-basics/webhook). Amount, order and customer are not covered:
 * anyone who has seen a webhook can send it again about another order, so the order's reference only chooses what is looked up, and is a part of
 * the dedupe key. The look-up can be some seconds behind: nothing found means "not yet".
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const given = delivery.headers['nomba-signature'] ?? '';
  const timestamp = delivery.headers['nomba-timestamp'] ?? '';
  const secret = account.credentials.webhookSecret ?? '';
  if (given === '') return refused('missing_signature');
  if (delivery.body.length > maxWebhookBytes) return refused('malformed');
  const json = readJson(delivery.body);
  return readAs(webhookSchema, json, (webhook) => {
    const signed = createHmac('sha256', secret).update(signedTextOf(webhook, timestamp)).digest('base64');
    if (secret === '' || !isSameText(signed, given)) return refused('bad_signature');
    const { event_type: event, requestId } = webhook;
    const checkout = checkoutEventSchema.safeParse(json);
    // Transfers to virtual accounts and purchases at terminals have no order.
    if (!paymentEvents.has(event) || !checkout.success) return ignored(event, delivery);
    const { order, transaction } = checkout.data.data;
    return {
      kind: 'payment',
      event,
      reference: order.orderReference,
      transactionId: transaction.transactionId,
      // Each of the five tries to deliver a webhook has the same request id.
      dedupeKey: `${event}:${requestId}:${order.orderReference}`,
      occurredAt: readTime(transaction.time),
    };
  });
};

/** A field that is absent, null or the text `null` is signed as empty. */
function signedTextOf({ event_type, requestId, data }: z.infer<typeof webhookSchema>, timestamp: string): string {
  const { merchant, transaction } = data;
  const { transactionId, type, time, responseCode } = transaction;
  const fields = [event_type, requestId, merchant.userId, merchant.walletId, transactionId, type, time, responseCode];
  return [...fields.map((field) => (field === 'null' ? '' : (field ?? ''))), timestamp].join(':');
}

/** The fields that come back are documented nowhere; they are the same whether the customer paid or left. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, settings.returnedReference, returnedReferencePattern),
  transactionId: null,
  hint: null,
});
