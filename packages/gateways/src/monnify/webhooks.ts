import { readDecimal } from '../amount.ts';
import type { Gateway, WebhookReading } from '../gateway.ts';
import { checkSignature, ignored, readAs, readJson, readParameter, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import {
  collectionEventSchema,
  readMonnifyDay,
  readMonnifyTime,
  refundEventSchema,
  settlementEventSchema,
  webhookSchema,
} from './wire.ts';

const returnedReferencePattern = /^[\w.=-]{1,100}$/;

/** Events after which the payment is verified. `FAILED_TRANSACTION` is documented nowhere, but was seen. */
const collectionEvents: ReadonlySet<string> = new Set(['SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT', 'FAILED_TRANSACTION']);
const settlementEvent = 'SETTLEMENT';
const refundEvents: ReadonlySet<string> = new Set(['SUCCESSFUL_REFUND', 'FAILED_REFUND']);

/** A delivery is genuine when `monnify-signature` is the HMAC-SHA512 of its bytes under the client secret, which is the secret key. */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const signed = checkSignature(delivery, 'monnify-signature', account.credentials.secretKey);
  if (signed !== true) return signed;
  return readAs(webhookSchema, readJson(delivery.body), ({ eventType, eventData }) => {
    if (collectionEvents.has(eventType)) return readCollection(eventType, eventData);
    if (eventType === settlementEvent) return readSettlement(eventData);
    return refundEvents.has(eventType) ? readRefund(eventType, eventData) : ignored(eventType, delivery);
  });
};

function readCollection(event: string, data: object): WebhookReading {
  return readAs(collectionEventSchema, data, (collection) => ({
    kind: 'payment',
    event,
    reference: collection.paymentReference,
    transactionId: collection.transactionReference,
    // A transfer that was too small can be followed by another: the same event, with another status or amount.
    dedupeKey: `${event}:${collection.transactionReference}:${collection.paymentStatus ?? ''}:${collection.amountPaid ?? ''}`,
    occurredAt: readMonnifyTime(collection.paidOn ?? collection.created_on),
  }));
}

function readRefund(event: string, data: object): WebhookReading {
  return readAs(refundEventSchema, data, (refund) => ({
    kind: 'refund',
    event,
    gatewayRefundId: refund.refundReference,
    reference: null,
    dedupeKey: `${event}:${refund.refundReference}:${refund.refundStatus}`,
    occurredAt: readMonnifyTime(refund.completedOn ?? refund.createdOn),
  }));
}

/** It lists the payments in it as well; they are asked for, as a list may be cut off. */
function readSettlement(data: object): WebhookReading {
  return readAs(settlementEventSchema, data, ({ amount, settlementTime, settlementReference, ...rest }) => {
    const net = readDecimal(amount);
    const createdAt = readMonnifyTime(settlementTime);
    if (net === null || createdAt === null) return refused('malformed');
    const { transactions: _, ...facts } = rest;
    return {
      kind: 'settlement',
      event: settlementEvent,
      settlement: {
        settlementId: settlementReference,
        currency: settings.settlementCurrency,
        net,
        settledOn: readMonnifyDay(createdAt),
        createdAt,
      },
      kept: JSON.stringify({ eventType: settlementEvent, eventData: { amount, settlementTime, settlementReference, ...facts } }),
      dedupeKey: `${settlementEvent}:${settlementReference}`,
      occurredAt: createdAt,
    };
  });
}

/** Only the reference comes back, the same whether the customer paid or left. */
export const readReturn: Gateway['readReturn'] = (query) => ({
  reference: readParameter(query, settings.returnedReference, returnedReferencePattern),
  transactionId: null,
  hint: null,
});
