import { z } from 'zod';
import { get, post } from '../access.ts';
import { mainToMinor, wireInteger } from '../amount.ts';
import { readAction, readLookup, toFoundRefund, toNotFound, toNotPaidYet, toRefusedAction } from '../answers.ts';
import type { AccountAccess, CheckoutOrder, Gateway, RefundReceipt } from '../gateway.ts';
import type { Answer } from '../gateway-api.ts';
import { toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../redact.ts';
import { readRefundState } from '../states.ts';
import { api, callInterswitch } from './api.ts';
import { listPayments, listRefunds } from './lists.ts';
import {
  addressFields,
  certification,
  dashboardSettings,
  disputeSupport,
  methods,
  publishedFees,
  publishedSettlement,
  type Service,
  settings,
  transfers,
} from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { billSchema, refundSchema, refundStates, transactionSchema } from './wire.ts';

const visible = /^[\x21-\x7e]+$/;

/** The host of a live service as Interswitch confirms it to the merchant, as its documentation names none; empty until it did. */
function confirmedSubdomain(service: Service) {
  return z
    .string()
    .max(200)
    .regex(settings.confirmedSubdomain, `must be what stands before .${settings.liveDomain}`)
    .default('')
    .meta({
      title: addressFields[service]?.title,
      description: `What stands before .${settings.liveDomain}. Not published: as Interswitch confirmed it for this merchant; for live mode alone`,
    });
}

/** Interswitch (Quickteller Business) by Pay Bill: a hosted page in kobo, looked up by our own reference and the order's amount. */
export const interswitch: Gateway = {
  name: 'interswitch',
  title: api.title,
  credentials: z.object({
    clientId: z.string().max(200).regex(visible, 'must be the client ID of the project, IKIA…').meta({
      title: 'Client ID',
      description: "As shown with the secret key on the merchant's dashboard, under Developer tools",
    }),
    secretKey: z.string().min(8).max(200).regex(visible, 'must be the secret key beside the client ID'),
    merchantCode: z.string().regex(/^[A-Za-z0-9]{2,40}$/, 'must be the merchant code, MX…'),
    /** Pay Bill's `payableCode`. */
    payItemId: z
      .string()
      .regex(/^[\w-]{1,60}$/, 'must be the ID of the pay item')
      .meta({ title: 'Pay item ID' }),
    /** Without one, webhooks are refused and payments are found by verifying only. */
    webhookSecret: z
      .string()
      .regex(/^[\x21-\x7e]{0,200}$/, 'must be visible characters without spaces')
      .default('')
      .meta({ description: "As shown beside the webhook's address" }),
    payBillPrefix: confirmedSubdomain('paymentGateway'),
    searchPrefix: confirmedSubdomain('search'),
    searchPassportPrefix: confirmedSubdomain('searchPassport'),
  }),
  secretFields: api.secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods,
    minAmount: settings.minAmount,
    maxAmount: null,
    onlyInLists: ['currency'],
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
    const path = '/paymentgateway/api/v1/paybill';
    if (order.method !== null && !methods.includes(order.method)) return toMethodNotOffered(api, order, path);
    const request = post(path, billOf(account, order), { repeatable: true, ...options });
    return readAction(await callInterswitch(account, 'paymentGateway', request), {
      schema: billSchema,
      read: (bill, { redactor }) =>
        toOpenedCheckout(api, account, order, {
          raw: rawAnswer(bill, ['paymentUrl', 'reference', 'amount', 'code'], redactor),
          reference: bill.reference,
          accessCode: '',
          redirectUrl: bill.paymentUrl,
        }),
      refused: (reply) => toRefusedAction(api, reply, 'payment'),
    });
  },

  /** Interswitch looks a payment up by its reference and the amount of the order: with another amount it says nothing of the payment. */
  async verify(account, query, options) {
    const search = new URLSearchParams({
      merchantcode: account.credentials.merchantCode ?? '',
      transactionreference: query.reference,
      amount: mainToMinor(query.amount).toString(),
    });
    const request = get(`/collections/api/v1/gettransaction.json?${search}`, options);
    return readLookup(await callInterswitch(account, 'collections', request), {
      schema: transactionSchema,
      read: (transaction, { redactor }) => evaluateTransaction(transaction, query, redactor),
      refused: (reply) => toNotPaidYet(api, reply),
    });
  },

  /** Refunds go by our own references, of the payment and of the refund. */
  async refund(account, order, options) {
    const body = {
      refundReference: order.refundReference,
      parentTransactionReference: order.paymentReference,
      // A full refund is one of everything that was paid; the amount always says how much.
      refundType: 'PARTIAL',
      refundAmount: wireInteger(mainToMinor(order.amount)),
      reasonsForRefund: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
    };
    const request = post('/paymentgateway/api/v1/refunds', body, { repeatable: false, ...options });
    return readAction(await callInterswitch(account, 'paymentGateway', request), {
      schema: refundSchema,
      read: (refund, reply) => toFoundRefund(api, { gatewayRefundId: order.refundReference }, receiptOf(refund, reply)),
      refused: (reply) => toRefusedAction(api, reply, 'refund'),
    });
  },

  async findRefund(account, query, options) {
    const request = get(`/paymentgateway/api/v1/refunds/${encodeURIComponent(query.gatewayRefundId)}`, options);
    return readLookup(await callInterswitch(account, 'paymentGateway', request), {
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

/** A bill cannot be limited to a method, and stays open for as long as Interswitch decides. */
function billOf(account: AccountAccess, order: CheckoutOrder): Readonly<Record<string, unknown>> {
  return {
    merchantCode: account.credentials.merchantCode,
    payableCode: account.credentials.payItemId,
    amount: wireInteger(mainToMinor(order.amount)),
    redirectUrl: order.callbackUrl,
    customerId: order.customer.id ?? order.customer.email,
    currencyCode: '566',
    customerEmail: order.customer.email,
    transactionReference: order.reference,
  };
}

function receiptOf(refund: z.infer<typeof refundSchema>, { redactor }: Answer): RefundReceipt {
  const { refundReference, refundStatus } = refund;
  const reading = readRefundState(refundStates, refundStatus, { title: api.title, record: refund, redactor });
  return { gatewayRefundId: refundReference, ...reading, message: null };
}
