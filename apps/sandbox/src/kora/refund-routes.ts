import { type Account, type Checkout, decisiveCharge, newestFirst, paidCharge, type Refund } from '../ledger/records.ts';
import { createRefund, endRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, formatMoney, type Simulator } from '../simulator.ts';
import { ownCharge } from './charge-routes.ts';
import { pageOf } from './pages.ts';
import { presentFoundRefund, presentListedRefund, presentRefund, refundReference } from './present.ts';
import {
  chargeNotFound,
  duplicateRefund,
  invalidJson,
  invalidRequest,
  problem,
  refundListQuerySchema,
  refundNotFound,
  refundRequestSchema,
} from './wire.ts';

/** Kora's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/merchant/api/v1/refunds/initiate', creates: true, handle: initiate },
  { method: 'GET', pattern: '/merchant/api/v1/refunds', handle: list },
  { method: 'GET', pattern: '/merchant/api/v1/refunds/:reference', handle: fetchRefund },
];

function initiate(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return invalidJson();
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return invalidRequest(parsed.error);
  const { payment_reference: paymentReference, reference, amount, reason } = parsed.data;
  note(paymentReference);
  const checkout = ownCharge(simulator, account, paymentReference);
  const charge = checkout === null ? null : (paidCharge(checkout) ?? decisiveCharge(checkout));
  if (checkout === null) return chargeNotFound();
  if (refundUnder(simulator, account, reference) !== undefined) return duplicateRefund(reference);
  if (charge === null) return notPaid();
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

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = refundListQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidRequest(parsed.error);
  const own = simulator.ledger.refunds().filter((refund) => refund.accountId === account.id && !refund.hidden);
  const page = pageOf(own.sort(newestFirst), parsed.data);
  const refunds = page.records.flatMap((refund) => {
    const checkout: Checkout | null = simulator.ledger.checkout(refund.checkoutId);
    return checkout === null ? [] : [presentListedRefund(refund, checkout)];
  });
  const message = 'Refunds retrieved successfully';
  return json(200, { status: true, message, data: { has_more: page.hasMore, refunds } });
}
