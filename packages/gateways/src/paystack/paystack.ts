import { z } from 'zod';
import { mainToMinor } from '../amount.ts';
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
import type { WireReply } from '../http.ts';
import { failure, toActionFailure, toLookupFailure, toMethodNotOffered, toOpenedCheckout } from '../outcomes.ts';
import { rawAnswer } from '../raw.ts';
import { baseUrl, callPaystack, secretFields, title } from './account.ts';
import { notFoundOr, refusal } from './answers.ts';
import { findDispute } from './disputes.ts';
import { listPayments, listRefundsOf } from './lists.ts';
import { channelOf, publishedFees, settings } from './settings.ts';
import { evaluateTransaction } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { initialiseSchema, refundSchema, refundStateOf, transactionSchema } from './wire.ts';

/** Paystack: hosted checkout in naira, amounts in kobo, everything looked up by our own reference. */
export const paystack: Gateway = {
  name: 'paystack',
  title,
  credentials: z.object({ secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Paystack shows, sk_…') }),
  secretFields,
  capabilities: { currencies: ['NGN'], methods: Object.keys(channelOf), minAmount: settings.minAmount, maxAmount: null },
  publishedFees,
  baseUrl,
  checkoutHosts: settings.checkoutHosts,
  open,
  verify,
  refund,
  findRefund,
  findDispute,
  listPayments,
  listRefunds,
  readWebhook,
  readReturn,
};

async function open(account: AccountAccess, order: CheckoutOrder, options: CallOptions): Promise<Outcome<CheckoutSession>> {
  const path = '/transaction/initialize';
  const channel = order.method === null ? null : channelOf[order.method];
  if (channel === undefined) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const reply = await callPaystack(account, {
    method: 'POST',
    path,
    body: orderBody(order, channel),
    repeatable: true,
    ...options,
  });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const opened = initialiseSchema.safeParse(reply.json);
  if (!opened.success || reply.status >= 400) return refusal(reply);
  const { reference, access_code: accessCode, authorization_url: redirectUrl } = opened.data.data;
  const raw = rawAnswer(opened.data.data, ['authorization_url', 'access_code', 'reference'], reply.redactor);
  const terms = {
    title,
    account,
    order,
    hosts: { live: settings.checkoutHosts, test: settings.testCheckoutHosts },
    call: reply.call,
  };
  return toOpenedCheckout({ raw, reference, accessCode, redirectUrl }, terms);
}

function orderBody(order: CheckoutOrder, channel: string | null): Readonly<Record<string, unknown>> {
  return {
    email: order.customer.email,
    amount: mainToMinor(order.amount).toString(),
    currency: order.currency,
    reference: order.reference,
    callback_url: order.callbackUrl,
    ...(channel === null ? {} : { channels: [channel] }),
    metadata: {
      payment_id: order.paymentId,
      cancel_action: cancelUrl(order),
      custom_fields: [{ display_name: 'Payment', variable_name: 'payment_id', value: order.paymentId }],
    },
  };
}

/** Paystack sends a customer who cancels to an address of ours, with nothing added to it. */
function cancelUrl(order: CheckoutOrder): string {
  const url = URL.parse(order.callbackUrl);
  if (url === null) return order.callbackUrl;
  url.searchParams.set('reference', order.reference);
  url.searchParams.set('status', 'cancelled');
  return url.href;
}

/**
 * "Not found" means that nothing exists under the reference now. After an opening with unknown outcome the request may still be in
 * flight, so callers verify again once it can no longer arrive.
 */
async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const path = `/transaction/verify/${encodeURIComponent(query.reference)}`;
  const reply = await callPaystack(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = transactionSchema.safeParse(reply.json);
  if (found.success && reply.status < 400)
    return { ...evaluateTransaction(found.data.data, account, query, reply.redactor), call: reply.call };
  return notFoundOr(reply, 'transaction');
}

async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = '/refund';
  const body = {
    transaction: order.paymentReference,
    amount: mainToMinor(order.amount).toString(),
    currency: order.currency,
    merchant_note: [order.refundReference, order.reason].filter((part) => part !== null).join(' '),
    ...(order.reason === null ? {} : { customer_note: order.reason }),
  };
  const reply = await callPaystack(account, { method: 'POST', path, body, repeatable: false, ...options });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  return receipt(reply) ?? refusal(reply);
}

async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/refund/${encodeURIComponent(query.gatewayRefundId)}`;
  const reply = await callPaystack(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = receipt(reply);
  if (found === null) return notFoundOr(reply, 'refund');
  if (found.value.gatewayRefundId === query.gatewayRefundId) return found;
  const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another refund.`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** The list goes by Paystack's own id; where only our reference is known, the payment is looked up first. */
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

function receipt(reply: Answer): Extract<Outcome<RefundReceipt>, { outcome: 'yes' }> | null {
  const parsed = refundSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return null;
  const { id, status } = parsed.data.data;
  const message = parsed.data.message ?? null;
  const value = {
    gatewayRefundId: id,
    state: refundStateOf(status),
    message: message === null ? null : reply.redactor.text(message),
  };
  return { outcome: 'yes', value, call: reply.call };
}
