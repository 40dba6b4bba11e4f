import { z } from 'zod';
import { wireInteger } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  CheckoutOrder,
  CheckoutSession,
  Failure,
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
import { baseUrl, secretFields, title } from './account.ts';
import { notFound, refusal } from './answers.ts';
import { callMonnify } from './calls.ts';
import { listPayments, listRefundsOf } from './lists.ts';
import { paymentMethodOf, publishedFees, settings } from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initialisedSchema, type Refusal, refundSchema, refundStateOf, transactionSchema } from './wire.ts';

const transactionReferencePattern = /^[\w|-]{1,100}$/;

/** Monnify's hosted checkout: naira, a token in exchange for two keys, looked up by our own reference. */
export const monnify: Gateway = {
  name: 'monnify',
  title,
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
  secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(paymentMethodOf),
    minAmount: settings.minAmount,
    maxAmount: null,
  },
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

/** `POST /api/v1/merchant/transactions/init-transaction` */
async function open(account: AccountAccess, order: CheckoutOrder, options: CallOptions): Promise<Outcome<CheckoutSession>> {
  const path = '/api/v1/merchant/transactions/init-transaction';
  const method = order.method === null ? null : paymentMethodOf[order.method];
  if (method === undefined) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const body = orderBody(account, order, method);
  const reply = await callMonnify(account, { method: 'POST', path, body, repeatable: true, timeoutMs: options.timeoutMs });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const initialised = initialisedSchema.safeParse(reply.json);
  if (!initialised.success || reply.status >= 400) return refusal(reply, openRefusalCode);
  return sessionOf(reply, initialised.data.responseBody, account, order);
}

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

function sessionOf(
  reply: Answer,
  answer: z.infer<typeof initialisedSchema>['responseBody'],
  account: AccountAccess,
  order: CheckoutOrder,
): Outcome<CheckoutSession> {
  // The address ends with Monnify's reference: its pipes are legal for browsers, but not for every parser on the way.
  const redirectUrl = answer.checkoutUrl.replaceAll('|', '%7C');
  const raw = rawAnswer(answer, ['transactionReference', 'paymentReference', 'checkoutUrl'], reply.redactor);
  const terms = { title, account, order, hosts: { live: settings.checkoutHosts, test: [] }, call: reply.call };
  return toOpenedCheckout({ raw, reference: answer.paymentReference, accessCode: '', redirectUrl }, terms);
}

function openRefusalCode(refused: Refusal): Failure['code'] {
  const duplicate =
    refused.responseCode === settings.completedCode || settings.duplicateMessage.test(refused.responseMessage ?? '');
  return duplicate ? 'duplicate_reference' : 'request_rejected';
}

/**
 * `GET /api/v2/merchant/transactions/query?paymentReference=`. Our reference names one transaction for ever, so Monnify's own, when it
 * is known, would add nothing.
 */
async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const path = `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(query.reference)}`;
  const reply = await callMonnify(account, { method: 'GET', path, body: null, repeatable: true, timeoutMs: options.timeoutMs });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = transactionSchema.safeParse(reply.json);
  if (!found.success || reply.status >= 400) return notFound(reply, settings.transactionNotFoundMessage, 'transaction');
  return { ...evaluateTransaction(found.data.responseBody, query), call: reply.call };
}

/** `POST /api/v1/refunds/initiate-refund` */
async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const started = performance.now();
  const transactionReference = await transactionReferenceOf(account, order, options);
  if (typeof transactionReference !== 'string') return transactionReference;
  const reply = await callMonnify(account, {
    method: 'POST',
    path: '/api/v1/refunds/initiate-refund',
    body: {
      transactionReference,
      refundReference: order.refundReference,
      refundAmount: wireInteger(order.amount),
      refundReason: (order.reason ?? 'Refund').slice(0, settings.refundReasonLength).toWellFormed(),
      customerNote: settings.customerNote,
    },
    repeatable: false,
    timeoutMs: options.timeoutMs - (performance.now() - started),
  });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const accepted = receipt(reply);
  if (accepted !== null) return accepted;
  const refused = refusal(reply, refundRefusalCode);
  // A refund of this reference was requested before, and its end is not known.
  return refused.failure.code === 'duplicate_reference' ? { ...refused, outcome: 'unknown' } : refused;
}

/** Refunds go by Monnify's own reference. When none was kept it is looked up; when that fails, no refund is requested. */
async function transactionReferenceOf(
  account: AccountAccess,
  order: RefundOrder,
  options: CallOptions,
): Promise<string | Extract<Outcome<never>, { outcome: 'no' }>> {
  if (order.transactionId !== null && transactionReferencePattern.test(order.transactionId)) return order.transactionId;
  const query = { reference: order.paymentReference, transactionId: null, amount: order.amount, currency: order.currency };
  const found = await verify(account, query, options);
  if (found.outcome === 'yes') return found.value.transactionId;
  const message = `No refund was asked for, as the payment could not be looked up. ${found.failure.message}`;
  return { outcome: 'no', failure: failure(found.failure.class, found.failure.code, message), call: found.call };
}

function refundRefusalCode(refused: Refusal): Failure['code'] {
  return settings.duplicateRefundMessage.test(refused.responseMessage ?? '') ? 'duplicate_reference' : 'request_rejected';
}

/** `GET /api/v1/refunds/{refundReference}` */
async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/api/v1/refunds/${encodeURIComponent(query.gatewayRefundId)}`;
  const reply = await callMonnify(account, {
    method: 'GET',
    path,
    body: null,
    repeatable: true,
    timeoutMs: options.timeoutMs,
  });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = receipt(reply);
  if (found === null) return notFound(reply, settings.refundNotFoundMessage, 'refund');
  if (found.value.gatewayRefundId === query.gatewayRefundId) return found;
  const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another refund.`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** The list names payments by Monnify's own reference; where only ours is known, the payment is looked up first. */
async function listRefunds(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const started = performance.now();
  const { paymentReference, transactionId } = query;
  if (paymentReference === null || transactionId !== null) return listRefundsOf(account, query, options);
  const payment = { reference: paymentReference, transactionId: null, amount: 0n, currency: '' };
  const found = await verify(account, payment, options);
  if (found.outcome !== 'yes') return found;
  const timeoutMs = options.timeoutMs - (performance.now() - started);
  return listRefundsOf(account, { ...query, transactionId: found.value.transactionId }, { timeoutMs });
}

type Answer = Extract<WireReply, { kind: 'answer' }>;

/** The refund an answer shows, or null when it shows none. */
function receipt(reply: Answer): Extract<Outcome<RefundReceipt>, { outcome: 'yes' }> | null {
  const parsed = refundSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return null;
  const { refundReference, refundStatus, comment } = parsed.data.responseBody;
  const message = comment === null || comment === undefined ? null : reply.redactor.text(comment);
  return {
    outcome: 'yes',
    value: { gatewayRefundId: refundReference, state: refundStateOf(refundStatus), message },
    call: reply.call,
  };
}
