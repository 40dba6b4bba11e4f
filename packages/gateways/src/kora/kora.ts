import { z } from 'zod';
import { callWithKey, get, post } from '../access.ts';
import { wireInteger } from '../amount.ts';
import { readAction, readLookup, redactedText, toFoundRefund, toNotFound, toRefusedAction, toRefusedRefund } from '../answers.ts';
import type { CheckoutOrder, Gateway, RefundReceipt } from '../gateway.ts';
import type { Answer } from '../gateway-api.ts';
import { toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { readRefundState } from '../states.ts';
import { api } from './api.ts';
import { listPayments, listRefunds } from './lists.ts';
import {
  certification,
  channelOf,
  disputeSupport,
  limits,
  publishedFees,
  publishedSettlement,
  settings,
  transfers,
} from './settings.ts';
import { evaluateCharge } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { chargeSchema, checkoutSchema, refundSchema, refundStates } from './wire.ts';

/** Kora: Checkout Redirect in naira; charges and refunds have no id but the merchant's reference. */
export const kora: Gateway = {
  name: 'kora',
  title: api.title,
  credentials: z.object({ secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Kora shows, sk_…') }),
  secretFields: api.secretFields,
  capabilities: { currencies: ['NGN'], methods: Object.keys(channelOf), ...limits },
  publishedFees,
  settlementRoad: 'file',
  probe: 'verify',
  publishedSettlement,
  disputes: disputeSupport,
  errorCodes: api.errorCodes,
  transfers,
  certification,
  baseUrl: api.baseUrl,
  checkoutHosts: api.checkoutHosts.live,

  async open(account, order, options) {
    const path = '/charges/initialize';
    const channel = order.method === null ? null : channelOf[order.method];
    if (channel === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(order, channel), { repeatable: true, ...options });
    return readAction(await callWithKey(api, account, request), {
      schema: checkoutSchema,
      read: ({ data }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(data, ['reference', 'checkout_url'], redactor),
          reference: data.reference,
          accessCode: '',
          redirectUrl: data.checkout_url,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /**
   * "Charge not found" means that nothing exists under the reference now. After an opening with unknown outcome the request may
   * still be in flight, so callers verify again once it can no longer arrive.
   */
  async verify(account, query, options) {
    const request = get(`/charges/${encodeURIComponent(query.reference)}`, options);
    return readLookup(await callWithKey(api, account, request), {
      schema: chargeSchema,
      read: ({ data }, { redactor }) => evaluateCharge(data, query, redactor),
      refused: (reply) => toNotFound(api, reply, 'payment'),
    });
  },

  async refund(account, order, options) {
    const reason = (order.reason ?? '').slice(0, settings.reasonMaxLength).toWellFormed();
    const body = {
      payment_reference: order.paymentReference,
      reference: order.refundReference,
      amount: wireInteger(order.amount),
      ...(reason === '' ? {} : { reason }),
    };
    const request = post('/refunds/initiate', body, { repeatable: false, ...options });
    return readAction(await callWithKey(api, account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, { gatewayRefundId: order.refundReference }, receiptOf(refund, reply)),
      refused: (reply) => toRefusedRefund(api, reply),
    });
  },

  async findRefund(account, query, options) {
    const request = get(`/refunds/${encodeURIComponent(query.gatewayRefundId)}`, options);
    return readLookup(await callWithKey(api, account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, query, receiptOf(refund, reply)),
      refused: (reply) => toNotFound(api, reply, 'refund'),
    });
  },

  listPayments,
  listRefunds,
  readWebhook,
  readReturn,
};

/** Metadata takes five keys at most, of up to 20 letters, digits and hyphens. */
function orderBody(order: CheckoutOrder, channel: string | null): Readonly<Record<string, unknown>> {
  return {
    amount: wireInteger(order.amount),
    currency: order.currency,
    reference: order.reference,
    redirect_url: order.callbackUrl,
    customer: { email: order.customer.email },
    ...(channel === null ? {} : { channels: [channel] }),
    metadata: { 'payment-id': order.paymentId },
    // The documented default, sent so that the customer is asked for the order's amount and nothing on top.
    merchant_bears_cost: true,
  };
}

function receiptOf({ data, message }: z.infer<typeof refundSchema>, reply: Answer): RefundReceipt {
  return {
    gatewayRefundId: data.reference,
    ...readRefundState(refundStates, data.status, { title: api.title, record: data, redactor: reply.redactor }),
    message: redactedText(message, reply),
  };
}
