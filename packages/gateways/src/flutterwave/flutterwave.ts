import { z } from 'zod';
import { wireInteger } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  CheckoutOrder,
  CheckoutSession,
  FailureCode,
  Gateway,
  ListedRefund,
  ListPage,
  Outcome,
  ReceivedPayment,
  RefundListQuery,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  VerifyQuery,
} from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { failure, toActionFailure, toLookupFailure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../raw.ts';
import { baseUrl, callFlutterwave, secretFields, title } from './account.ts';
import { noSuchRefund, refusal, unanswered } from './answers.ts';
import { listPayments, listRefundsOf } from './lists.ts';
import { dashboardSettings, optionOf, publishedFees, settings } from './settings.ts';
import { evaluateTransaction, isNotFound, notOpenedYet } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { linkSchema, refundSchema, refundStateOf, refusalSchema, transactionSchema } from './wire.ts';

const idPattern = /^\d{1,20}$/;

/** Flutterwave v3 Standard: hosted link in naira, looked up by our own reference or by its numeric id. */
export const flutterwave: Gateway = {
  name: 'flutterwave',
  title,
  credentials: z.object({
    secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Flutterwave shows, FLWSECK…'),
    /** As set beside the webhook's address in Flutterwave's dashboard. Without one, webhooks are refused and payments are found by verifying only. */
    secretHash: z
      .string()
      .regex(/^[\x21-\x7e]{0,200}$/, 'must be visible characters without spaces')
      .default('')
      .meta({ title: 'Secret hash', description: "As entered beside the webhook's address on Flutterwave's dashboard" }),
  }),
  secretFields,
  capabilities: { currencies: ['NGN'], methods: Object.keys(optionOf), minAmount: settings.minAmount, maxAmount: null },
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
  const path = '/payments';
  const option = order.method === null ? null : optionOf[order.method];
  if (option === undefined) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const reply = await callFlutterwave(account, {
    method: 'POST',
    path,
    body: orderBody(order, option),
    repeatable: true,
    ...options,
  });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const opened = linkSchema.safeParse(reply.json);
  if (!opened.success || reply.status >= 400) return refusal(reply);
  const redirectUrl = opened.data.data.link;
  const raw = rawAnswer(opened.data.data, ['link'], reply.redactor);
  const terms = {
    title,
    account,
    order,
    hosts: { live: settings.checkoutHosts, test: settings.testCheckoutHosts },
    call: reply.call,
  };
  return toOpenedCheckout({ raw, reference: order.reference, accessCode: '', redirectUrl }, terms);
}

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

/**
 * The id is a hint: it saves a look-up by reference when it leads to a paid transaction of ours, and decides nothing else. A
 * customer may try several times under one reference, so a failed or foreign id proves nothing about the payment.
 */
async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const started = performance.now();
  if (query.transactionId !== null && idPattern.test(query.transactionId)) {
    const byId = await look(account, query, `/transactions/${query.transactionId}/verify`, options.timeoutMs);
    const remaining = options.timeoutMs - (performance.now() - started);
    if (byId.outcome === 'yes' || !leavesItOpen.has(byId.failure.code) || remaining <= 0) return byId;
    return look(account, query, byReference(query.reference), remaining);
  }
  return look(account, query, byReference(query.reference), options.timeoutMs);
}

/** Results of a look-up by id that do not decide the payment, while the service itself works. */
const leavesItOpen: ReadonlySet<FailureCode> = new Set(['reference_mismatch', 'declined', 'not_paid_yet', 'request_rejected']);

function byReference(reference: string): string {
  return `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`;
}

async function look(
  account: AccountAccess,
  query: VerifyQuery,
  path: string,
  timeoutMs: number,
): Promise<Outcome<ReceivedPayment>> {
  const reply = await callFlutterwave(account, { method: 'GET', path, body: null, repeatable: true, timeoutMs });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = transactionSchema.safeParse(reply.json);
  if (found.success && reply.status < 400)
    return { ...evaluateTransaction(found.data.data, query, reply.redactor), call: reply.call };
  const refused = refusalSchema.safeParse(reply.json);
  if (refused.success && isNotFound(refused.data, reply.status)) return { ...notOpenedYet(), call: reply.call };
  return unanswered(reply);
}

async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const started = performance.now();
  const id = await transactionIdOf(account, order, options);
  if (typeof id !== 'string') return id;
  const path = `/transactions/${id}/refund`;
  const comments = [order.refundReference, order.reason].filter((part) => part !== null).join(' ');
  const timeoutMs = options.timeoutMs - (performance.now() - started);
  const body = { amount: wireInteger(order.amount), comments };
  const reply = await callFlutterwave(account, { method: 'POST', path, body, repeatable: false, timeoutMs });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  return receipt(reply) ?? refusal(reply);
}

/** Refunds go by Flutterwave's own id. When none was kept it is looked up; when that fails, no refund is requested. */
async function transactionIdOf(
  account: AccountAccess,
  order: RefundOrder,
  options: CallOptions,
): Promise<string | Extract<Outcome<never>, { outcome: 'no' }>> {
  if (order.transactionId !== null && idPattern.test(order.transactionId)) return order.transactionId;
  const query = { reference: order.paymentReference, transactionId: null, amount: order.amount, currency: order.currency };
  const found = await look(account, query, byReference(order.paymentReference), options.timeoutMs);
  if (found.outcome === 'yes') return found.value.transactionId;
  const message = `No refund was asked for, as the payment could not be looked up. ${found.failure.message}`;
  return { outcome: 'no', failure: failure(found.failure.class, found.failure.code, message), call: found.call };
}

async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/refunds/${encodeURIComponent(query.gatewayRefundId)}`;
  const reply = await callFlutterwave(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = receipt(reply);
  if (found === null) return noSuchRefund(reply);
  if (found.value.gatewayRefundId === query.gatewayRefundId) return found;
  const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another refund.`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** The list names payments by Flutterwave's own id; where only our reference is known, the payment is looked up first. */
async function listRefunds(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const started = performance.now();
  const { paymentReference, transactionId } = query;
  if (paymentReference === null || transactionId !== null) return listRefundsOf(account, query, options);
  const payment = { reference: paymentReference, transactionId: null, amount: 0n, currency: '' };
  const found = await look(account, payment, byReference(paymentReference), options.timeoutMs);
  if (found.outcome !== 'yes') return found;
  const timeoutMs = options.timeoutMs - (performance.now() - started);
  return listRefundsOf(account, { ...query, transactionId: found.value.transactionId }, { timeoutMs });
}

type Answer = Extract<WireReply, { kind: 'answer' }>;

function receipt(reply: Answer): Extract<Outcome<RefundReceipt>, { outcome: 'yes' }> | null {
  const parsed = refundSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return null;
  const { id, status, meta } = parsed.data.data;
  const message = parsed.data.message ?? null;
  const value = {
    gatewayRefundId: id,
    state: refundStateOf(status, meta),
    message: message === null ? null : reply.redactor.text(message),
  };
  return { outcome: 'yes', value, call: reply.call };
}
