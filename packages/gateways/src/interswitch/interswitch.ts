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
import {
  callNotMade,
  failure,
  protocolViolation,
  toActionFailure,
  toLookupFailure,
  toMethodNotOffered,
  toOpenedCheckout,
} from '../outcomes.ts';
import { rawAnswer } from '../raw.ts';
import { accessOf, addressOf, baseUrl, secretFields, title } from './account.ts';
import { callInterswitch } from './call.ts';
import { listPayments, listRefunds } from './lists.ts';
import { methods, publishedFees, settings } from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { billSchema, type Refusal, refundSchema, refundStateOf, refusalSchema, transactionSchema } from './wire.ts';

const visible = /^[\x21-\x7e]+$/;

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
  }),
  secretFields,
  capabilities: { currencies: ['NGN'], methods, minAmount: settings.minAmount, maxAmount: null },
  publishedFees,
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
  const access = accessOf(account);
  if (access.kind === 'unusable') return { outcome: 'no', failure: access.failure, call: callNotMade('POST', baseUrl + path) };
  if (order.method !== null && !methods.includes(order.method)) {
    return toMethodNotOffered(title, order, addressOf('paymentGateway', account, access) + path);
  }
  const request = { method: 'POST', path, body: billOf(account, order), repeatable: true } as const;
  const reply = await callInterswitch(account, access, 'paymentGateway', request, options);
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
  const access = accessOf(account);
  if (access.kind === 'unusable') {
    return { outcome: 'unknown', failure: access.failure, call: callNotMade('GET', baseUrl + path) };
  }
  const request = { method: 'GET', path, body: null, repeatable: true } as const;
  const reply = await callInterswitch(account, access, 'collections', request, options);
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = transactionSchema.safeParse(reply.json);
  if (!found.success || reply.status >= 400) return unanswered(reply);
  return { ...evaluateTransaction(found.data, query, reply.redactor), call: reply.call };
}

/** Refunds go by our own references, of the payment and of the refund. */
async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = '/paymentgateway/api/v1/refunds';
  const access = accessOf(account);
  if (access.kind === 'unusable') return { outcome: 'no', failure: access.failure, call: callNotMade('POST', baseUrl + path) };
  const body = {
    refundReference: order.refundReference,
    parentTransactionReference: order.paymentReference,
    // A full refund is one of everything that was paid; the amount always says how much.
    refundType: 'PARTIAL',
    refundAmount: wireInteger(mainToMinor(order.amount)),
    reasonsForRefund: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
  };
  const request = { method: 'POST', path, body, repeatable: false } as const;
  const reply = await callInterswitch(account, access, 'paymentGateway', request, options);
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  return receipt(reply) ?? refusal(reply);
}

async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/paymentgateway/api/v1/refunds/${encodeURIComponent(query.gatewayRefundId)}`;
  const access = accessOf(account);
  if (access.kind === 'unusable') {
    return { outcome: 'unknown', failure: access.failure, call: callNotMade('GET', baseUrl + path) };
  }
  const request = { method: 'GET', path, body: null, repeatable: true } as const;
  const reply = await callInterswitch(account, access, 'paymentGateway', request, options);
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

/** Outcome of an action whose answer is no success: refused when Interswitch reports an error, else unreadable. */
function refusal(reply: Answer): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = readRefusal(reply);
  if (refused === null) return toActionFailure(protocolViolation(title, reply), reply.call);
  const reason = failure('our_configuration', codeOf(refused), `${title} refused: ${saidIn(refused, reply)}`);
  // The second request was refused; the first may have made a bill whose address was lost.
  return { outcome: reply.repeated ? 'unknown' : 'no', failure: reason, call: reply.call };
}

function codeOf(refused: Refusal): 'duplicate_reference' | 'invalid_credentials' | 'request_rejected' {
  if (settings.wrongMerchantCodes.some((known) => known === refused.code)) return 'invalid_credentials';
  const isDuplicate = settings.duplicateCodes.some((known) => known === refused.code);
  return isDuplicate || settings.duplicateMessage.test(refused.message ?? '') ? 'duplicate_reference' : 'request_rejected';
}

function noSuchRefund(reply: Answer): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = readRefusal(reply);
  const isMissing =
    refused !== null &&
    settings.refundNotFoundStatuses.some((known) => known === reply.status) &&
    settings.refundNotFoundMessage.test(refused.message ?? '');
  if (!isMissing) return unanswered(reply);
  const reason = failure('our_configuration', 'not_found', `${title} knows no such refund.`);
  return { outcome: 'no', failure: reason, call: reply.call };
}

/** Outcome of a look-up whose answer decides nothing. */
function unanswered(reply: Answer): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const refused = readRefusal(reply);
  if (refused === null) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const reason = failure('our_configuration', 'request_rejected', `${title} refused: ${saidIn(refused, reply)}`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** The error that an answer states under an error status, or null. What is stated under 200 is no refusal. */
function readRefusal(reply: Answer): Refusal | null {
  const refused = refusalSchema.safeParse(reply.json);
  return refused.success && reply.status >= 400 ? refused.data : null;
}

function saidIn(refused: Refusal, reply: Answer): string {
  return reply.redactor.text(refused.message ?? refused.code);
}
