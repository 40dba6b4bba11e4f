import { z } from 'zod';
import { mainToMinor, readMinor, wireInteger } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  CheckoutOrder,
  CheckoutSession,
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
import { callNotMade, failure, toActionFailure, toLookupFailure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../raw.ts';
import { accessOf, baseUrl, callSquad, secretFields, title } from './account.ts';
import { listPayments } from './lists.ts';
import { channelOf, dashboardSettings, publishedFees, settings } from './settings.ts';
import { evaluateTransaction, failureOf, isNotFound, notFound } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initiateSchema, refundSchema, refundStateOf, type Transaction, transactionSchema } from './wire.ts';

/** Squad (GTCO): hosted checkout in naira, amounts in kobo, everything looked up by our own reference; no look-up of refunds. */
export const squad: Gateway = {
  name: 'squad',
  title,
  credentials: z.object({
    secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Squad shows, sk_… or sandbox_sk_…'),
  }),
  secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(channelOf),
    minAmount: settings.minAmount,
    maxAmount: null,
    missingLookups: ['findRefund', 'listRefunds'],
  },
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
  const path = '/transaction/initiate';
  const channel = order.method === null ? null : channelOf[order.method];
  if (channel === undefined) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const reply = await callSquad(account, {
    method: 'POST',
    path,
    body: orderBody(order, channel),
    repeatable: true,
    ...options,
  });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const opened = initiateSchema.safeParse(reply.json);
  if (!opened.success || reply.status >= 400) return toActionFailure(failureOf(reply), reply.call);
  const { transaction_ref: reference, checkout_url: redirectUrl, access_token: accessToken } = opened.data.data;
  const raw = rawAnswer(opened.data.data, ['checkout_url', 'transaction_ref', 'access_token'], reply.redactor);
  const terms = {
    title,
    account,
    order,
    hosts: { live: settings.checkoutHosts, test: settings.testCheckoutHosts },
    call: reply.call,
  };
  return toOpenedCheckout({ raw, reference, accessCode: accessToken ?? '', redirectUrl }, terms);
}

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

async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const looked = await lookUp(account, query.reference, options);
  if (looked.kind === 'unanswered') return looked.outcome;
  return { ...evaluateTransaction(looked.transaction, query), call: looked.call };
}

type LookedUp =
  | { readonly kind: 'transaction'; readonly transaction: Transaction; readonly call: Outcome<never>['call'] }
  | { readonly kind: 'unanswered'; readonly outcome: Exclude<Outcome<never>, { outcome: 'yes' }> };

/** `GET /transaction/verify/{transaction_ref}`. */
async function lookUp(account: AccountAccess, reference: string, options: CallOptions): Promise<LookedUp> {
  const path = `/transaction/verify/${encodeURIComponent(reference)}`;
  const reply = await callSquad(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  const { call } = reply;
  if (reply.kind === 'failed') return { kind: 'unanswered', outcome: toLookupFailure(reply.failed, call) };
  const found = transactionSchema.safeParse(reply.json);
  if (found.success && reply.status < 400) return { kind: 'transaction', transaction: found.data.data, call };
  if (!isNotFound(reply)) return { kind: 'unanswered', outcome: toLookupFailure(failureOf(reply), call) };
  const verdict = notFound();
  return { kind: 'unanswered', outcome: { ...verdict, call } };
}

/** A refund names the try that paid, which only verify and the webhook show: the payment is looked up first. */
async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const started = performance.now();
  const path = '/transaction/refund';
  const looked = await lookUp(account, order.paymentReference, options);
  if (looked.kind === 'unanswered') return notRequested(looked.outcome);
  const paid = evaluateTransaction(looked.transaction, { ...order, reference: order.paymentReference });
  if (paid.outcome !== 'yes') return notRequested({ ...paid, call: looked.call });
  const attempt = looked.transaction.gateway_transaction_ref ?? null;
  if (attempt === null) {
    const reason = failure('provider_fault', 'request_rejected', `${title} does not name the try that paid.`);
    return notRequested({ outcome: 'no', failure: reason, call: looked.call });
  }
  const timeoutMs = options.timeoutMs - (performance.now() - started);
  const body = refundBody(order, attempt, looked.transaction);
  const reply = await callSquad(account, { method: 'POST', path, body, repeatable: false, timeoutMs });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const accepted = refundSchema.safeParse(reply.json);
  if (!accepted.success || reply.status >= 400) return toActionFailure(failureOf(reply), reply.call);
  const { refund_reference: gatewayRefundId, gateway_refund_status: status } = accepted.data.data;
  const message = accepted.data.message ?? null;
  const value = {
    gatewayRefundId,
    state: refundStateOf(status),
    message: message === null ? null : reply.redactor.text(message),
  };
  return { outcome: 'yes', value, call: reply.call };
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

/** The look-up before a refund gave nothing to go on, so no refund was requested: it may be sent again. */
function notRequested({
  failure: { class: of, code, message },
  call,
}: Exclude<Outcome<never>, { outcome: 'yes' }>): Extract<Outcome<never>, { outcome: 'no' }> {
  const text = `No refund was requested, as the payment could not be looked up. ${message}`;
  // A malformed answer to the refund itself would leave open what was done; this one was to a question.
  return { outcome: 'no', failure: failure(of, code === 'malformed_answer' ? 'request_rejected' : code, text), call };
}

async function findRefund(account: AccountAccess, _query: RefundQuery, _options: CallOptions): Promise<Outcome<RefundReceipt>> {
  return noRefundLookup(account);
}

async function listRefunds(
  account: AccountAccess,
  _query: RefundListQuery,
  _options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  return noRefundLookup(account);
}

/** Squad documents no call that shows a refund once it was accepted, and no webhook: its dashboard shows what became of it. */
function noRefundLookup(account: AccountAccess): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const access = accessOf(account);
  const missing = failure(
    'our_configuration',
    'not_supported',
    `${title} answers no questions about refunds: see its dashboard.`,
  );
  const reason = access.kind === 'unusable' ? access.failure : missing;
  return { outcome: 'unknown', failure: reason, call: callNotMade('GET', baseUrl) };
}
