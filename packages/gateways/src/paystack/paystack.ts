import { z } from 'zod';
import { callWithKey, get, post } from '../access.ts';
import { mainToMinor } from '../amount.ts';
import { readAction, readLookup, redactedText, toFoundRefund, toNotFound, toRefundOf, toRefusedAction } from '../answers.ts';
import type { CheckoutOrder, Gateway, RefundOrder, RefundReceipt } from '../gateway.ts';
import type { Answer } from '../gateway-api.ts';
import { toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { readRefundState, unknown } from '../states.ts';
import { listByTransactionId } from '../transaction-ids.ts';
import { api } from './api.ts';
import { answerDispute, findDispute, listDisputes, uploadEvidence } from './disputes.ts';
import { listPayments, listRefundsOf } from './lists.ts';
import { certification, channelOf, disputeSupport, publishedFees, publishedSettlement, settings, transfers } from './settings.ts';
import { listSettlementLines, listSettlements } from './settlements.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initialiseSchema, refundSchema, refundStates, transactionSchema } from './wire.ts';

/** Paystack: hosted checkout in naira, amounts in kobo, everything looked up by our own reference. */
export const paystack: Gateway = {
  name: 'paystack',
  title: api.title,
  credentials: z.object({ secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Paystack shows, sk_…') }),
  secretFields: api.secretFields,
  capabilities: { currencies: ['NGN'], methods: Object.keys(channelOf), minAmount: settings.minAmount, maxAmount: null },
  publishedFees,
  settlementRoad: 'polled',
  probe: 'verify',
  publishedSettlement,
  disputes: disputeSupport,
  errorCodes: api.errorCodes,
  transfers,
  certification,
  baseUrl: api.baseUrl,
  checkoutHosts: api.checkoutHosts.live,

  async open(account, order, options) {
    const path = '/transaction/initialize';
    const channel = order.method === null ? null : channelOf[order.method];
    if (channel === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(order, channel), { repeatable: true, ...options });
    return readAction(await callWithKey(api, account, request), {
      schema: initialiseSchema,
      read: ({ data }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(data, ['authorization_url', 'access_code', 'reference'], redactor),
          reference: data.reference,
          accessCode: data.access_code,
          redirectUrl: data.authorization_url,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /**
   * "Not found" means that nothing exists under the reference now. After an opening with unknown outcome the request may still be in
   * flight, so callers verify again once it can no longer arrive.
   */
  async verify(account, query, options) {
    const request = get(`/transaction/verify/${encodeURIComponent(query.reference)}`, options);
    return readLookup(await callWithKey(api, account, request), {
      schema: transactionSchema,
      read: ({ data }, { redactor }) => evaluateTransaction(data, account, query, redactor),
      refused: (reply) => toNotFound(api, reply, 'payment'),
    });
  },

  async refund(account, order, options) {
    const body = {
      transaction: order.paymentReference,
      amount: mainToMinor(order.amount).toString(),
      currency: order.currency,
      merchant_note: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
      ...(order.reason === null ? {} : { customer_note: order.reason }),
    };
    const request = post('/refund', body, { repeatable: false, ...options });
    return readAction(await callWithKey(api, account, request), {
      schema: refundSchema,
      read: (refund, reply) => toRefundOf(api, isOfPayment(refund, order), receiptOf(refund, reply)),
      refused: (reply) => toRefusedAction(api, reply, 'refund'),
    });
  },

  async findRefund(account, query, options) {
    const request = get(`/refund/${encodeURIComponent(query.gatewayRefundId)}`, options);
    return readLookup(await callWithKey(api, account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, query, receiptOf(refund, reply)),
      refused: (reply) => toNotFound(api, reply, 'refund'),
    });
  },

  /** `GET /transaction/{id}` (https://paystack.com/docs/api/transaction/#fetch). */
  async findReference(account, { transactionId }, options) {
    const request = get(`/transaction/${encodeURIComponent(transactionId)}`, options);
    return readLookup(await callWithKey(api, account, request), {
      schema: transactionSchema,
      read: ({ data }) =>
        data.id === transactionId
          ? { outcome: 'yes', value: data.reference }
          : unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another transaction.`),
      refused: (reply) => toNotFound(api, reply, 'payment'),
    });
  },

  findDispute,
  listDisputes,
  uploadEvidence,
  answerDispute,
  listPayments,

  listRefunds: (account, query, options) =>
    listByTransactionId(
      query,
      options,
      (payment, within) => paystack.verify(account, payment, within),
      (named, within) => listRefundsOf(account, named, within),
    ),

  listSettlements,
  listSettlementLines,

  readWebhook,
  readReturn,
};

function orderBody(order: CheckoutOrder, channel: string | null): Readonly<Record<string, unknown>> {
  return {
    email: order.customer.email,
    amount: mainToMinor(order.amount).toString(),
    currency: order.currency,
    reference: order.reference,
    callback_url: order.callbackUrl,
    ...(channel === null ? {} : { channels: [channel] }),
    metadata: {
      payment_id: order.paymentId,
      cancel_action: cancelUrl(order),
      custom_fields: [{ display_name: 'Payment', variable_name: 'payment_id', value: order.paymentId }],
    },
  };
}

/** Paystack sends a customer who cancels to an address of ours, with nothing added to it. */
function cancelUrl(order: CheckoutOrder): string {
  const url = URL.parse(order.callbackUrl);
  if (url === null) return order.callbackUrl;
  url.searchParams.set('reference', order.reference);
  url.searchParams.set('status', 'cancelled');
  return url.href;
}

/** True if a refund is of the order's payment: by the reference, or by Paystack's id where the answer has no more ("Create Refund"). */
function isOfPayment({ data: { transaction } }: z.infer<typeof refundSchema>, order: RefundOrder): boolean {
  if (transaction === null || transaction === undefined) return false;
  const { id, reference = null } = typeof transaction === 'string' ? { id: transaction } : transaction;
  return reference === null ? id === order.transactionId : reference === order.paymentReference;
}

function receiptOf({ data, message }: z.infer<typeof refundSchema>, reply: Answer): RefundReceipt {
  return {
    gatewayRefundId: data.id,
    ...readRefundState(refundStates, data.status, { title: api.title, record: data, redactor: reply.redactor }),
    message: redactedText(message, reply),
  };
}
