import { z } from 'zod';
import { wireInteger } from '../amount.ts';
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
import { baseUrl, callKora, secretFields, title } from './account.ts';
import { notFoundOr, refundRefusal, refusal } from './answers.ts';
import { listPayments, listRefunds } from './lists.ts';
import { channelOf, limits, publishedFees, settings } from './settings.ts';
import { evaluateCharge } from './verdict.ts';
import { readReturn, readWebhook } from './webhooks.ts';
import { chargeSchema, checkoutSchema, refundSchema, refundStateOf } from './wire.ts';

/** Kora: Checkout Redirect in naira; charges and refunds have no id but the merchant's reference. */
export const kora: Gateway = {
  name: 'kora',
  title,
  credentials: z.object({ secretKey: z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be the secret key Kora shows, sk_…') }),
  secretFields,
  capabilities: {
    currencies: ['NGN'],
    methods: Object.keys(channelOf),
    minAmount: limits.minAmount,
    maxAmount: limits.maxAmount,
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

async function open(account: AccountAccess, order: CheckoutOrder, options: CallOptions): Promise<Outcome<CheckoutSession>> {
  const path = '/charges/initialize';
  const channel = order.method === null ? null : channelOf[order.method];
  if (channel === undefined) {
    return toMethodNotOffered(title, order, baseUrl + path);
  }
  const body = orderBody(order, channel);
  const reply = await callKora(account, { method: 'POST', path, body, repeatable: true, ...options });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  const opened = checkoutSchema.safeParse(reply.json);
  if (!opened.success || reply.status >= 400) return refusal(reply);
  const { reference, checkout_url: redirectUrl } = opened.data.data;
  const raw = rawAnswer(opened.data.data, ['reference', 'checkout_url'], reply.redactor);
  const terms = {
    title,
    account,
    order,
    hosts: { live: settings.checkoutHosts, test: settings.testCheckoutHosts },
    call: reply.call,
  };
  return toOpenedCheckout({ raw, reference, accessCode: '', redirectUrl }, terms);
}

/** Metadata takes five keys at most, of up to 20 letters, digits and hyphens. */
function orderBody(order: CheckoutOrder, channel: string | null): Readonly<Record<string, unknown>> {
  return {
    amount: wireInteger(order.amount),
    currency: order.currency,
    reference: order.reference,
    redirect_url: order.callbackUrl,
    customer: { email: order.customer.email },
    ...(channel === null ? {} : { channels: [channel] }),
    metadata: { 'payment-id': order.paymentId },
    // The documented default, sent so that the customer is asked for the order's amount and nothing on top.
    merchant_bears_cost: true,
  };
}

/**
 * "Charge not found" means that nothing exists under the reference now. After an opening with unknown outcome the request may
 * still be in flight, so callers verify again once it can no longer arrive.
 */
async function verify(account: AccountAccess, query: VerifyQuery, options: CallOptions): Promise<Outcome<ReceivedPayment>> {
  const path = `/charges/${encodeURIComponent(query.reference)}`;
  const reply = await callKora(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = chargeSchema.safeParse(reply.json);
  if (found.success && reply.status < 400) return { ...evaluateCharge(found.data.data, query, reply.redactor), call: reply.call };
  return notFoundOr(reply, 'charge');
}

async function refund(account: AccountAccess, order: RefundOrder, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = '/refunds/initiate';
  const reason = (order.reason ?? '').slice(0, settings.reasonMaxLength).toWellFormed();
  const body = {
    payment_reference: order.paymentReference,
    reference: order.refundReference,
    amount: wireInteger(order.amount),
    ...(reason === '' ? {} : { reason }),
  };
  const reply = await callKora(account, { method: 'POST', path, body, repeatable: false, ...options });
  if (reply.kind === 'failed') return toActionFailure(reply.failed, reply.call);
  return receipt(reply) ?? refundRefusal(reply);
}

async function findRefund(account: AccountAccess, query: RefundQuery, options: CallOptions): Promise<Outcome<RefundReceipt>> {
  const path = `/refunds/${encodeURIComponent(query.gatewayRefundId)}`;
  const reply = await callKora(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = receipt(reply);
  if (found === null) return notFoundOr(reply, 'refund');
  if (found.value.gatewayRefundId === query.gatewayRefundId) return found;
  const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another refund.`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

type Answer = Extract<WireReply, { kind: 'answer' }>;

function receipt(reply: Answer): Extract<Outcome<RefundReceipt>, { outcome: 'yes' }> | null {
  const parsed = refundSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return null;
  const { refund_reference: gatewayRefundId, status } = parsed.data.data;
  const message = parsed.data.message ?? null;
  const value = {
    gatewayRefundId,
    state: refundStateOf(status),
    message: message === null ? null : reply.redactor.text(message),
  };
  return { outcome: 'yes', value, call: reply.call };
}
