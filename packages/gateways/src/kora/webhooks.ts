import type { Gateway, WebhookReading } from '../gateway.ts';
import { isHexHmac } from '../signature.ts';
import { ignored, maxWebhookBytes, readAs, readJson, readParameter, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import { bytesOfMember } from './signed-bytes.ts';
import {
  chargeEventSchema,
  eventDataSchema,
  eventSchema,
  merchantReferencePattern,
  readKoraTime,
  refundEventSchema,
} from './wire.ts';

const referencePattern = /^[A-Za-z0-9_.=-]{1,100}$/;

/**
 * A webhook is genuine when `x-korapay-signature` is the HMAC-SHA256 of the bytes of its `data` under the secret key
 * ("Verifying Webhooks Request": "an HMAC SHA256 signature of ONLY the data object", https://developers.korapay.com/docs/webhooks). The
 * WooCommerce plugin of Kora's own (korapay/plugin-woocommerce) takes HMAC-SHA512 of the whole body: that is refused, under a reason
 * of its own, so that an account which is sent such webhooks shows it.
 * The fields of `data` are read from those bytes. `event` is not covered: a recipient of a webhook can send it again as
 * another event, so the event only chooses what is looked up, and is a part of the dedupe key.
 */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const given = delivery.headers['x-korapay-signature'] ?? '';
  const secret = account.credentials.secretKey ?? '';
  if (given === '') return refused('missing_signature');
  if (delivery.body.length > maxWebhookBytes) return refused('malformed');
  const signed = bytesOfMember(delivery.body, 'data');
  if (signed === null) return refused('malformed');
  if (secret === '') return refused('bad_signature');
  if (!isHexHmac('sha256', secret, signed, given)) {
    return refused(isHexHmac('sha512', secret, delivery.body, given) ? 'whole_body_signature' : 'bad_signature');
  }
  return readAs(eventSchema, readJson(delivery.body), ({ event }) =>
    readAs(eventDataSchema, readJson(signed), (data) => {
      if (event.startsWith('charge.')) return readCharge(event, data);
      return event.startsWith('refund.') ? readRefund(event, data) : ignored(event, delivery);
    }),
  );
};

function readCharge(event: string, data: object): WebhookReading {
  return readAs(chargeEventSchema, data, (charge) => {
    const reference = merchantReference(charge.reference, charge.payment_reference);
    if (!merchantReferencePattern.test(reference)) return refused('malformed');
    // A charge can fail and then succeed, and webhooks carry no time: the status distinguishes their events.
    const dedupeKey = `${event}:${reference}:${charge.status}`;
    return { kind: 'payment', event, reference, transactionId: reference, dedupeKey, occurredAt: null };
  });
}

function readRefund(event: string, data: object): WebhookReading {
  return readAs(refundEventSchema, data, (refund) => ({
    kind: 'refund',
    event,
    gatewayRefundId: refund.reference,
    reference: refund.payment_reference ?? null,
    dedupeKey: `${event}:${refund.reference}:${refund.status}`,
    occurredAt: readKoraTime(refund.completed_at ?? refund.completion_date ?? refund.created_at ?? refund.refund_date),
  }));
}

/** The merchant's reference is `reference`, unless that is one of Kora's own making. */
export function merchantReference(reference: string, older: string | null | undefined): string {
  return settings.gatewayReference.test(reference) ? (older ?? reference) : reference;
}

/** The customer comes back with `reference` alone, also after closing the page unpaid. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, 'reference', referencePattern),
  transactionId: null,
  hint: null,
});
