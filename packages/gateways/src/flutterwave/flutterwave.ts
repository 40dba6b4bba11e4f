import { z } from 'zod';
import { get, post } from '../access.ts';
import { wireInteger } from '../amount.ts';
import {
  readAction,
  readLookup,
  redactedText,
  toFoundRefund,
  toNotFound,
  toNotPaidYet,
  toRefundOf,
  toRefusedAction,
} from '../answers.ts';
import type {
  AccountAccess,
  CheckoutOrder,
  FailureCode,
  Gateway,
  Outcome,
  ReceivedPayment,
  RefundReceipt,
  VerifyQuery,
} from '../gateway.ts';
import type { Answer } from '../gateway-api.ts';
import { toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { findTransactionId, listByTransactionId } from '../transaction-ids.ts';
import { api, callFlutterwave, dialects } from './api.ts';
import { answerDispute, listDisputes, uploadEvidence } from './disputes.ts';
import { listPayments, listRefundsOf } from './lists.ts';
import {
  certification,
  dashboardSettings,
  disputeSupport,
  optionOf,
  publishedFees,
  publishedSettlement,
  settings,
  transfers,
} from './settings.ts';
import { listSettlementLines, listSettlements } from './settlements.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { linkSchema, refundSchema, refundStateOf, transactionSchema } from './wire.ts';

const idPattern = /^\d{1,20}$/;

/** Flutterwave v3 Standard: hosted link in naira, looked up by our own reference or by its numeric id. */
export const flutterwave: Gateway = {
  name: 'flutterwave',
  title: api.title,
  credentials: z.object({
    secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Flutterwave shows, FLWSECK…'),
    /** As set beside the webhook's address in Flutterwave's dashboard. Without one, webhooks are refused and payments are found by verifying only. */
    secretHash: z
      .string()
      .regex(/^[\x21-\x7e]{0,200}$/, 'must be visible characters without spaces')
      .default('')
      .meta({ title: 'Secret hash', description: "As entered beside the webhook's address on Flutterwave's dashboard" }),
    /** The dialect that the account's calls are made in. Webhooks of either are read. */
    dialect: z
      .enum(dialects, { error: 'must be v3 or v4' })
      .default('v3')
      .meta({ title: 'API version', description: 'v3; of v4 webhooks are read alone, and nothing is called yet' }),
  }),
  secretFields: api.secretFields,
  capabilities: { currencies: ['NGN'], methods: Object.keys(optionOf), minAmount: settings.minAmount, maxAmount: null },
  publishedFees,
  settlementRoad: 'polled',
  probe: 'verify',
  publishedSettlement,
  disputes: disputeSupport,
  errorCodes: api.errorCodes,
  transfers,
  certification,
  dashboardSettings,
  baseUrl: api.baseUrl,
  checkoutHosts: api.checkoutHosts.live,

  async open(account, order, options) {
    const path = '/payments';
    const option = order.method === null ? null : optionOf[order.method];
    if (option === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(order, option), { repeatable: true, ...options });
    return readAction(await callFlutterwave(account, request), {
      schema: linkSchema,
      read: ({ data }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(data, ['link'], redactor),
          reference: order.reference,
          accessCode: '',
          redirectUrl: data.link,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /**
   * The id is a hint: it saves a look-up by reference when it leads to a paid transaction of ours, and decides nothing else. A
   * customer may try several times under one reference, so a failed or foreign id proves nothing about the payment.
   */
  async verify(account, query, { timeoutMs }) {
    const started = performance.now();
    if (query.transactionId !== null && idPattern.test(query.transactionId)) {
      const byId = await lookUp(account, query, `/transactions/${query.transactionId}/verify`, timeoutMs);
      const remaining = timeoutMs - (performance.now() - started);
      if (byId.outcome === 'yes' || !leavesItOpen.has(byId.failure.code) || remaining <= 0) return byId;
      return lookUp(account, query, byReference(query.reference), remaining);
    }
    return lookUp(account, query, byReference(query.reference), timeoutMs);
  },

  /** Refunds go by Flutterwave's own id. */
  async refund(account, order, options) {
    const started = performance.now();
    const id = await findTransactionId(order, idPattern, (payment) => flutterwave.verify(account, payment, options));
    if (typeof id !== 'string') return id;
    const body = {
      amount: wireInteger(order.amount),
      comments: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
    };
    const timeoutMs = options.timeoutMs - (performance.now() - started);
    const request = post(`/transactions/${id}/refund`, body, { repeatable: false, timeoutMs });
    return readAction(await callFlutterwave(account, request), {
      schema: refundSchema,
      read: (refund, reply) => toRefundOf(api, transactionOf(refund) === id, receiptOf(refund, reply)),
      refused: (reply) => toRefusedAction(api, reply, 'refund'),
    });
  },

  async findRefund(account, query, options) {
    const request = get(`/refunds/${encodeURIComponent(query.gatewayRefundId)}`, options);
    return readLookup(await callFlutterwave(account, request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, query, receiptOf(refund, reply)),
      refused: (reply) => toNotFound(api, reply, 'refund'),
    });
  },

  listDisputes,
  uploadEvidence,
  answerDispute,
  listPayments,

  listRefunds: (account, query, options) =>
    listByTransactionId(
      query,
      options,
      (payment, within) => flutterwave.verify(account, payment, within),
      (named, within) => listRefundsOf(account, named, within),
    ),

  listSettlements,
  listSettlementLines,

  readWebhook,
  readReturn,
};

function orderBody(order: CheckoutOrder, option: string | null): Readonly<Record<string, unknown>> {
  return {
    tx_ref: order.reference,
    amount: wireInteger(order.amount),
    currency: order.currency,
    redirect_url: order.callbackUrl,
    customer: {
      email: order.customer.email,
      ...(order.customer.phone === null ? {} : { phonenumber: order.customer.phone }),
    },
    ...(option === null ? {} : { payment_options: option }),
    session_duration: Math.min(Math.max(1, Math.round(order.sessionMinutes)), settings.maxSessionMinutes),
    meta: { payment_id: order.paymentId },
  };
}

/** Results of a look-up by id that do not decide the payment, while the service itself works. */
const leavesItOpen: ReadonlySet<FailureCode> = new Set(['reference_mismatch', 'declined', 'not_paid_yet', 'request_rejected']);

function byReference(reference: string): string {
  return `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`;
}

async function lookUp(
  account: AccountAccess,
  query: VerifyQuery,
  path: string,
  timeoutMs: number,
): Promise<Outcome<ReceivedPayment>> {
  return readLookup(await callFlutterwave(account, get(path, { timeoutMs })), {
    schema: transactionSchema,
    read: ({ data }, { redactor }) => evaluateTransaction(data, query, redactor),
    refused: (reply) => toNotPaidYet(api, reply),
  });
}

/** Flutterwave's id of the transaction that a refund is of; null where the answer names none. */
function transactionOf({ data }: z.infer<typeof refundSchema>): string | null {
  return data.tx_id ?? data.transaction_id ?? null;
}

function receiptOf({ data, message }: z.infer<typeof refundSchema>, reply: Answer): RefundReceipt {
  return { gatewayRefundId: data.id, ...refundStateOf(data, reply.redactor), message: redactedText(message, reply) };
}
