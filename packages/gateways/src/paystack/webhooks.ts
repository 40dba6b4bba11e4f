import { readMinorAsDecimal } from '../amount.ts';
import type { Gateway, WebhookReading, WebhookRequest } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { bodyDigest, checkSignature, ignored, readAs, readJson, readParameter, refused } from '../webhook-reading.ts';
import { settings } from './settings.ts';
import { chargeEventSchema, disputeEventSchema, refundEventSchema, rejectedTransferSchema, webhookSchema } from './wire.ts';

const referencePattern = /^[A-Za-z0-9.=-]{1,100}$/;

/** A delivery is genuine when `x-paystack-signature` is the HMAC-SHA512 of its bytes under the secret key. */
export const readWebhook: Gateway['readWebhook'] = (account, delivery) => {
  const signed = checkSignature(delivery, 'x-paystack-signature', account.credentials.secretKey);
  if (signed !== true) return signed;
  return readAs(webhookSchema, readJson(delivery.body), ({ event, data }) => {
    if (event.startsWith('refund.')) return readRefund(event, data, delivery);
    if (event.startsWith('charge.dispute.')) return readDispute(event, data, delivery);
    if (event === 'bank.transfer.rejected') return readRejected(event, data, delivery);
    return event.startsWith('charge.') ? readCharge(event, data) : ignored(event, delivery);
  });
};

function readCharge(event: string, data: object): WebhookReading {
  return readAs(chargeEventSchema, data, ({ id, reference, paid_at: paidAt, created_at: createdAt }) => ({
    kind: 'payment',
    event,
    reference,
    transactionId: id,
    dedupeKey: `${event}:${id}`,
    occurredAt: readTime(paidAt ?? createdAt),
  }));
}

/**
 * A dispute that was opened, is not answered yet, or is resolved. Reminders and resolutions have no time of their own: they may be sent days
 * after the dispute was opened, or was first resolved. Each may be sent again with more to say, so that only the same bytes are the same webhook.
 */
function readDispute(event: string, data: object, delivery: WebhookRequest): WebhookReading {
  const dispute = disputeEventSchema.safeParse(data);
  if (!dispute.success) return ignored(event, delivery);
  const { id, transaction, created_at: openedAt } = dispute.data;
  return {
    kind: 'dispute',
    event,
    gatewayDisputeId: id,
    reference: transaction.reference,
    transactionId: transaction.id,
    dedupeKey: `${event}:${id}:${bodyDigest(delivery.body)}`,
    occurredAt: event === 'charge.dispute.create' ? readTime(openedAt) : null,
  };
}

/** A transfer of another amount, in kobo. One that goes back for another reason is documented nowhere. */
function readRejected(event: string, data: object, delivery: WebhookRequest): WebhookReading {
  const rejected = rejectedTransferSchema.safeParse(data);
  if (!rejected.success || rejected.data.bank_transfer.message_type !== 'INCORRECT_AMOUNT') return ignored(event, delivery);
  const { amount: kobo, transaction_id: transactionId } = rejected.data.bank_transfer;
  const amount = readMinorAsDecimal(kobo);
  if (amount === null) return refused('malformed');
  const transfer = { why: 'another_amount', amount, currency: settings.transferCurrency } as const;
  const dedupeKey = `${event}:${transactionId}:${bodyDigest(delivery.body)}`;
  return { kind: 'returned_transfer', event, reference: null, transactionId, transfer, dedupeKey, occurredAt: null };
}

/** Paystack's refund webhooks usually name the payment and not the refund. */
function readRefund(event: string, data: object, { body }: WebhookRequest): WebhookReading {
  return readAs(refundEventSchema, data, (refund) => ({
    kind: 'refund',
    event,
    gatewayRefundId: refund.id ?? null,
    reference: refund.transaction_reference ?? null,
    dedupeKey: `${event}:${refund.id ?? refund.refund_reference ?? bodyDigest(body)}`,
    occurredAt: readTime(refund.updatedAt),
  }));
}

/** `reference` and `trxref` carry the same value; the address for cancelling carries `status`. */
export const readReturn: Gateway['readReturn'] = (query) => {
  const reference = readParameter(query, query.has('reference') ? 'reference' : 'trxref', referencePattern);
  if (reference === null) return { reference, transactionId: null, hint: null };
  return { reference, transactionId: null, hint: query.get('status') === 'cancelled' ? 'cancelled' : 'completed' };
};
