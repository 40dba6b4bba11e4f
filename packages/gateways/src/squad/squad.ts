import { z } from 'zod';
import { accessTo, callWithKey, get, post } from '../access.ts';
import { mainToMinor, readMinor, wireInteger } from '../amount.ts';
import { readAction, readLookup, redactedText, toNotPaidYet, toRefusedAction } from '../answers.ts';
import type { AccountAccess, CallOptions, CheckoutOrder, Gateway, Outcome, RefundOrder } from '../gateway.ts';
import { callNotMade, failure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { readRefundState } from '../states.ts';
import { toNotRequested } from '../transaction-ids.ts';
import { api } from './api.ts';
import { listPayments } from './lists.ts';
import {
  certification,
  channelOf,
  dashboardSettings,
  disputeSupport,
  publishedFees,
  publishedSettlement,
  settings,
  transfers,
} from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initiateSchema, refundSchema, refundStates, type Transaction, transactionSchema } from './wire.ts';

/** Squad (GTCO): hosted checkout in naira, amounts in kobo, everything looked up by our own reference; no look-up of refunds. */
export const squad: Gateway = {
  name: 'squad',
  title: api.title,
  credentials: z.object({
    secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Squad shows, sk_… or sandbox_sk_…'),
  }),
  secretFields: api.secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(channelOf),
    minAmount: settings.minAmount,
    maxAmount: null,
    missingLookups: ['findRefund', 'listRefunds'],
    onlyInLists: ['fee'],
  },
  publishedFees,
  settlementRoad: 'file',
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
    const path = '/transaction/initiate';
    const channel = order.method === null ? null : channelOf[order.method];
    if (channel === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(order, channel), { repeatable: true, ...options });
    return readAction(await callWithKey(api, account, request), {
      schema: initiateSchema,
      read: ({ data }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(data, ['checkout_url', 'transaction_ref', 'access_token'], redactor),
          reference: data.transaction_ref,
          accessCode: data.access_token ?? '',
          redirectUrl: data.checkout_url,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  async verify(account, query, options) {
    const found = await lookUp(account, query.reference, options);
    return found.outcome === 'yes' ? { ...evaluateTransaction(found.value, query), call: found.call } : found;
  },

  /** A refund names the try that paid, which only verify and the webhook show: the payment is looked up first. */
  async refund(account, order, options) {
    const started = performance.now();
    const found = await lookUp(account, order.paymentReference, options);
    if (found.outcome !== 'yes') return notRequested(found);
    const paid = evaluateTransaction(found.value, { ...order, reference: order.paymentReference });
    if (paid.outcome !== 'yes') return notRequested({ ...paid, call: found.call });
    const attempt = found.value.gateway_transaction_ref ?? null;
    if (attempt === null) {
      const reason = failure('provider_fault', 'request_rejected', `${api.title} does not name the try that paid.`);
      return notRequested({ outcome: 'no', failure: reason, call: found.call });
    }
    const timeoutMs = options.timeoutMs - (performance.now() - started);
    const request = post('/transaction/refund', refundBody(order, attempt, found.value), { repeatable: false, timeoutMs });
    return readAction(await callWithKey(api, account, request), {
      schema: refundSchema,
      read: ({ data, message }, reply) => ({
        outcome: 'yes',
        value: {
          gatewayRefundId: data.refund_reference,
          ...readRefundState(refundStates, data.gateway_refund_status.toLowerCase(), {
            title: api.title,
            record: data,
            redactor: reply.redactor,
          }),
          message: redactedText(message, reply),
        },
      }),
      refused: (reply) => toRefusedAction(api, reply, 'refund'),
    });
  },

  async findRefund(account) {
    return noRefundLookup(account);
  },

  listPayments,

  async listRefunds(account) {
    return noRefundLookup(account);
  },

  readWebhook,
  readReturn,
};

function orderBody(order: CheckoutOrder, channel: string | null): Readonly<Record<string, unknown>> {
  return {
    email: order.customer.email,
    amount: wireInteger(mainToMinor(order.amount)),
    currency: order.currency,
    // The only value there is, and required.
    initiate_type: 'inline',
    transaction_ref: order.reference,
    callback_url: order.callbackUrl,
    ...(channel === null ? {} : { payment_channels: [channel] }),
    metadata: { payment_id: order.paymentId },
    // The merchant bears the charge, so that the customer pays the price.
    pass_charge: false,
  };
}

/**
 * `GET /transaction/verify/{transaction_ref}`. "Invalid transaction reference" is documented for unknown references; nothing states that
 * a transaction exists before the customer opens the page, so it decides nothing.
 */
async function lookUp(account: AccountAccess, reference: string, options: CallOptions): Promise<Outcome<Transaction>> {
  const request = get(`/transaction/verify/${encodeURIComponent(reference)}`, options);
  return readLookup(await callWithKey(api, account, request), {
    schema: transactionSchema,
    read: ({ data }) => ({ outcome: 'yes', value: data }),
    refused: (reply) => toNotPaidYet(api, reply),
  });
}

/** `refund_amount` is a text, and required for a part only; sent always, it states what is meant. */
function refundBody(order: RefundOrder, attempt: string, paid: Transaction): Readonly<Record<string, unknown>> {
  const amount = mainToMinor(order.amount);
  return {
    gateway_transaction_ref: attempt,
    transaction_ref: order.paymentReference,
    refund_type: amount === readMinor(paid.transaction_amount) ? 'Full' : 'Partial',
    refund_amount: amount.toString(),
    reason_for_refund: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
  };
}

/** A malformed answer to the refund itself would leave open what was done; this one was to a question, so it may be sent again. */
function notRequested(found: Exclude<Outcome<never>, { outcome: 'yes' }>): Extract<Outcome<never>, { outcome: 'no' }> {
  const { failure: reason, ...outcome } = toNotRequested(found);
  return { ...outcome, failure: reason.code === 'malformed_answer' ? { ...reason, code: 'request_rejected' } : reason };
}

/** Squad documents no call that shows a refund once it was accepted, and no webhook: its dashboard shows what became of it. */
function noRefundLookup(account: AccountAccess): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const access = accessTo(api, account);
  const message = `${api.title} answers no questions about refunds: see its dashboard.`;
  const reason = access.kind === 'unusable' ? access.failure : failure('our_configuration', 'not_supported', message);
  return { outcome: 'unknown', failure: reason, call: callNotMade('GET', api.baseUrl) };
}
