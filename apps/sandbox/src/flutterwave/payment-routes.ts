import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type CheckoutRequest, offered, openCheckout } from '../checkout/moves.ts';
import { type Account, type Channel, type Charge, type Checkout, isKnown } from '../ledger/records.ts';
import { createRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl, type Simulator } from '../simulator.ts';
import { announceCharge } from '../webhooks/announce.ts';
import {
  appFee,
  chargeStatus,
  type Payment,
  paymentProblem,
  paymentSchema,
  presentEvents,
  presentListed,
  presentListedRefund,
  presentRefund,
  presentTransaction,
  problem,
  refundRequestSchema,
  refundStatus,
  transactionNotFound,
} from './wire.ts';

/** Flutterwave's calls about payments: payment links, transactions, verification and fees. */
export const paymentRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/v3/payments', creates: true, handle: pay },
  { method: 'POST', pattern: '/v3/payments/link/disable', handle: disableLink },
  { method: 'GET', pattern: '/v3/transactions', handle: list },
  // Flutterwave's own SDK for Node puts a slash before a path that has one.
  { method: 'GET', pattern: '//v3/transactions', handle: list },
  { method: 'GET', pattern: '/v3/transactions/fee', handle: chargedFee },
  { method: 'GET', pattern: '/v3/transactions/verify_by_reference', handle: verifyByReference },
  { method: 'GET', pattern: '/v3/transactions/:id/verify', handle: verify },
  { method: 'GET', pattern: '/v3/transactions/:id/events', handle: events },
  { method: 'POST', pattern: '/v3/transactions/:id/resend-hook', handle: resendHook },
];

const defaultSessionMinutes = 30;
const defaultTries = 5;

function pay(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return problem(400, 'Invalid JSON in request body');
  const parsed = paymentSchema.safeParse(body);
  if (!parsed.success) return paymentProblem(body, parsed.error);
  note(parsed.data.tx_ref);
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(simulator, parsed.data));
  return json(200, { status: 'success', message: 'Hosted Link', data: { link: checkoutUrl(simulator, checkout) } });
}

function checkoutRequestFrom(simulator: Simulator, sent: Payment): CheckoutRequest {
  const minutes = sent.configuration?.session_duration ?? sent.session_duration ?? defaultSessionMinutes;
  const end = sent.link_expiration ?? new Date(simulator.now() + minutes * 60_000).toISOString();
  return {
    token: `flwlnk-${randomBytes(16).toString('hex')}`,
    reference: sent.tx_ref,
    amount: sent.amount,
    currency: sent.currency ?? 'NGN',
    email: sent.customer.email,
    customerName: sent.customer.name ?? null,
    phone: sent.customer.phone_number ?? sent.customer.phonenumber ?? null,
    returnUrl: sent.redirect_url ?? null,
    channels: offered((sent.payment_options ?? '').split(',').map((option) => optionChannels[option.trim()])),
    title: sent.customizations?.title ?? null,
    metadata: sent.meta ?? null,
    expiresAt: new Date(end).toISOString(),
    maxFailures: sent.configuration?.max_retry_attempt ?? sent.max_retry_attempt ?? defaultTries,
  };
}

const optionChannels: Readonly<Record<string, Channel>> = { card: 'card', banktransfer: 'bank_transfer' };

function disableLink(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = z.object({ link: z.string().min(1) }).safeParse(parseJson(request.body));
  if (!parsed.success) return problem(400, 'link is required');
  const token = parsed.data.link.split('/').at(-1) ?? '';
  const checkout = simulator.ledger.checkoutByToken(token);
  if (checkout === null || checkout.accountId !== account.id) return problem(400, 'Link not found');
  note(checkout.reference);
  checkout.closed = true;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return json(200, { status: 'success', message: 'Link has been successfully disabled', data: null });
}

/** One of the account's own transactions by its numeric id. */
function ownCharge(simulator: Simulator, account: Account, id: string): { checkout: Checkout; charge: Charge } | null {
  const found = /^\d{1,16}$/.test(id) ? simulator.ledger.charge(Number(id)) : null;
  return found !== null && found.checkout.accountId === account.id && isKnown(found.checkout) ? found : null;
}

function fetched(account: Account, checkout: Checkout, charge: Charge): Reply {
  const data = presentTransaction(account, checkout, charge);
  return json(200, { status: 'success', message: 'Transaction fetched successfully', data });
}

function verify(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = ownCharge(simulator, account, request.params.id ?? '');
  if (own === null) return transactionNotFound();
  note(own.checkout.reference);
  return fetched(account, own.checkout, own.charge);
}

/** Several links may share a reference; the charge that succeeded answers for it, or else the newest. */
function verifyByReference(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.query.get('tx_ref');
  if (reference === null || reference === '') return problem(400, 'tx_ref is required');
  note(reference);
  const charges = simulator.ledger
    .checkoutsByReference(account.id, reference)
    .filter(isKnown)
    .flatMap((checkout) => checkout.charges.map((charge) => ({ checkout, charge })))
    .sort((one, other) => one.charge.id - other.charge.id);
  const own = charges.find(({ charge }) => charge.status === 'success') ?? charges.at(-1);
  return own === undefined ? transactionNotFound() : fetched(account, own.checkout, own.charge);
}

