import { z } from 'zod';
import { get, post } from '../access.ts';
import { wireInteger } from '../amount.ts';
import { readAction, readLookup, redactedText, toFoundRefund, toNotFound, toRefusedAction, toRefusedRefund } from '../answers.ts';
import type { AccountAccess, CheckoutOrder, Gateway, RefundReceipt } from '../gateway.ts';
import type { Answer } from '../gateway-api.ts';
import { toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { readRefundState } from '../states.ts';
import { findTransactionId, listByTransactionId } from '../transaction-ids.ts';
import { api, callMonnify } from './api.ts';
import { listPayments, listRefundsOf, listSettlementLines } from './lists.ts';
import {
  certification,
  dashboardSettings,
  disputeSupport,
  paymentMethodOf,
  publishedFees,
  publishedSettlement,
  settings,
  transfers,
} from './settings.ts';
import { payByTestCard } from './test-payment.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initialisedSchema, refundSchema, refundStates, transactionSchema } from './wire.ts';

const transactionReferencePattern = /^[\w|-]{1,100}$/;

/** Monnify's hosted checkout: naira, a token in exchange for two keys, looked up by our own reference. */
export const monnify: Gateway = {
  name: 'monnify',
  title: api.title,
  credentials: z.object({
    // A colon would end the user name of the login.
    apiKey: z
      .string()
      .regex(/^[\x21-\x39\x3b-\x7e]{8,200}$/, 'must be the API key Monnify shows, MK_…')
      .meta({ title: 'API key', description: 'Begins with MK_TEST_ or MK_PROD_; in the developer menu of Monnify’s dashboard' }),
    /** Some pages of the documentation call it the client secret. */
    secretKey: z
      .string()
      .regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Monnify shows beside the API key')
      .meta({ description: 'Shown beside the API key; it signs webhooks too' }),
    contractCode: z
      .string()
      .regex(/^\w{4,50}$/, 'must be the contract code Monnify shows, a number')
      .meta({ description: 'The number of the contract that payments belong to' }),
  }),
  secretFields: ['secretKey'],
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(paymentMethodOf),
    minAmount: settings.minAmount,
    maxAmount: null,
  },
  publishedFees,
  settlementRoad: 'webhook',
  probe: 'verify',
  publishedSettlement,
  dashboardSettings,
  disputes: disputeSupport,
  errorCodes: api.errorCodes,
  transfers,
  certification: { ...certification, payByTestCard },
  baseUrl: api.baseUrl,
  checkoutHosts: api.checkoutHosts.live,

  async open(account, order, options) {
    const path = '/api/v1/merchant/transactions/init-transaction';
    const method = order.method === null ? null : paymentMethodOf[order.method];
    if (method === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(account, order, method), { repeatable: true, ...options });
    return readAction(await callMonnify(account, request), {
      schema: initialisedSchema,
      read: ({ responseBody: session }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(session, ['transactionReference', 'paymentReference', 'checkoutUrl'], redactor),
          reference: session.paymentReference,
          accessCode: '',
          // The address ends with Monnify's reference: its pipes are legal for browsers, but not for every parser on the way.
          redirectUrl: session.checkoutUrl.replaceAll('|', '%7C'),
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /** Our reference names one transaction for ever, so Monnify's own, when it is known, would add nothing. */
  async verify(account, query, options) {
    const path = `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(query.reference)}`;
    return readLookup(await callMonnify(account, get(path, options)), {
      schema: transactionSchema,
      read: ({ responseBody }) => evaluateTransaction(responseBody, query),
      refused: (reply) => toNotFound(api, reply, 'payment'),
    });
  },

  /** Refunds go by Monnify's own reference. */
  async refund(account, order, options) {
    const started = performance.now();
    const transactionReference = await findTransactionId(order, transactionReferencePattern, (payment) =>
      monnify.verify(account, payment, options),
    );
    if (typeof transactionReference !== 'string') return transactionReference;
    const body = {
      transactionReference,
      refundReference: order.refundReference,
      refundAmount: wireInteger(order.amount),
      refundReason: (order.reason ?? 'Refund').slice(0, settings.refundReasonLength).toWellFormed(),
      customerNote: settings.customerNote,
    };
    const timeoutMs = options.timeoutMs - (performance.now() - started);
    const request = post('/api/v1/refunds/initiate-refund', body, { repeatable: false, timeoutMs });
    return readAction(await callMonnify(account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, { gatewayRefundId: order.refundReference }, receiptOf(refund, reply)),
      refused: (reply) => toRefusedRefund(api, reply),
    });
  },

  async findRefund(account, query, options) {
    const request = get(`/api/v1/refunds/${encodeURIComponent(query.gatewayRefundId)}`, options);
    return readLookup(await callMonnify(account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, query, receiptOf(refund, reply)),
      refused: (reply) => toNotFound(api, reply, 'refund'),
    });
  },

  listPayments,

  listSettlementLines,

  listRefunds: (account, query, options) =>
    listByTransactionId(
      query,
      options,
      (payment, within) => monnify.verify(account, payment, within),
      (named, within) => listRefundsOf(account, named, within),
    ),

  readWebhook,
  readReturn,
};

function orderBody(account: AccountAccess, order: CheckoutOrder, method: string | null): Readonly<Record<string, unknown>> {
  return {
    amount: wireInteger(order.amount),
    currencyCode: order.currency,
    customerName: nameFor(order.customer.email),
    customerEmail: order.customer.email,
    paymentReference: order.reference,
    paymentDescription: `Payment ${order.paymentId}`,
    contractCode: account.credentials.contractCode,
    redirectUrl: order.callbackUrl,
    ...(method === null ? {} : { paymentMethods: [method] }),
    metaData: { payment_id: order.paymentId },
  };
}

/** Monnify recommends a name of three characters at least, and orders carry none. */
function nameFor(email: string): string {
  const [local = ''] = email.split('@');
  return local.length >= settings.minNameLength ? local : email;
}

function receiptOf({ responseBody: refund }: z.infer<typeof refundSchema>, reply: Answer): RefundReceipt {
  return {
    gatewayRefundId: refund.refundReference,
    ...readRefundState(refundStates, refund.refundStatus, { title: api.title, record: refund, redactor: reply.redactor }),
    message: redactedText(refund.comment, reply),
  };
}
