import { z } from 'zod';
import { accessTo, get, post } from '../access.ts';
import { wireInteger } from '../amount.ts';
import { readAction, readLookup, readSuccess, redactedText, toNotPaidYet, toRefusedAction } from '../answers.ts';
import type { AccountAccess, CallOptions, CheckoutOrder, Gateway, Outcome, ReceivedPayment, VerifyQuery } from '../gateway.ts';
import { callNotMade, failure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { payerOf } from '../payers.ts';
import { rawAnswer } from '../redact.ts';
import { findTransactionId } from '../transaction-ids.ts';
import { api, callNomba } from './api.ts';
import { listPayments } from './lists.ts';
import {
  certification,
  dashboardSettings,
  disputeSupport,
  methodNames,
  publishedFees,
  publishedSettlement,
  settings,
  transfers,
} from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { checkoutTransactionSchema, isOwnReference, orderSchema, refundSchema, transactionSchema } from './wire.ts';

const idPattern = /^[\w-]{1,100}$/;

/** Time that is left for, and given to, the look-up of who paid. */
const PAYER_LEAST_MS = 200;
const PAYER_MOST_MS = 5_000;

/** Nomba Checkout: naira, a token in exchange for a client's id and secret, looked up by our own reference; no look-up of refunds. */
export const nomba: Gateway = {
  name: 'nomba',
  title: api.title,
  credentials: z.object({
    clientId: z
      .string()
      .regex(/^[\w-]{8,100}$/, 'must be the client ID Nomba shows')
      .meta({ title: 'Client ID', description: 'Under Developer, API Keys on Nomba’s dashboard; test and live keys differ' }),
    secretKey: z
      .string()
      .regex(/^[\x21-\x7e]{8,200}$/, 'must be the client secret Nomba shows beside the client ID')
      .meta({ title: 'Client secret' }),
    accountId: z
      .string()
      .regex(/^[\w-]{8,100}$/, 'must be the account ID Nomba shows')
      .meta({ title: 'Account ID', description: 'Of the business that payments belong to, not of an outlet' }),
    /** Without one, webhooks are refused and payments are found by verifying only. */
    webhookSecret: z
      .string()
      .regex(/^[\x21-\x7e]{0,200}$/, 'must be visible characters without spaces')
      .default('')
      .meta({ title: 'Signature key', description: 'As entered beside the webhook’s address under Developer, Webhook Setup' }),
  }),
  secretFields: api.secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(methodNames),
    minAmount: settings.minAmount,
    maxAmount: null,
    missingLookups: ['findRefund', 'listRefunds'],
    refundsCarryNoReference: true,
  },
  publishedFees,
  settlementRoad: 'file',
  probe: 'verify',
  publishedSettlement,
  dashboardSettings,
  disputes: disputeSupport,
  errorCodes: api.errorCodes,
  transfers,
  certification,
  baseUrl: api.baseUrl,
  checkoutHosts: api.checkoutHosts.live,

  async open(account, order, options) {
    const path = `${settings.checkoutPath}/order`;
    const method = order.method === null ? null : methodNames[order.method];
    if (method === undefined) return toMethodNotOffered(api, order, path);
    const request = post(path, orderBody(order, method), { repeatable: true, ...options });
    return readAction(await callNomba(account, request), {
      schema: orderSchema,
      read: ({ data }, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(data, ['checkoutLink', 'orderReference'], redactor),
          reference: order.reference,
          // Nomba's own id of the order, where it answers that in place of our reference.
          accessCode: isOwnReference(data.orderReference, order.reference) ? '' : data.orderReference,
          redirectUrl: data.checkoutLink,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /** Nomba has no transaction before the customer acts, and for some seconds after: none found is "not yet". */
  async verify(account, query, options) {
    const started = performance.now();
    const found = await lookUp(account, query, options);
    if (found.outcome !== 'yes' || found.value.method !== 'TRANSFER' || !hasCheckoutTransactions(account)) return found;
    const timeoutMs = options.timeoutMs - (performance.now() - started);
    return { ...found, value: { ...found.value, ...(await findPayer(account, query.reference, timeoutMs)) } };
  },

  /**
   * Refunds go by Nomba's own id of the transaction. The request has no field for a reference, and the answer no id and no state: a refund that
   * was accepted is under way until its end is recorded from the dashboard, as a card's can take seven working days.
   */
  async refund(account, order, options) {
    const started = performance.now();
    const transactionId = await findTransactionId(order, idPattern, (payment) => lookUp(account, payment, options));
    if (typeof transactionId !== 'string') return transactionId;
    const timeoutMs = options.timeoutMs - (performance.now() - started);
    const body = { transactionId, amount: wireInteger(order.amount) };
    const request = post(`${settings.checkoutPath}/refund`, body, { repeatable: false, timeoutMs });
    return readAction(await callNomba(account, request), {
      schema: refundSchema,
      read: ({ data }, reply) => ({
        outcome: 'yes',
        value: { gatewayRefundId: order.refundReference, state: 'processing', message: redactedText(data.message, reply) },
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

async function lookUp(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const path = `/v1/transactions/accounts/single?orderReference=${encodeURIComponent(query.reference)}`;
  return readLookup(await callNomba(account, get(path, options)), {
    schema: transactionSchema,
    read: ({ data }, { redactor }) => evaluateTransaction(data, query, redactor),
    refused: (reply) => toNotPaidYet(api, reply),
  });
}

/** True outside of Nomba's own sandbox: "This endpoint is only available in the production environment" (Verify Transactions, Option 2). */
function hasCheckoutTransactions({ mode, baseUrl }: AccountAccess): boolean {
  return mode === 'live' || baseUrl !== null;
}

/**
 * `transferDetails.originatorAccountName` and `originatorAccountNumber` of a checkout, which name no bank ("Verify Transactions, Option 2: Get
 * Checkout Transaction", https://developer.nomba.com/docs/products/accept-payment/verify-transactions). No payment depends on it: without
 * an answer there is no payer.
 */
async function findPayer(account: AccountAccess, reference: string, timeoutMs: number): Promise<Pick<ReceivedPayment, 'payer'>> {
  if (timeoutMs < PAYER_LEAST_MS) return {};
  const path = `${settings.checkoutPath}/transaction?idType=ORDER_REFERENCE&id=${encodeURIComponent(reference)}`;
  const reply = await callNomba(account, get(path, { timeoutMs: Math.min(timeoutMs, PAYER_MOST_MS) }));
  const details = reply.kind === 'failed' ? null : readSuccess(checkoutTransactionSchema, reply)?.data.transferDetails;
  return payerOf({ name: details?.originatorAccountName, accountNumber: details?.originatorAccountNumber });
}

/** Amounts are naira, as every sample and Nomba's own plug-in and SDKs have them. */
function orderBody(order: CheckoutOrder, method: string | null): Readonly<Record<string, unknown>> {
  return {
    order: {
      orderReference: order.reference,
      amount: wireInteger(order.amount),
      currency: order.currency,
      callbackUrl: order.callbackUrl,
      customerEmail: order.customer.email,
      ...(order.customer.id === null ? {} : { customerId: order.customer.id }),
      ...(method === null ? {} : { allowedPaymentMethods: [method] }),
      orderMetaData: { payment_id: order.paymentId },
    },
  };
}

/** Nomba documents no call that shows a refund once it was accepted: its dashboard shows what became of it. */
function noRefundLookup(account: AccountAccess): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const access = accessTo(api, account);
  const message = `${api.title} answers no questions about refunds: see its dashboard.`;
  const reason = access.kind === 'unusable' ? access.failure : failure('our_configuration', 'not_supported', message);
  return { outcome: 'unknown', failure: reason, call: callNotMade('GET', api.baseUrl) };
}