function resendHook(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = ownCharge(simulator, account, request.params.id ?? '');
  if (own === null) return transactionNotFound();
  note(own.checkout.reference);
  if (own.charge.status === 'pending') return problem(400, 'Transaction is still pending');
  void announceCharge(simulator, own.checkout, own.charge);
  return json(200, { status: 'success', message: 'hook sent', data: 'hook sent' });
}

const feeSchema = z.object({
  amount: z.coerce.number().positive().max(1_000_000_000),
  currency: z.enum(['NGN', 'undefined']).default('NGN'),
});

/** The fee of an amount. The SDK sends `undefined` as the currency when it is given none. */
function chargedFee(request: Inbound): Reply {
  const parsed = feeSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const fee = appFee(parsed.data.amount);
  const data = {
    charge_amount: parsed.data.amount,
    fee,
    merchant_fee: 0,
    flutterwave_fee: fee,
    stamp_duty_fee: 0,
    currency: 'NGN',
  };
  return json(200, { status: 'success', message: 'Charged fee', data });
}

/** Actions of the customer on the page, oldest first. */
function events(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = ownCharge(simulator, account, request.params.id ?? '');
  if (own === null) return transactionNotFound();
  note(own.checkout.reference);
  const data = presentEvents(own.checkout, own.charge);
  return json(200, { status: 'success', message: 'Transaction events fetched', data });
}

const pageSize = 20;

const listSchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  status: z.string().optional(),
  tx_ref: z.string().optional(),
  customer_email: z.string().optional(),
  currency: z.string().optional(),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const query = parsed.data;
  const all = simulator.ledger.listedCharges(account.id).filter(({ checkout, charge }) => {
    const day = charge.createdAt.slice(0, 10);
    return (
      (query.from === undefined || day >= query.from) &&
      (query.to === undefined || day <= query.to) &&
      (query.status === undefined || chargeStatus(charge) === query.status) &&
      (query.tx_ref === undefined || checkout.reference === query.tx_ref) &&
      (query.customer_email === undefined || checkout.email === query.customer_email) &&
      (query.currency === undefined || checkout.currency === query.currency)
    );
  });
  const data = all
    .slice((query.page - 1) * pageSize, query.page * pageSize)
    .map(({ checkout, charge }) => presentListed(account, checkout, charge));
  const page_info = { total: all.length, current_page: query.page, total_pages: Math.ceil(all.length / pageSize) };
  return json(200, { status: 'success', message: 'Transactions fetched', meta: { page_info }, data });
}

/** Flutterwave's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/v3/transactions/:id/refund', creates: true, handle: create },
  { method: 'GET', pattern: '/v3/refunds', handle: listRefunds },
  { method: 'GET', pattern: '/v3/refunds/:id', handle: fetchById },
];

function create(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = ownCharge(simulator, account, request.params.id ?? '');
  if (own === null) return transactionNotFound();
  note(own.checkout.reference);
  const body = request.body.length === 0 ? {} : parseJson(request.body);
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const answer = createRefund(simulator, own.checkout, own.charge, {
    amount: parsed.data.amount ?? null,
    customerNote: null,
    merchantNote: parsed.data.comments ?? null,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'Only successful transactions can be refunded');
    case 'nothing_left':
      return problem(400, 'Transaction has been fully refunded');
    case 'too_much':
      return problem(400, 'Refund amount is greater than the refundable amount of this transaction');
    case 'accepted': {
      const data = presentRefund(account, answer.refund, own.charge);
      return json(200, { status: 'success', message: 'Transaction refund initiated', data });
    }
    default:
      return answer satisfies never;
  }
}

function fetchById(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const id = request.params.id ?? '';
  const refund = /^\d{1,16}$/.test(id) ? simulator.ledger.refund(Number(id)) : null;
  const found = refund === null ? null : simulator.ledger.charge(refund.chargeId);
  if (refund === null || found === null || refund.accountId !== account.id || refund.hidden)
    return problem(400, 'No refund was found for this id');
  note(found.checkout.reference);
  return json(200, {
    status: 'success',
    message: 'Transaction refund fetched',
    data: presentRefund(account, refund, found.charge),
  });
}

const refundListSchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  status: z.string().optional(),
  currency: z.string().optional(),
});

function listRefunds(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = refundListSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { page, from, to, status, currency } = parsed.data;
  const all = simulator.ledger
    .listedRefunds(account.id)
    .filter((refund) => {
      const day = refund.createdAt.slice(0, 10);
      return (
        (from === undefined || day >= from) &&
        (to === undefined || day <= to) &&
        (currency === undefined || refund.currency === currency)
      );
    })
    .flatMap((refund) => {
      const found = simulator.ledger.charge(refund.chargeId);
      return found === null ? [] : [{ refund, charge: found.charge }];
    })
    .filter(({ refund, charge }) => status === undefined || refundStatus(account, refund, charge) === status);
  const data = all
    .slice((page - 1) * pageSize, page * pageSize)
    .map(({ refund, charge }) => presentListedRefund(account, refund, charge));
  const total_pages = Math.ceil(all.length / pageSize);
  const page_info = { total: all.length, current_page: page, total_pages, page_size: pageSize };
  return json(200, { status: 'success', message: 'Refunds fetched', meta: { page_info }, data });
}
