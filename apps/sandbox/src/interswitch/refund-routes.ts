import { z } from 'zod';
import { type Checkout, isKnown, newestFirst, paidCharge, type Refund } from '../ledger/records.ts';
import { createRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { ownCheckout } from './payment-routes.ts';
import { lagosTime, merchantCode, presentRefund, refundReference } from './present.ts';
import { badJson, invalid, problem, refundRequestSchema, unknownMerchant } from './wire.ts';

/** Interswitch's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/paymentgateway/api/v1/refunds', creates: true, handle: create },
  { method: 'GET', pattern: '/paymentgateway/api/v1/refunds', handle: list },
  { method: 'GET', pattern: '/paymentgateway/api/v1/refunds/:reference', handle: fetchByReference },
];

function create(request: Inbound, context: ApiContext): Reply {
  const { simulator, account, note } = context;
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const sent = parsed.data;
  const checkout = parentOf(sent, context);
  const charge = checkout === null ? null : paidCharge(checkout);
  if (checkout === null) return problem(404, 'Z25', 'Transaction not Found');
  note(checkout.reference);
  if (charge === null) return problem(400, 'R01', 'Only a successful transaction can be refunded');
  const reference = sent.refundReference ?? undefined;
  if (refundsOfAccount(context).some((refund) => refund.reference === reference && reference !== undefined)) {
    return problem(400, 'R02', 'Duplicate refund reference');
  }
  if (sent.refundType === 'PARTIAL' && typeof sent.refundAmount !== 'number') return invalid('E02', 'refundAmount is required');
  const amount = sent.refundType === 'FULL' ? charge.amount : (sent.refundAmount ?? charge.amount);
  const answer = createRefund(simulator, checkout, charge, {
    amount,
    ...(reference === undefined ? {} : { reference }),
    customerNote: null,
    merchantNote: sent.reasonsForRefund ?? null,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'R01', 'Only a successful transaction can be refunded');
    case 'nothing_left':
      return problem(400, 'R03', 'Transaction has been fully refunded');
    case 'too_much':
      return problem(400, 'R04', 'Refund amount is more than what is left of the transaction');
    case 'accepted':
      return json(200, presentRefund(account, answer.refund, checkout, charge));
    default:
      return answer satisfies never;
  }
}

/** By the merchant's reference of the payment, or by the gateway's own id of it. */
function parentOf(sent: z.infer<typeof refundRequestSchema>, context: ApiContext): Checkout | null {
  const { simulator, account } = context;
  const { parentTransactionReference: reference, parentPaymentId: id } = sent;
  if (reference !== null && reference !== undefined) return ownCheckout(context, reference);
  const found = /^\d{1,16}$/.test(id ?? '') ? simulator.ledger.charge(Number(id)) : null;
  return found !== null && found.checkout.accountId === account.id && isKnown(found.checkout) ? found.checkout : null;
}

function refundsOfAccount({ simulator, account }: ApiContext): Refund[] {
  return simulator.ledger.refunds().filter((refund) => refund.accountId === account.id && !refund.hidden);
}

function present({ simulator, account }: ApiContext, refund: Refund): Record<string, unknown> | null {
  const found = simulator.ledger.charge(refund.chargeId);
  return found === null ? null : presentRefund(account, refund, found.checkout, found.charge);
}

function fetchByReference(request: Inbound, context: ApiContext): Reply {
  const wanted = request.params.reference ?? '';
  const refund = refundsOfAccount(context).find((candidate) => refundReference(candidate) === wanted);
  const shown = refund === undefined ? null : present(context, refund);
  if (refund === undefined || shown === null) return problem(404, '404', 'Refund not found');
  const checkout = context.simulator.ledger.checkout(refund.checkoutId);
  if (checkout !== null) context.note(checkout.reference);
  return json(200, shown);
}

const listSchema = z.object({
  merchantCode: z.string().min(1),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(50),
});

/** The refunds of a merchant by day, in Lagos. Both days are included. */
function list(request: Inbound, context: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { merchantCode: merchant, startDate, endDate, pageNumber, pageSize } = parsed.data;
  if (merchant !== merchantCode(context.account)) return unknownMerchant(400);
  const all = refundsOfAccount(context)
    .filter((refund) => {
      const day = lagosTime(refund.createdAt).slice(0, 10);
      return day >= startDate && day <= endDate;
    })
    .sort(newestFirst);
  return json(200, {
    responseCode: '200',
    pageNumber,
    pageSize,
    totalPages: Math.ceil(all.length / pageSize),
    data: all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize).map((refund) => present(context, refund)),
  });
}
