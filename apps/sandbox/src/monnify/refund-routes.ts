import { type Checkout, decisiveCharge, newestFirst, paidCharge, type Refund } from '../ledger/records.ts';
import { createRefund, type RefundAnswer } from '../refunds.ts';
import { type Inbound, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { presentRefund, refundReference, refundStatus, transactionByReference, transactionReference } from './present.ts';
import { badJson, invalid, pageOf, problem, refundListSchema, refundNotFound, refundSchema, success } from './wire.ts';

/** Monnify's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/api/v1/refunds/initiate-refund', creates: true, handle: initiate },
  { method: 'GET', pattern: '/api/v1/refunds', handle: list },
  { method: 'GET', pattern: '/api/v1/refunds/:reference', handle: status },
];

/** R4: one page says 10 naira, another 20; the lower one is taken. */
const minimumRefund = 10;

function initiate(request: Inbound, context: ApiContext): Reply {
  const { simulator, account, note } = context;
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = refundSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const sent = parsed.data;
  const checkout = transactionByReference(simulator, account, sent.transactionReference);
  if (checkout === null) return problem(404, 'Transaction with specified reference does not exist.', 'R1');
  note(checkout.reference);
  if (sent.refundAmount < minimumRefund) {
    return problem(422, 'Specified refund amount is below minimum refund amount.', 'R4');
  }
  if (ownRefunds(context).some((refund) => refundReference(refund) === sent.refundReference)) {
    return problem(422, 'Duplicate refund reference');
  }
  const charge = paidCharge(checkout) ?? decisiveCharge(checkout);
  const answer: RefundAnswer =
    charge === null
      ? { kind: 'not_paid' }
      : createRefund(simulator, checkout, charge, {
          amount: sent.refundAmount,
          reference: sent.refundReference,
          customerNote: sent.customerNote ?? null,
          merchantNote: sent.refundReason,
        });
  return answerRefund(answer, checkout);
}

function answerRefund(answer: RefundAnswer, checkout: Checkout): Reply {
  switch (answer.kind) {
    case 'not_paid':
      return problem(422, 'Refund not permitted for specified transaction.', 'R2');
    case 'nothing_left':
    case 'too_much':
      return problem(422, 'Specified refund amount is above transaction amount.', 'R3');
    case 'accepted':
      return success(presentRefund(answer.refund, checkout));
    default:
      return answer satisfies never;
  }
}

function ownRefunds({ simulator, account }: ApiContext): readonly Refund[] {
  return simulator.ledger.refunds().filter((refund) => refund.accountId === account.id && !refund.hidden);
}

function status(request: Inbound, context: ApiContext): Reply {
  const refund = ownRefunds(context).find((candidate) => refundReference(candidate) === request.params.reference);
  const checkout = refund === undefined ? null : context.simulator.ledger.checkout(refund.checkoutId);
  if (refund === undefined || checkout === null) return refundNotFound();
  context.note(checkout.reference);
  return success(presentRefund(refund, checkout));
}

function list(request: Inbound, context: ApiContext): Reply {
  const parsed = refundListSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid(parsed.error);
  const { page, size, from, to, transactionReference: wanted, refundStatus: wantedStatus } = parsed.data;
  const found = [...ownRefunds(context)].sort(newestFirst).flatMap((refund) => {
    const checkout = context.simulator.ledger.checkout(refund.checkoutId);
    const created = Date.parse(refund.createdAt);
    const isWanted =
      checkout !== null &&
      (from === undefined || created >= from) &&
      (to === undefined || created <= to) &&
      (wanted === undefined || transactionReference(checkout) === wanted) &&
      (wantedStatus === undefined || refundStatus(refund) === wantedStatus);
    return isWanted ? [presentRefund(refund, checkout)] : [];
  });
  return pageOf(found, { page, size });
}
