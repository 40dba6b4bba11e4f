import { z } from 'zod';
import { mainToMinor, wireInteger } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  CheckoutOrder,
  CheckoutSession,
  Gateway,
  Outcome,
  ReceivedPayment,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  VerifyQuery,
} from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { failure, toActionFailure, toLookupFailure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../raw.ts';
import { baseUrl, secretFields, title } from './account.ts';
import { noSuchRefund, refusal, unanswered } from './answers.ts';
import { callInterswitch } from './call.ts';
import { listPayments, listRefunds } from './lists.ts';
import { addressFields, dashboardSettings, methods, publishedFees, type Service, settings } from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { billSchema, refundSchema, refundStateOf, transactionSchema } from './wire.ts';

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
  title,
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
  secretFields,
  capabilities: { currencies: ['NGN'], methods, minAmount: settings.minAmount, maxAmount: null },
  publishedFees,
  dashboardSettings,
  baseUrl,
  checkoutHosts: settings.checkoutHosts,
  open,
  verify,
  refund,
  findRefund,
  listPayments,
  listRefunds,
  readWebhook,
  readReturn,
};

async function open(account: AccountAccess, order: CheckoutOrder, options: CallOptions): Promise<Outcome<CheckoutSession>> {
  const path = '/paymentgateway/api/v1/paybill';
  if (order.method !== null && !methods.includes(order.method)) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const request = { method: 'POST', path, body: billOf(account, order), repeatable: true, ...options } as const;
  const reply = await callInterswitch(account, 'paymentGateway', request);
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const made = billSchema.safeParse(reply.json);
  if (!made.success || reply.status >= 400) return refusal(reply);
  const { reference, paymentUrl: redirectUrl } = made.data;
  const raw = rawAnswer(made.data, ['paymentUrl', 'reference', 'amount', 'code'], reply.redactor);
  const terms = {
    title,
    account,
    order,
    hosts: { live: settings.checkoutHosts, test: settings.testCheckoutHosts },
    call: reply.call,
  };
  return toOpenedCheckout({ raw, reference, accessCode: '', redirectUrl }, terms);
}

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

/** Interswitch looks a payment up by its reference and the amount of the order: with another amount it says nothing of the payment. */
async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const search = new URLSearchParams({
    merchantcode: account.credentials.merchantCode ?? '',
    transactionreference: query.reference,
    amount: mainToMinor(query.amount).toString(),
  });
  const path = `/collections/api/v1/gettransaction.json?${search}`;
  const request = { method: 'GET', path, body: null, repeatable: true, ...options } as const;
  const reply = await callInterswitch(account, 'collections', request);
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = transactionSchema.safeParse(reply.json);
  if (!found.success || reply.status >= 400) return unanswered(reply);
  return { ...evaluateTransaction(found.data, query, reply.redactor), call: reply.call };
}

/** Refunds go by our own references, of the payment and of the refund. */
async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = '/paymentgateway/api/v1/refunds';
  const body = {
    refundReference: order.refundReference,
    parentTransactionReference: order.paymentReference,
    // A full refund is one of everything that was paid; the amount always says how much.
    refundType: 'PARTIAL',
    refundAmount: wireInteger(mainToMinor(order.amount)),
    reasonsForRefund: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
  };
  const request = { method: 'POST', path, body, repeatable: false, ...options } as const;
  const reply = await callInterswitch(account, 'paymentGateway', request);
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  return receipt(reply) ?? refusal(reply);
}

async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/paymentgateway/api/v1/refunds/${encodeURIComponent(query.gatewayRefundId)}`;
  const request = { method: 'GET', path, body: null, repeatable: true, ...options } as const;
  const reply = await callInterswitch(account, 'paymentGateway', request);
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = receipt(reply);
  if (found === null) return noSuchRefund(reply);
  if (found.value.gatewayRefundId === query.gatewayRefundId) return found;
  const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another refund.`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

type Answer = Extract<WireReply, { kind: 'answer' }>;

function receipt(reply: Answer): Extract<Outcome<RefundReceipt>, { outcome: 'yes' }> | null {
  const parsed = refundSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return null;
  const { refundReference, refundStatus } = parsed.data;
  const value = { gatewayRefundId: refundReference, state: refundStateOf(refundStatus), message: null };
  return { outcome: 'yes', value, call: reply.call };
}
