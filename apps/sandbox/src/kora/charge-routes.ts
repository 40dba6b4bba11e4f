import { type CheckoutRequest, offered, openCheckout, randomToken } from '../checkout/moves.ts';
import { type Account, type Checkout, decisiveCharge, type Refund } from '../ledger/records.ts';
import { createRefund, endRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl, formatMoney, type Simulator } from '../simulator.ts';
import {
  chargeNotFound,
  duplicatePayment,
  duplicateRefund,
  type Initialize,
  initializeSchema,
  invalidJson,
  invalidRequest,
  type ListQuery,
  listQuerySchema,
  pointerOf,
  presentCharge,
  presentFoundRefund,
  presentListedRefund,
  presentPayIn,
  presentRefund,
  problem,
  refundListQuerySchema,
  refundNotFound,
  refundReference,
  refundRequestSchema,
} from './wire.ts';

/** Kora's calls about payments: initialize, look-up and the list of pay-ins. */
export const chargeRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/merchant/api/v1/charges/initialize', creates: true, handle: initialize },
  { method: 'GET', pattern: '/merchant/api/v1/charges/:reference', handle: fetchCharge },
  { method: 'GET', pattern: '/merchant/api/v1/pay-ins', handle: list },
];

/** How long a page stays open. The documentation gives some 30 minutes to a transfer's account and nothing to the page. */
const sessionMinutes = 60;

function initialize(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return invalidJson();
  const parsed = initializeSchema.safeParse(body);
  if (!parsed.success) return invalidRequest(parsed.error);
  const { reference } = parsed.data;
  note(reference);
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) return duplicatePayment();
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(simulator, parsed.data));
  return json(200, {
    status: true,
    message: 'Charge created successfully',
    data: { reference, checkout_url: checkoutUrl(simulator, checkout) },
  });
}

function checkoutRequestFrom(simulator: Simulator, sent: Initialize): CheckoutRequest {
  return {
    token: randomToken(24),
    reference: sent.reference,
    amount: sent.amount,
    currency: sent.currency,
    email: sent.customer.email,
    customerName: sent.customer.name ?? null,
    returnUrl: sent.redirect_url ?? null,
    channels: offered(sent.channels ?? []),
    title: sent.narration ?? null,
    metadata: sent.metadata ?? null,
    expiresAt: new Date(simulator.now() + sessionMinutes * 60_000).toISOString(),
  };
}

function fetchCharge(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.params.reference ?? '';
  note(reference);
  const checkout = simulator.ledger.ownCheckout(account.id, reference);
  if (checkout === null) return chargeNotFound();
  return json(200, { status: true, message: 'Charge retrieved successfully', data: presentCharge(simulator, checkout) });
}

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidRequest(parsed.error);
  const page = pageOf(simulator.ledger.listedCheckouts(account.id), parsed.data);
  return json(200, { has_more: page.hasMore, data: page.records.map((checkout) => presentPayIn(simulator, checkout)) });
}

/** Kora's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/merchant/api/v1/refunds/initiate', creates: true, handle: initiate },
  { method: 'GET', pattern: '/merchant/api/v1/refunds', handle: listRefunds },
  { method: 'GET', pattern: '/merchant/api/v1/refunds/:reference', handle: fetchRefund },
];

function initiate(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return invalidJson();
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return invalidRequest(parsed.error);
  const { payment_reference: paymentReference, reference, amount, reason } = parsed.data;
  note(paymentReference);
  const checkout = simulator.ledger.ownCheckout(account.id, paymentReference);
  if (checkout === null) return chargeNotFound();
  if (refundUnder(simulator, account, reference) !== undefined) return duplicateRefund(reference);
  const charge = decisiveCharge(checkout);
  const statusReason = parsed.data.status_reason ?? null;
  const asked = { amount: amount ?? null, reference, customerNote: statusReason, merchantNote: reason ?? null };
  const answer = createRefund(simulator, checkout, charge, asked);
  switch (answer.kind) {
    case 'not_paid':
      return notPaid();
    case 'nothing_left':
      return problem(400, 'A full reversal has already been processed for this transaction');
    case 'too_much':
      return problem(
        400,
        `The maximum refundable amount for this transaction is ${formatMoney(simulator.spec, answer.left, checkout.currency)}`,
      );
    case 'accepted': {
      const { refund } = answer;
      const data = presentRefund(refund, checkout);
      const forced = parsed.data.completion_status ?? null;
      if (forced !== null) simulator.later(0, () => endRefund(simulator, refund, forced === 'success' ? 'processed' : 'failed'));
      return json(200, { status: true, message: 'Refund successfully initiated', data });
    }
    default:
      return answer satisfies never;
  }
}

const notPaid = (): Reply => problem(400, 'Refund can only be requested on a successful transaction');

function refundUnder(simulator: Simulator, account: Account, reference: string): Refund | undefined {
  return simulator.ledger
    .refunds()
    .find((refund) => refund.accountId === account.id && !refund.hidden && refundReference(refund) === reference);
}

function fetchRefund(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const refund = refundUnder(simulator, account, request.params.reference ?? '');
  const checkout = refund === undefined ? null : simulator.ledger.checkout(refund.checkoutId);
  if (refund === undefined || checkout === null) return refundNotFound();
  note(checkout.reference);
  return json(200, {
    status: true,
    message: 'Refund details retrieved successfully',
    data: presentFoundRefund(refund, checkout),
  });
}

function listRefunds(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = refundListQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidRequest(parsed.error);
  const page = pageOf(simulator.ledger.listedRefunds(account.id), parsed.data);
  const refunds = page.records.flatMap((refund) => {
    const checkout: Checkout | null = simulator.ledger.checkout(refund.checkoutId);
    return checkout === null ? [] : [presentListedRefund(refund, checkout)];
  });
  const message = 'Refunds retrieved successfully';
  return json(200, { status: true, message, data: { has_more: page.hasMore, refunds } });
}

interface Listed {
  readonly id: number;
  readonly currency: string;
  readonly createdAt: string;
}

/** A page of a list by pointers: the records right after one, or right before one. An unknown pointer is at the list's end. */
function pageOf<T extends Listed>(newestFirst: readonly T[], query: ListQuery): { records: readonly T[]; hasMore: boolean } {
  const all = newestFirst.filter((record) => isWithin(record, query));
  const { limit, starting_after: after, ending_before: before } = query;
  if (before !== undefined) {
    const end = Math.max(0, indexOf(all, before));
    const start = Math.max(0, end - limit);
    return { records: all.slice(start, end), hasMore: start > 0 };
  }
  const start = after === undefined ? 0 : indexOf(all, after) + 1;
  return { records: all.slice(start, start + limit), hasMore: start + limit < all.length };
}

function indexOf(records: readonly Listed[], pointer: string): number {
  const at = records.findIndex((record) => pointerOf(record) === pointer);
  return at === -1 ? records.length : at;
}

/** Both ends are included, to the second. */
function isWithin({ currency, createdAt }: Listed, query: ListQuery): boolean {
  const second = Math.floor(Date.parse(createdAt) / 1000) * 1000;
  return (
    (query.currency === undefined || currency === query.currency) &&
    (query.date_from === undefined || second >= query.date_from) &&
    (query.date_to === undefined || second <= query.date_to)
  );
}
